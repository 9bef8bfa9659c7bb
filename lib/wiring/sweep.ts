import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { sweep } from '#lib/app/sweep.ts';
import { integer, readConfig } from '#lib/config.ts';
import { MILLIS_PER_HOUR } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';
import { LOG_SOURCE, queueSetting, retentionSetting, tableSetting } from './settings.ts';

const settings = {
  sessions: tableSetting('sessions'),
  windows: tableSetting('windows'),
  incidents: tableSetting('incidents'),
  idleHours: integer('SESSION_IDLE_HOURS', { min: 1, max: 720, fallback: 6 }),
  retentionDays: retentionSetting,
  window: queueSetting('window'),
  evidence: queueSetting('evidence'),
  evaluation: queueSetting('evaluation'),
  publication: queueSetting('publication'),
  remediation: queueSetting('remediation'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireSweep() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const { window, evidence, evaluation, publication, remediation } = config;
  const urls = { window, evidence, evaluation, publication, remediation };
  const ports = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    windows: dynamoWindowStore(client, config.windows, { days: config.retentionDays }),
    incidents: dynamoIncidentStore(client, config.incidents),
    queues: sqsQueues(toSqsClient(), urls),
    clock: systemClock,
  };
  const options = {
    source: LOG_SOURCE,
    idleAfter: config.idleHours * MILLIS_PER_HOUR,
    consumed: Object.keys(urls) as QueueName[],
  };
  return { sweep: () => sweep(ports, options) };
}
