import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { type EvaluatePorts, evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { readConfig } from '#lib/config.ts';
import { queueSetting, retentionSetting, tableSetting } from './settings.ts';

const settings = {
  retentionDays: retentionSetting,
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  publication: queueSetting('publication'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireEvaluate() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ports: EvaluatePorts = {
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    queues: sqsQueues(toSqsClient(), { publication: config.publication }),
    clock: systemClock,
    ids: systemIds,
  };
  return { evaluateIncident: evaluateIncident(ports) };
}
