import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoWritePacer } from '#lib/adapters/dynamodb/write-pacer.ts';
import { brokerTokens } from '#lib/adapters/github/broker-tokens.ts';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import { webhookNotifier } from '#lib/adapters/notify/webhook-notifier.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { type PublishPorts, publishIncident } from '#lib/app/publish-incident.ts';
import { oneOf, optional, readConfig, required } from '#lib/config.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { logger } from '#lib/logger.ts';
import { retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  broker: required('TOKEN_BROKER_ARN', 'the ARN of the alias "write" of the token broker'),
  apiUrl: optional('GITHUB_API_URL', "the base of GitHub's REST API", 'https://api.github.com'),
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
  const ports: PublishPorts = {
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    tracker: githubIssueTracker({ tokens, apiUrl: config.apiUrl, clock: systemClock }),
    pacer: dynamoWritePacer(client, config.incidents),
    notifier: webhookNotifier({ secrets }),
    onNotifyFault: (error) => logger.warn('notification failed', { error: error as Error }),
    queues: sqsQueues(toSqsClient(), {}),
    redactor: createRedactor(),
    clock: systemClock,
    ids: systemIds,
  };
  return {
    publishIncident: publishIncident(ports, { showEvidenceInPublic: config.showEvidence === 'show' }),
  };
}
