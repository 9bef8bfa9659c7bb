import { openAiModel } from '#lib/adapters/openai/openai-model.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import type { Model, Secrets } from '#lib/app/ports.ts';
import { integer, optional, parsed, type Setting } from '#lib/config.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import type { BudgetLimits, BudgetScope, Spend } from '#lib/domain/model/spend.ts';

const MICROS = 1_000_000;

/** A decimal number of US dollars, e.g. `0.75`. @throws RangeError */
function parseUsd(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) throw new RangeError('no amount');
  return Number(text);
}

const usd = <T>(variable: string, expected: string, fallback: T): Setting<number | T> =>
  parsed(variable, expected, (text) => (text === '' ? fallback : parseUsd(text)));

/** Settings of a stage's model: `EVALUATION` or `REMEDIATION` begins their names. */
export const modelSettings = (stage: 'EVALUATION' | 'REMEDIATION') => ({
  baseUrl: optional('OPENAI_BASE_URL', 'the base of an endpoint with chat completions', 'https://api.openai.com/v1'),
  model: optional(`${stage}_MODEL`, 'the name of a model', ''),
  inputUsd: usd(`${stage}_INPUT_USD_PER_MILLION`, 'a price in USD, e.g. 0.75', null),
  outputUsd: usd(`${stage}_OUTPUT_USD_PER_MILLION`, 'a price in USD, e.g. 4.50', null),
});

export interface ModelConfig {
  readonly baseUrl: string;
  readonly model: string;
  readonly inputUsd: number | null;
  readonly outputUsd: number | null;
}

/**
 * The configured model, or undefined where none is named.
 * @throws ConfigError for a model without prices: no budget would hold it.
 */
export function wireModel(config: ModelConfig, deps: { secrets: Secrets; secret: string }): Model | undefined {
  const { baseUrl, model, inputUsd, outputUsd } = config;
  if (model === '') return undefined;
  if (inputUsd === null || outputUsd === null) {
    throw new ConfigError(
      `The model ${model} needs its prices: USD per million tokens of input and output; 0 is a price.`,
    );
  }
  return openAiModel({ ...deps, baseUrl, model, prices: { inputUsd, outputUsd }, clock: systemClock });
}

const tokens = (variable: string, fallback: number): Setting<number> =>
  integer(variable, { min: 0, max: 1_000_000_000, fallback });

/** What models may use; the defaults are those of the stage's file (lib/domain/deployment/schema.ts). */
export const budgetSettings = {
  usdPerIncident: usd('BUDGET_USD_PER_INCIDENT', 'an amount in USD, e.g. 2', 2),
  usdPerPlay: usd('BUDGET_USD_PER_PLAY', 'an amount in USD, e.g. 5', 5),
  usdPerDay: usd('BUDGET_USD_PER_DAY', 'an amount in USD, e.g. 50', 50),
  tokensPerIncident: tokens('BUDGET_TOKENS_PER_INCIDENT', 400_000),
  tokensPerPlay: tokens('BUDGET_TOKENS_PER_PLAY', 1_000_000),
  tokensPerDay: tokens('BUDGET_TOKENS_PER_DAY', 10_000_000),
};

export type BudgetConfig = Readonly<Record<keyof typeof budgetSettings, number>>;

export function toBudgetLimits(config: BudgetConfig): BudgetLimits {
  const spend = (dollars: number, most: number): Spend => ({ tokens: most, microUsd: Math.floor(dollars * MICROS) });
  const limits: Record<BudgetScope, Spend> = {
    incident: spend(config.usdPerIncident, config.tokensPerIncident),
    play: spend(config.usdPerPlay, config.tokensPerPlay),
    day: spend(config.usdPerDay, config.tokensPerDay),
  };
  return limits;
}
