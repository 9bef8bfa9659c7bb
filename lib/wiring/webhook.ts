import { SSMClient } from '@aws-sdk/client-ssm';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { hearGitHub } from '#lib/app/hear-github.ts';
import { readConfig } from '#lib/config.ts';
import { queueSetting, secretsPrefixSetting, tableSetting } from './settings.ts';

const settings = {
  secretsPrefix: secretsPrefixSetting,
  incidents: tableSetting('incidents'),
  publication: queueSetting('publication'),
};

/** @throws ConfigError at cold start with all its faults. */
export function wireWebhook() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ssm = new SSMClient({ maxAttempts: 3 });
  const secrets = ssmSecrets({ ssm, prefix: config.secretsPrefix, clock: systemClock });
  const ports = {
    incidents: dynamoIncidentStore(client, config.incidents),
    remediations: dynamoRemediationStore(client, config.incidents),
    queues: sqsQueues(toSqsClient(), { publication: config.publication }),
    clock: systemClock,
  };
  return { hearGitHub: hearGitHub(ports), webhookSecret: () => secrets.get('github-webhook-secret') };
}
