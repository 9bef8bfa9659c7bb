import { SSMClient } from '@aws-sdk/client-ssm';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoBudgetStore } from '#lib/adapters/dynamodb/budget-store.ts';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import type { Analyst } from '#lib/app/analyse-evidence.ts';
import { type EvaluatePorts, evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { probeModel } from '#lib/app/probe-model.ts';
import { readConfig } from '#lib/config.ts';
import { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { logger } from '#lib/logger.ts';
import { budgetSettings, modelSettings, toBudgetLimits, wireModel } from './model-settings.ts';
import { queueSetting, retentionSetting, secretsPrefixSetting, tableSetting } from './settings.ts';
import { tellModelCall } from './tell-model-call.ts';

const settings = {
  ...modelSettings('EVALUATION'),
  ...budgetSettings,
  secretsPrefix: secretsPrefixSetting,
  retentionDays: retentionSetting,
  incidents: tableSetting('incidents'),
  evidence: tableSetting('evidence'),
  budgets: tableSetting('budgets'),
  publication: queueSetting('publication'),
};

type Config = ReturnType<typeof readConfig<typeof settings>>;

/** @throws ConfigError at cold start with all its faults. */
export function wireEvaluate() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const analyst = wireAnalyst(config, client);
  const ports: EvaluatePorts = {
    incidents: dynamoIncidentStore(client, config.incidents),
    evidence: dynamoEvidenceStore(client, config.evidence, { days: config.retentionDays, clock: systemClock }),
    queues: sqsQueues(toSqsClient(), { publication: config.publication }),
    clock: systemClock,
    ids: systemIds,
    ...(analyst && { analyst }),
  };
  return {
    evaluateIncident: evaluateIncident(ports),
    probeModel: probeModel(analyst, systemClock, { name: 'analysis', schema: AnalysisAnswer }),
  };
}

function wireAnalyst(config: Config, client: DynamoDBDocumentClient): Analyst | undefined {
  const ssm = new SSMClient({ maxAttempts: 3 });
  const secrets = ssmSecrets({ ssm, prefix: config.secretsPrefix, clock: systemClock });
  const model = wireModel(config, { secrets, secret: 'openai-key-evaluation' });
  if (model === undefined) return undefined;
  return {
    model,
    budgets: dynamoBudgetStore(client, config.budgets, toBudgetLimits(config)),
    clock: systemClock,
    ids: systemIds,
    redactor: async () => (await import('#lib/domain/redaction/redactor.ts')).createRedactor(),
    onModelCall: tellModelCall,
    onSettleFault: (error) => logger.error('budget not settled', { error: error as Error }),
    onFault: (error) => logger.warn('no analysis by the model', { error: error as Error }),
  };
}
