import type { CostedStage } from '#lib/domain/cost/estimate.ts';
import type { LimitedStage } from '#lib/domain/cost/limit.ts';
import { parseLoad } from '#lib/domain/cost/load.ts';
import { type CostedModels, estimateModels } from '#lib/domain/cost/model-spend.ts';
import type { Deployment } from '#lib/domain/deployment/deployment.ts';

type Model = NonNullable<NonNullable<Deployment['models']>['evaluation']>;

const toModel = (model: Model | null | undefined): CostedModels['evaluation'] =>
  model == null ? null : { name: model.name, inputUsd: model.inputUsdPerMillion, outputUsd: model.outputUsdPerMillion };

export const toModels = ({ models, budgets }: Deployment): CostedModels => ({
  evaluation: toModel(models?.evaluation),
  remediation: toModel(models?.remediation),
  dayBudgetUsd: budgets.day.usd,
});

export function toCostedStage(deployment: Deployment): CostedStage {
  const { evaluation, remediation } = toModels(deployment);
  return {
    models: { evaluation: evaluation !== null, remediation: remediation !== null },
    vpcZones: deployment.vpc?.subnets.length ?? 0,
    logDays: deployment.retention.logDays,
    sessionDays: deployment.retention.sessionDays,
    lineFilter: deployment.loki.lineFilter,
    alarmMail: deployment.alarms.email !== null,
  };
}

export function toLimitedStage(deployment: Deployment): LimitedStage {
  const models = toModels(deployment);
  // One new incident a day: what it uses is what each uses.
  const one = parseLoad({ sessions: '1', incidentsPerDay: '1' });
  const { lines } = estimateModels(one, models);
  const days = lines.find(({ stage }) => stage === 'evaluation')?.calls ?? lines[0]?.calls ?? 1;
  return {
    throttlingRate: deployment.api.throttling.rate,
    hasModel: lines.length > 0,
    dayBudgetUsd: deployment.budgets.day.usd,
    dayBudgetTokens: deployment.budgets.day.tokens,
    usdPerIncident: lines.reduce((sum, { usd }) => sum + usd, 0) / days,
    tokensPerIncident: lines.reduce((sum, line) => sum + line.inputTokens + line.outputTokens, 0) / days,
  };
}
