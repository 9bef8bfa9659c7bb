import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wirePublish } from '#lib/wiring/publish.ts';

const { publishIncident } = wirePublish();
export const handler = sqsBatch('publication', publishIncident);
