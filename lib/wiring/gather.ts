import { LambdaClient } from '@aws-sdk/client-lambda';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { brokerTokens } from '#lib/adapters/github/broker-tokens.ts';
import { githubForge } from '#lib/adapters/github/forge.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { type GatherPorts, gatherEvidence } from '#lib/app/gather-evidence.ts';
import { optional, readConfig, required } from '#lib/config.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { kubernetesSettings, wireCluster } from './kubernetes.ts';
import { lokiSettings, toPodSelector, wireLoki } from './loki.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  ...lokiSettings,
  ...kubernetesSettings,
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  sessions: tableSetting('sessions'),
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  evaluation: queueSetting('evaluation'),
  broker: required('TOKEN_BROKER_ARN', 'the ARN of the alias "read" of the token broker'),
  apiUrl: optional('GITHUB_API_URL', "the base of GitHub's REST API", 'https://api.github.com'),
};

/** Evidence waits for GitHub no longer than it must. */
const GITHUB_TIMEOUT_MS = 5_000;

/** @throws ConfigError at cold start with all its faults. */
export function wireGather() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ports: GatherPorts = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    logs: wireLoki(config),
    cluster: wireCluster(config),
    forge: githubForge({
      tokens: brokerTokens(new LambdaClient({ maxAttempts: 3 }), config.broker, systemClock),
      apiUrl: config.apiUrl,
      clock: systemClock,
      timeoutMs: GITHUB_TIMEOUT_MS,
    }),
    queues: sqsQueues(toSqsClient(), { evaluation: config.evaluation }),
    redactor: createRedactor(),
    clock: systemClock,
    ids: systemIds,
  };
  const attribution = { ...DEFAULT_ATTRIBUTION, podLabels: [config.podLabel, ...DEFAULT_ATTRIBUTION.podLabels] };
  return {
    gatherEvidence: gatherEvidence(ports, { attribution, selector: toPodSelector(config.selector, config.podLabel) }),
  };
}
