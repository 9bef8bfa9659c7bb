import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { measureSweep } from '#lib/edge/measure-sweep.ts';
import { scheduled } from '#lib/edge/schedule.ts';
import { aLambdaContext } from '#test/support/builders/lambda.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

const told = (text: string): readonly string[] => printed.filter((line) => line.includes(text));
const figures = (): readonly unknown[] => told('"message":"figures"').map((line) => JSON.parse(line));

const watched = { namespaces: 1, expired: 0, idle: 0, resent: 2, blindSources: 1 };
const PASSES = [
  { ...watched, active: 3, blindSessions: 1, unprovenMs: 61_500 },
  { ...watched, active: 2, blindSessions: 2, unprovenMs: 1_500 },
];
const FOLDED = {
  message: 'figures',
  figures: { WorkResent: 4, ActiveSessions: 3, BlindSessions: 2, UnprovenLogs: 61.5 },
};

describe('the figures of one invocation', () => {
  it('are added, and of a state the greatest is told', async () => {
    await scheduled(async () => PASSES.forEach(measureSweep))({}, aLambdaContext());
    expect(figures()).toEqual([FOLDED]);
  });

  it('are told when it fails, and not again by the next one', async () => {
    const failing = scheduled(async () => {
      PASSES.forEach(measureSweep);
      throw new Error('it broke');
    });
    await expect(failing({}, aLambdaContext())).rejects.toThrow('it broke');
    expect(figures()).toEqual([FOLDED]);
    printed = [];
    await scheduled(async () => {})({}, aLambdaContext());
    expect(figures()).toEqual([]);
  });
});

describe('in a function whose environment', () => {
  async function sweepWith(environment: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.resetModules();
    const edge = await import('#lib/edge/schedule.ts');
    const sweep = await import('#lib/edge/measure-sweep.ts');
    await edge.scheduled(async () => PASSES.forEach(sweep.measureSweep))({}, aLambdaContext());
  }

  it('lets errors alone be logged, metrics and figures are told all the same', async () => {
    await sweepWith({ LOG_LEVEL: 'ERROR' });
    expect([told('pass finished').length, told('"_aws"').length]).toEqual([0, 1]);
    expect(figures()).toEqual([FOLDED]);
  });

  it('turns metrics off, neither metrics nor figures are', async () => {
    await sweepWith({ POWERTOOLS_METRICS_DISABLED: 'true' });
    expect([told('pass finished').length, told('"_aws"').length]).toEqual([1, 0]);
    expect(figures()).toEqual([]);
  });
});
