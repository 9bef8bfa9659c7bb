import { type ModelPrices, toSpend } from '../model/spend.ts';
import type { Load } from './load.ts';
import { HOURS_PER_MONTH } from './rates.ts';
import { MODEL_TOKENS, REMEDIATED_BY_MODEL } from './usage.ts';

/** The models of a stage, with the prices of its configuration, and what they may cost a day. */
export interface CostedModels {
  readonly evaluation: (ModelPrices & { readonly name: string }) | null;
  readonly remediation: (ModelPrices & { readonly name: string }) | null;
  readonly dayBudgetUsd: number;
}

export interface ModelLine {
  readonly stage: 'evaluation' | 'remediation';
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

export interface ModelEstimate {
  readonly lines: readonly ModelLine[];
  readonly usd: number;
  /** True: the day's budget ends it; without it the lines are what it would be. */
  readonly isCapped: boolean;
}

const DAYS_PER_MONTH = HOURS_PER_MONTH / 24;

/** Tokens of a month. One evaluation an incident, however many plays show it; some of them ask for a patch. */
export function estimateModels({ incidentsPerDay }: Load, models: CostedModels): ModelEstimate {
  const incidents = incidentsPerDay * DAYS_PER_MONTH;
  const lines = [
    ...toLine('evaluation', models.evaluation, incidents),
    ...toLine('remediation', models.remediation, incidents * REMEDIATED_BY_MODEL),
  ];
  const wished = lines.reduce((sum, { usd }) => sum + usd, 0);
  const most = models.dayBudgetUsd * DAYS_PER_MONTH;
  return { lines, usd: Math.min(wished, most), isCapped: wished > most };
}

function toLine(stage: ModelLine['stage'], model: CostedModels['evaluation'], calls: number): readonly ModelLine[] {
  if (model === null) return [];
  const { input, output } = MODEL_TOKENS[stage];
  const { microUsd } = toSpend({ inputTokens: input, outputTokens: output }, model);
  const tokens = { inputTokens: calls * input, outputTokens: calls * output };
  return [{ stage, model: model.name, calls, ...tokens, usd: (calls * microUsd) / 1e6 }];
}
