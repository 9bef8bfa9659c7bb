import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { type GatherPorts, gatherEvidence } from '#lib/app/gather-evidence.ts';
import { readConfig } from '#lib/config.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { lokiSettings, wireLoki } from './loki.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  ...lokiSettings,
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  sessions: tableSetting('sessions'),
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  evaluation: queueSetting('evaluation'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireGather() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ports: GatherPorts = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    logs: wireLoki(config),
    queues: sqsQueues(toSqsClient(), { evaluation: config.evaluation }),
    redactor: createRedactor(),
    clock: systemClock,
    ids: systemIds,
  };
  const attribution = { ...DEFAULT_ATTRIBUTION, podLabels: [config.podLabel, ...DEFAULT_ATTRIBUTION.podLabels] };
  return { gatherEvidence: gatherEvidence(ports, { attribution, selector: config.selector }) };
}
