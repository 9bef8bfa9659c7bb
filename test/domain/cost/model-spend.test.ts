import { expect, it } from 'vitest';
import { parseLoad } from '#lib/domain/cost/load.ts';
import { estimateModels } from '#lib/domain/cost/model-spend.ts';
import { MODEL_TOKENS } from '#lib/domain/cost/usage.ts';

const small = { name: 'small', inputUsd: 1, outputUsd: 4 };

it('costs nothing without a model', () => {
  const models = { evaluation: null, remediation: null, dayBudgetUsd: 50 };
  expect(estimateModels(parseLoad({}), models)).toEqual({ lines: [], usd: 0, isCapped: false });
});

it('is tokens times the prices of the configuration, once an incident', () => {
  const models = { evaluation: small, remediation: null, dayBudgetUsd: 50 };
  const { lines, usd, isCapped } = estimateModels(parseLoad({ incidentsPerDay: '24' }), models);
  const { input, output } = MODEL_TOKENS.evaluation;
  expect(lines).toHaveLength(1);
  expect(usd).toBeCloseTo((730 * (input * 1 + output * 4)) / 1e6, 6);
  expect(isCapped).toBe(false);
});

it('ends at the budget of the day', () => {
  const models = { evaluation: small, remediation: small, dayBudgetUsd: 0.5 };
  const { usd, isCapped } = estimateModels(parseLoad({ incidentsPerDay: '1000' }), models);
  expect(isCapped).toBe(true);
  expect(usd).toBeCloseTo((0.5 * 730) / 24, 6);
});
