import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireEvaluate } from '#lib/wiring/evaluate.ts';

const { evaluateIncident } = wireEvaluate();
export const handler = sqsBatch('evaluation', evaluateIncident);
