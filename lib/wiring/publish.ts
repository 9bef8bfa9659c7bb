import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoOutcomeStore } from '#lib/adapters/dynamodb/outcome-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { dynamoWritePacer } from '#lib/adapters/dynamodb/write-pacer.ts';
import { brokerTokens } from '#lib/adapters/github/broker-tokens.ts';
import { githubIssueThread } from '#lib/adapters/github/issue-thread.ts';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import { githubPullRequests } from '#lib/adapters/github/pull-requests.ts';
import { silentNotifier, webhookNotifier } from '#lib/adapters/notify/webhook-notifier.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { type PublishPorts, publishIncident } from '#lib/app/publish-incident.ts';
import { oneOf, optional, parsed, readConfig, required } from '#lib/config.ts';
import { toWebUrl } from '#lib/domain/publication/links.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { parseModes } from '#lib/domain/remediation/modes.ts';
import { logger } from '#lib/logger.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  broker: required('TOKEN_BROKER_ARN', 'the ARN of the alias "write" of the token broker'),
  apiUrl: optional('GITHUB_API_URL', "the base of GitHub's REST API", 'https://api.github.com'),
  webUrl: optional('GITHUB_WEB_URL', "GitHub's pages for people; derived from GITHUB_API_URL when not set", undefined),
  remediation: queueSetting('remediation'),
  modes: parsed('REMEDIATION_MODES', 'a list such as "acme/*=auto,acme/shop=off"', parseModes),
  notify: oneOf('NOTIFY_WEBHOOK', ['none', 'secret'], 'none'),
  showEvidence: oneOf('EVIDENCE_IN_PUBLIC_REPOSITORIES', ['show', 'hide'], 'hide'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wirePublish() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const secrets = ssmSecrets({
    ssm: new SSMClient({ maxAttempts: 3 }),
    prefix: config.secretsPrefix,
    clock: systemClock,
  });
  const tokens = brokerTokens(new LambdaClient({ maxAttempts: 3 }), config.broker, systemClock);
  const github = { tokens, apiUrl: config.apiUrl, clock: systemClock };
  const ports: PublishPorts = {
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    outcomes: dynamoOutcomeStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    remediations: dynamoRemediationStore(client, config.incidents),
    tracker: githubIssueTracker(github),
    thread: githubIssueThread(github),
    pulls: githubPullRequests(github),
    pacer: dynamoWritePacer(client, config.incidents),
    notifier: config.notify === 'secret' ? webhookNotifier({ secrets }) : silentNotifier,
    onNotifyFault: (error) => logger.warn('notification failed', { error: error as Error }),
    queues: sqsQueues(toSqsClient(), { remediation: config.remediation }),
    redactor: createRedactor(),
    clock: systemClock,
    ids: systemIds,
  };
  return {
    publishIncident: publishIncident(ports, {
      showEvidenceInPublic: config.showEvidence === 'show',
      webUrl: config.webUrl ?? toWebUrl(config.apiUrl),
      modes: config.modes,
    }),
  };
}
