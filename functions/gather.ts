import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireGather } from '#lib/wiring/gather.ts';

const { gatherEvidence } = wireGather();
export const handler = sqsBatch('evidence', gatherEvidence);
