import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoBudgetStore } from '#lib/adapters/dynamodb/budget-store.ts';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoOutcomeStore } from '#lib/adapters/dynamodb/outcome-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { brokerTokens } from '#lib/adapters/github/broker-tokens.ts';
import { githubRepositoryReader } from '#lib/adapters/github/repository-reader.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import type { PatchAuthor } from '#lib/app/ask-for-proposal.ts';
import { probeModel } from '#lib/app/probe-model.ts';
import { remediateIncident } from '#lib/app/remediate-incident.ts';
import type { RemediatePorts } from '#lib/app/remedy-ports.ts';
import { optional, readConfig, required } from '#lib/config.ts';
import { createRedactor, type Redactor } from '#lib/domain/redaction/redactor.ts';
import { RemedyStep } from '#lib/domain/remediation/remedy-step.ts';
import { logger } from '#lib/logger.ts';
import { budgetSettings, modelSettings, toBudgetLimits, wireModel } from './model-settings.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';
import { tellModelCall } from './tell-model-call.ts';

const settings = {
  ...modelSettings('REMEDIATION'),
  ...budgetSettings,
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  budgets: tableSetting('budgets'),
  publication: queueSetting('publication'),
  broker: required('TOKEN_BROKER_ARN', 'the ARN of the alias "read" of the token broker'),
  apiUrl: optional('GITHUB_API_URL', "the base of GitHub's REST API", 'https://api.github.com'),
};

type Config = ReturnType<typeof readConfig<typeof settings>>;

/** @throws ConfigError at cold start with all its faults. */
export function wireRemediate() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const redactor = createRedactor();
  const tokens = brokerTokens(new LambdaClient({ maxAttempts: 3 }), config.broker, systemClock);
  const retention = { days: config.retentionDays, clock: systemClock };
  const author = wireAuthor(config, client, redactor);
  const ports: RemediatePorts = {
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, retention),
    outcomes: dynamoOutcomeStore(client, config.evidence, retention),
    remediations: dynamoRemediationStore(client, config.incidents),
    reader: githubRepositoryReader({ tokens, apiUrl: config.apiUrl, clock: systemClock }),
    queues: sqsQueues(toSqsClient(), { publication: config.publication }),
    redactor,
    onFault: (error) => logger.warn('no proposal by the model', { error: error as Error }),
    clock: systemClock,
    ids: systemIds,
    ...(author && { author }),
  };
  return {
    remediateIncident: remediateIncident(ports),
    probeModel: probeModel(author, systemClock, { name: 'step', schema: RemedyStep }),
  };
}

function wireAuthor(config: Config, client: DynamoDBDocumentClient, redactor: Redactor): PatchAuthor | undefined {
  const ssm = new SSMClient({ maxAttempts: 3 });
  const secrets = ssmSecrets({ ssm, prefix: config.secretsPrefix, clock: systemClock });
  const model = wireModel(config, { secrets, secret: 'openai-key-remediation' });
  if (model === undefined) return undefined;
  return {
    model,
    redactor,
    budgets: dynamoBudgetStore(client, config.budgets, toBudgetLimits(config)),
    clock: systemClock,
    ids: systemIds,
    onModelCall: tellModelCall,
    onSettleFault: (error) => logger.error('budget not settled', { error: error as Error }),
  };
}
