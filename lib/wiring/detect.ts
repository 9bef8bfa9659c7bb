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
import { createPlayMemory } from '#lib/app/play-memory.ts';
import { probeSources } from '#lib/app/probe-sources.ts';
import { oneOf, parsed, readConfig } from '#lib/config.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { builtInPatterns } from '#lib/domain/detection/patterns/registry.ts';
import type { ProbeRequest, SourcesAnswer } from '#lib/domain/probe.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import { kubernetesSettings, wireCluster, wireClusterProbe } from './kubernetes.ts';
import { lokiSettings, toPodSelector, toProbeOptions, wireLoki, wireLokiProbe } from './loki.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';
import { tellFinding } from './tell-finding.ts';

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

type Config = ReturnType<typeof readConfig<typeof settings>>;

/** Made when it is asked for: a probe is rare, and a cold start need not pay for it. */
const wireProbe =
  (config: Config) =>
  (request: ProbeRequest): Promise<SourcesAnswer> => {
    const ports = { logs: wireLokiProbe(config), cluster: wireClusterProbe(config), clock: systemClock };
    return probeSources(ports, toProbeOptions(config))(request);
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
    onStored: tellFinding,
    memory: createPlayMemory(),
  };
  return {
    probeSources: wireProbe(config),
    detectWindow: detectWindow(ports, {
      attribution: { ...DEFAULT_ATTRIBUTION, podLabels: [config.podLabel, ...DEFAULT_ATTRIBUTION.podLabels] },
      platformRepository: config.platformRepository,
      selector: toPodSelector(config.selector, config.podLabel),
      lineFilter: config.lineFilter === 'on' ? toLineFilter(builtInPatterns().patterns) : null,
    }),
  };
}
