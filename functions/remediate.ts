import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireRemediate } from '#lib/wiring/remediate.ts';

const { remediateIncident } = wireRemediate();
export const handler = sqsBatch('remediation', remediateIncident);
