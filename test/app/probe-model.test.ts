import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BudgetStore, Reservation } from '#lib/app/ports.ts';
import { probeModel } from '#lib/app/probe-model.ts';
import { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { RemedyStep } from '#lib/domain/remediation/remedy-step.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { anAnalyst, anAnswer } from '#test/support/an-analyst.ts';

const clock = { now: () => Date.now() };
const limits = { signal: new AbortController().signal, remainingMs: () => 280_000 };
const FORM = { name: 'analysis', schema: AnalysisAnswer };

let endpoint: EmbeddedModel;
let reserved: Reservation[];
let settled: number;
let hasRoom: boolean;
const budgets: BudgetStore = {
  reserve: async (reservation) => {
    reserved.push(reservation);
    return hasRoom ? { granted: true } : { granted: false, scope: 'day' };
  },
  settle: async () => {
    settled += 1;
    return undefined;
  },
};

beforeEach(async () => {
  endpoint = await startModel({
    script: [
      { when: { schema: 'analysis' }, replies: [{ json: anAnswer() }] },
      { when: { schema: 'step' }, replies: [{ json: { action: 'stop', path: null, text: 'a test', proposal: null } }] },
    ],
  });
  [reserved, settled, hasRoom] = [[], 0, true];
});
afterEach(() => endpoint.stop());

const analyst = () => anAnalyst({ url: endpoint.url, budgets, model: 'scripted' }).analyst;

describe('probeModel', () => {
  it.each([[FORM], [{ name: 'step', schema: RemedyStep }]])(
    'asks for an answer of the form of its stage, within the budgets',
    async (form) => {
      const { model } = await probeModel(analyst(), clock, form)(limits);
      expect(model).toEqual({ name: 'scripted', trouble: null });
      expect([reserved.length, settled]).toEqual([1, 1]);
      expect(endpoint.requests.map(({ schema }) => schema)).toEqual([form.name]);
    },
  );

  it('is no play of anybody, so that its cost is the day’s alone', async () => {
    const probe = probeModel(analyst(), clock, FORM);
    await probe(limits);
    await probe(limits);
    expect(new Set(reserved.map(({ play }) => play)).size).toBe(2);
    expect(reserved.every(({ play, incident }) => play.startsWith('probe-') && incident === play)).toBe(true);
  });

  it('says that none is configured', async () => {
    expect((await probeModel(undefined, clock, FORM)(limits)).model).toBeNull();
  });

  it('asks nothing when the budget is used up', async () => {
    hasRoom = false;
    const { model } = await probeModel(analyst(), clock, FORM)(limits);
    expect(model?.trouble?.reason).toContain('budget of the day');
    expect(endpoint.requests).toEqual([]);
  });

  it.each([
    [{ kind: 'status', status: 401 } as const, 'answered 401', 'openai-key-evaluation'],
    [{ kind: 'status', status: 404 } as const, 'answered 404', 'the name of the model'],
    [{ kind: 'wrong-schema' } as const, '', ''],
    [{ kind: 'nonsense' } as const, '', ''],
    [{ kind: 'refuse' } as const, '', ''],
    [{ kind: 'disconnect' } as const, 'could not be reached', 'OPENAI_BASE_URL'],
  ])('tells %j with what to do, and nothing of the answer', async (fault, reason, advice) => {
    endpoint.faults.add(fault);
    const { model } = await probeModel(analyst(), clock, FORM)(limits);
    expect(model?.trouble?.reason).toContain(reason);
    expect(model?.trouble?.advice).toContain(advice);
    expect(JSON.stringify(model)).not.toContain('sk-canary');
  });

  it('does not wait longer than a person does', async () => {
    const asked: number[] = [];
    const slow = { ...analyst() };
    const model = {
      ...slow.model,
      ask: async (_request: never, { remainingMs }: { remainingMs: () => number }) =>
        Promise.reject(new Error(String(asked.push(remainingMs())))),
    };
    await expect(probeModel({ ...slow, model }, clock, FORM)(limits)).rejects.toThrow('1');
    expect(asked[0]).toBeLessThanOrEqual(60_000);
  });
});
