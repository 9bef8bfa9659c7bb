import { withProbe } from '#lib/edge/probe.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireRemediate } from '#lib/wiring/remediate.ts';

const { remediateIncident, probeModel } = wireRemediate();
export const handler = withProbe((_request, work) => probeModel(work), sqsBatch('remediation', remediateIncident));
