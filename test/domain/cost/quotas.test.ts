import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LimitedStage } from '#lib/domain/cost/limit.ts';
import { type LoadTexts, parseLoad } from '#lib/domain/cost/load.ts';
import { LINES_OF_A_READ, PACED_WRITES_PER_HOUR, READS_OF_A_LOOK } from '#lib/domain/cost/quota-limits.ts';
import { toQuotas } from '#lib/domain/cost/quotas.ts';
import { FACTS } from './some-facts.ts';

const STAGE: LimitedStage = {
  throttlingRate: 50,
  hasModel: true,
  dayBudgetUsd: 50,
  dayBudgetTokens: 10_000_000,
  usdPerIncident: 0.1,
  tokensPerIncident: 50_000,
};

const of = (texts: LoadTexts, stage: Partial<LimitedStage> = {}) =>
  toQuotas(parseLoad(texts), FACTS, { ...STAGE, ...stage });
const named = (quotas: ReturnType<typeof of>, word: string) => quotas.find(({ limit }) => limit.name.includes(word));

describe('toQuotas', () => {
  it('puts the limit first that is met first', () => {
    const quotas = of({ sessions: '1000' });
    const grown = quotas.map(({ limit, metAt }) => (metAt ?? Infinity) / (limit.grows === 'fleet' ? 1000 : 200));
    expect(grown).toEqual(grown.toSorted((a, b) => a - b));
    expect(quotas[0]?.limit.system).toBe('Loki');
  });

  it('says with how many sessions: one fewer is still below it', () => {
    for (const { limit, metAt } of of({ sessions: '1000' })) {
      if (metAt === null || limit.grows !== 'fleet') continue;
      const at = (sessions: number) =>
        named(
          of({ sessions: String(sessions), namespaces: String(Math.max(1, Math.round(sessions / 200))) }),
          limit.name,
        );
      if (metAt > 500_000 || metAt < 1_000) continue;
      expect(at(Math.ceil(metAt * 1.02))?.share).toBeGreaterThanOrEqual(1);
      expect(at(Math.floor(metAt * 0.98))?.share).toBeLessThan(1);
    }
  });

  it('Loki takes 4 MB/s of a tenant: half of the lines, twice the sessions', () => {
    const [all, half] = ['600', '300'].map((linesPerMinute) => named(of({ linesPerMinute }), 'ingest')?.metAt ?? 0);
    expect(all).toBe(Math.ceil((4_000_000 * 60) / (600 * 360)));
    expect(half).toBe(Math.ceil((4_000_000 * 60) / (300 * 360)));
  });

  it('limits of a namespace tell the sessions of one namespace', () => {
    expect(named(of({ sessions: '1000' }), 'series of a metric query')).toMatchObject({ demand: 240, metAt: 417 });
    expect(named(of({ sessions: '1000', namespaces: '1' }), 'series of a metric query')?.share).toBeGreaterThan(1);
  });

  it('the budget of the model is a limit only where there is a model', () => {
    expect(named(of({}), 'budgets.day.usd')?.metAt).toBeGreaterThan(0);
    expect(named(of({}, { hasModel: false }), 'budgets.day.usd')).toBeUndefined();
    const cheap = named(of({}, { usdPerIncident: 0.01 }), 'budgets.day.usd')?.metAt ?? 0;
    expect(cheap).toBeGreaterThan(named(of({}), 'budgets.day.usd')?.metAt ?? Infinity);
  });

  it('every limit has a source, advice and a unit', () => {
    for (const { limit } of of({})) {
      expect(limit.advice).toMatch(/\.$/);
      expect(limit.source).not.toBe('');
      expect(limit.value).toBeGreaterThan(0);
    }
  });
});

const sourceOf = (path: string): string => readFileSync(new URL(`../../../lib/${path}`, import.meta.url), 'utf8');

describe('knows the bounds that the code keeps', () => {
  it('the pace of writes', () => {
    const bound = `{ name: 'hour', ms: 3_600_000, most: ${PACED_WRITES_PER_HOUR} }`;
    expect(sourceOf('adapters/dynamodb/write-pacer.ts')).toContain(bound);
  });

  it('the reads of a look', () => {
    expect(sourceOf('app/detect-window.ts')).toContain(`const MAX_ROUNDS = ${READS_OF_A_LOOK};`);
  });

  it('the lines of a read', () => {
    const [, entries = ''] =
      /\bBUDGET: LokiBudget = \{ entries: ([\d_]+),/.exec(sourceOf('adapters/loki/loki-source.ts')) ?? [];
    expect(Number(entries.replaceAll('_', ''))).toBe(LINES_OF_A_READ);
  });
});
