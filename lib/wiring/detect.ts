import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import type { DetectPorts } from '#lib/app/detect-ports.ts';
import { detectWindow } from '#lib/app/detect-window.ts';
import { oneOf, parsed, readConfig } from '#lib/config.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { builtInPatterns } from '#lib/domain/detection/patterns/registry.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import { kubernetesSettings, wireCluster } from './kubernetes.ts';
import { lokiSettings, toPodSelector, wireLoki } from './loki.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  ...lokiSettings,
  ...kubernetesSettings,
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  lineFilter: oneOf('LOKI_LINE_FILTER', ['on', 'off'], 'on'),
  platformRepository: parsed('PLATFORM_REPOSITORY', 'owner/name, or not set', (text) =>
    text === '' ? null : toRepositoryName(text),
  ),
  sessions: tableSetting('sessions'),
  windows: tableSetting('windows'),
  incidents: tableSetting('incidents'),
  window: queueSetting('window'),
  evidence: queueSetting('evidence'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireDetect() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ports: DetectPorts = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    windows: dynamoWindowStore(client, config.windows, { days: config.retentionDays }),
    incidents: dynamoIncidentStore(client, config.incidents),
    remediations: dynamoRemediationStore(client, config.incidents),
    logs: wireLoki(config),
    cluster: wireCluster(config),
    queues: sqsQueues(toSqsClient(), { window: config.window, evidence: config.evidence }),
    redactor: createRedactor(),
    clock: systemClock,
    ids: systemIds,
  };
  return {
    detectWindow: detectWindow(ports, {
      attribution: { ...DEFAULT_ATTRIBUTION, podLabels: [config.podLabel, ...DEFAULT_ATTRIBUTION.podLabels] },
      platformRepository: config.platformRepository,
      selector: toPodSelector(config.selector, config.podLabel),
      lineFilter: config.lineFilter === 'on' ? toLineFilter(builtInPatterns().patterns) : null,
    }),
  };
}
