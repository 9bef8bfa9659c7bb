import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { sweep } from '#lib/app/sweep.ts';
import { readConfig } from '#lib/config.ts';
import type { QueueName } from '#lib/flow.ts';
import { LOG_SOURCE, queueSetting, tableSetting } from './settings.ts';

const settings = {
  sessions: tableSetting('sessions'),
  incidents: tableSetting('incidents'),
  window: queueSetting('window'),
  evidence: queueSetting('evidence'),
  evaluation: queueSetting('evaluation'),
  publication: queueSetting('publication'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireSweep() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const { window, evidence, evaluation, publication } = config;
  const urls = { window, evidence, evaluation, publication };
  const ports = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    incidents: dynamoIncidentStore(client, config.incidents),
    queues: sqsQueues(toSqsClient(), urls),
    clock: systemClock,
  };
  const options = { source: LOG_SOURCE, consumed: Object.keys(urls) as QueueName[] };
  return { sweep: () => sweep(ports, options) };
}
