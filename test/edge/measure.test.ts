import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DetectOutcome } from '#lib/app/detect-window.ts';
import { measureDetection } from '#lib/edge/measure-detection.ts';
import { measureSweep } from '#lib/edge/measure-sweep.ts';
import { scheduled } from '#lib/edge/schedule.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import type { QueueName } from '#lib/flow.ts';
import { METRICS, PEAKS, SUMS } from '#lib/metrics.ts';
import { tellFinding } from '#lib/wiring/tell-finding.ts';
import { tellModelCall } from '#lib/wiring/tell-model-call.ts';
import { aLambdaContext, anSqsEvent } from '#test/support/builders/lambda.ts';

/** An entry of the embedded metric format, or the line of an invocation's figures. */
interface Written {
  readonly message?: string;
  readonly figures?: Readonly<Record<string, number>>;
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [name: string]: unknown;
}

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

const isObject = (line: string): boolean => line.startsWith('{');

const written = (): readonly Written[] => printed.filter(isObject).map((line) => JSON.parse(line) as Written);

/** Values of metrics; what is written has the right namespace, dimensions and units. */
function measuredMetrics(): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { _aws: meta, ...line } of written()) {
    for (const { Namespace, Dimensions, Metrics } of meta?.CloudWatchMetrics ?? []) {
      expect([Namespace, Dimensions]).toEqual(['Healer', [['service', 'stage']]]);
      for (const { Name, Unit } of Metrics) {
        expect(Unit, Name).toBe(METRICS[Name as keyof typeof METRICS]);
        values[Name] = line[Name];
      }
    }
  }
  return values;
}

/** Values of figures; an invocation writes one line of them at most, and nothing else in it. */
function measuredFigures(): Readonly<Record<string, number>> {
  const lines = written().filter(({ message }) => message === 'figures');
  expect(lines.length).toBeLessThanOrEqual(1);
  for (const line of lines) expect(Object.keys(line)).toEqual(['message', 'figures']);
  const figures = lines[0]?.figures ?? {};
  for (const name of Object.keys(figures)) expect({ ...SUMS, ...PEAKS }).toHaveProperty(name);
  return figures;
}

/** All that was measured. */
const measured = (): Readonly<Record<string, unknown>> => ({ ...measuredMetrics(), ...measuredFigures() });

async function workOn<R>(queue: QueueName, outcome: () => Promise<R>, observe?: (outcome: R) => void) {
  const body = queue === 'window' ? '{"source":"loki","namespace":"cto"}' : '{"incident":"incident-1"}';
  await sqsBatch(queue, outcome, observe)(anSqsEvent([body]), aLambdaContext());
  return measured();
}

describe('how a record ended', () => {
  it.each([
    ['evidence', { kind: 'done' }, { EvidenceDone: 1 }],
    ['evaluation', { kind: 'postponed', isAsked: false }, { EvaluationPostponed: 1 }],
    ['remediation', { kind: 'escalated' }, { RemediationEscalated: 1, IncidentsEscalated: 1 }],
    ['publication', { kind: 'done' }, { PublicationDone: 1 }],
    ['publication', { kind: 'postponed', isAsked: true }, { PublicationPostponed: 1 }],
    ['publication', { kind: 'postponed', isAsked: false }, { PublicationPostponed: 1, PublishFailures: 1 }],
    ['publication', { kind: 'escalated' }, { PublicationEscalated: 1, IncidentsEscalated: 1, PublishFailures: 1 }],
    ['window', { kind: 'postponed' }, { WindowPostponed: 1 }],
    ['publication', { kind: 'resting' }, {}],
    ['evidence', { kind: 'skipped' }, {}],
    ['evidence', undefined, {}],
  ] as const)('is counted for %s %j', async (queue, outcome, expected) => {
    expect(await workOn(queue, async () => outcome)).toEqual(expected);
  });

  it.each([
    ['publication', { PublicationFailed: 1, PublishFailures: 1 }],
    ['window', { WindowFailed: 1 }],
  ] as const)('is counted as a failure of %s when it comes again', async (queue, expected) => {
    expect(await workOn(queue, () => Promise.reject(new Error('it broke')))).toEqual(expected);
  });
});

describe('a look', () => {
  const done = { kind: 'done', lines: 40, findings: 2, fresh: 2 } as const;

  it('is measured by its lines, its findings and how late they are', async () => {
    const look = async (): Promise<DetectOutcome> => {
      for (const lagMs of [12_500, -3, 250_000]) tellFinding({ incident: 'incident-1', lagMs });
      return done;
    };
    expect(await workOn('window', look, measureDetection)).toEqual({
      WindowDone: 1,
      LinesRead: 40,
      FindingsStored: 3,
      FindingAge: 250,
      DetectionLag: 250,
    });
    const line = { message: 'finding stored', incident: 'incident-1', lag_ms: 12_500 };
    expect(printed.filter(isObject).map((text) => JSON.parse(text) as object)).toContainEqual(
      expect.objectContaining(line),
    );
  });

  it('that failed after it stored a finding still tells of it', async () => {
    const look = (): Promise<DetectOutcome> => {
      tellFinding({ incident: 'incident-1', lagMs: 1_000 });
      return Promise.reject(new Error('it broke'));
    };
    expect(await workOn('window', look, measureDetection)).toEqual({
      WindowFailed: 1,
      FindingsStored: 1,
      FindingAge: 1,
    });
  });

  it('that found nothing tells of nothing', async () => {
    const look = async (): Promise<DetectOutcome> => ({ ...done, lines: 0, fresh: 0 });
    expect(await workOn('window', look, measureDetection)).toEqual({ WindowDone: 1 });
  });
});

describe('a pass of the sweep', () => {
  const pass = { expired: 0, idle: 0, active: 3, namespaces: 2, resent: 0 };

  it('tells how well all is seen', async () => {
    const blind = { blindSessions: 1, blindSources: 2, unprovenMs: 61_500 };
    await scheduled(async () => ({ ...pass, resent: 4, ...blind }), measureSweep)({}, aLambdaContext());
    expect(measured()).toEqual({
      ActiveSessions: 3,
      BlindSessions: 1,
      BlindSources: 2,
      UnprovenLogs: 61.5,
      WorkResent: 4,
    });
  });

  it('writes no metric where all is seen', async () => {
    const seen = { blindSessions: 0, blindSources: 0, unprovenMs: 61_500 };
    await scheduled(async () => ({ ...pass, ...seen }), measureSweep)({}, aLambdaContext());
    expect(measuredMetrics()).toEqual({});
  });

  it('tells an alarm by metrics, and everything else by one line', async () => {
    const blind = { blindSessions: 0, blindSources: 2, unprovenMs: 61_500 };
    await scheduled(async () => ({ ...pass, ...blind }), measureSweep)({}, aLambdaContext());
    expect(measuredMetrics()).toEqual({ BlindSources: 2 });
    expect(printed).toContain(
      '{"message":"figures","figures":{"ActiveSessions":3,"BlindSessions":0,"UnprovenLogs":61.5}}\n',
    );
  });

  it('writes nothing while nothing is watched', async () => {
    const nothing = { ...pass, active: 0, namespaces: 0, blindSessions: 0, blindSources: 0, unprovenMs: 0 };
    await scheduled(async () => nothing, measureSweep)({}, aLambdaContext());
    expect(measured()).toEqual({});
  });
});

describe('a call of a model', () => {
  const call = {
    incident: 'incident-1',
    play: 'play-1',
    model: 'some-model',
    promptVersion: 'evaluation-1',
    inputHash: '0',
    outputHash: null,
    outcome: 'answered',
    tokens: 900,
    microUsd: 12_345,
    isReported: true,
    dayShare: 0.25,
  };

  it.each([
    [call, { ModelSpend: 0.012345, BudgetUsed: 25 }],
    [{ ...call, dayShare: null }, { ModelSpend: 0.012345 }],
    [
      { ...call, outcome: 'over budget', microUsd: 0, dayShare: 1 },
      { BudgetRefused: 1, BudgetUsed: 100 },
    ],
    [{ ...call, outcome: 'over budget', microUsd: 0, dayShare: null }, { BudgetRefused: 1 }],
  ])('is measured by its cost and the budget that is used: %#', async (one, expected) => {
    expect(await workOn('evaluation', async () => tellModelCall(one))).toEqual(expected);
  });
});
