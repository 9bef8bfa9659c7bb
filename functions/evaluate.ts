import { withProbe } from '#lib/edge/probe.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireEvaluate } from '#lib/wiring/evaluate.ts';

const { evaluateIncident, probeModel } = wireEvaluate();
export const handler = withProbe((_request, work) => probeModel(work), sqsBatch('evaluation', evaluateIncident));
