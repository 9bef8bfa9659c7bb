import { describe, expect, it } from 'vitest';
import type { InterruptibleCall } from '#lib/local/aws/interruptions.ts';
import {
  distinctEffects,
  type Effect,
  effectOf,
  effectsBeyond,
  watchEffects,
  watchFinder,
} from '../../scripts/prove-outages/effects.ts';
import { failedJob, type Row } from '../../scripts/prove-outages/job.ts';
import { cleanRuns, killRuns, outageRuns, PEERS } from '../../scripts/prove-outages/runs.ts';
import { isRight, toSummary, toTable } from '../../scripts/prove-outages/table.ts';

const aCall = (of: Partial<InterruptibleCall>, body: object): InterruptibleCall => ({
  function: 'detect',
  worker: 'w1',
  action: 'PutItem',
  body: JSON.stringify(body),
  ...of,
});

describe('an effect', () => {
  it.each<[string, Partial<InterruptibleCall>, object]>([
    [
      'PutItem incidents history',
      {},
      { TableName: 'healer-dev-incidents', Item: { pk: { S: 'incident#1' }, sk: { S: 'history#00000002' } } },
    ],
    [
      'UpdateItem windows cursor',
      { action: 'UpdateItem' },
      { TableName: 'healer-dev-windows', Key: { pk: { S: 'loki#cto' }, sk: { S: 'cursor' } } },
    ],
    [
      'BatchWriteItem windows pod',
      { action: 'BatchWriteItem' },
      { RequestItems: { 'healer-dev-windows': [{ PutRequest: { Item: { sk: { S: 'pod#play#x' } } } }] } },
    ],
    [
      'SendMessage evidence',
      { action: 'SendMessage' },
      { QueueUrl: 'http://127.0.0.1/000000000000/healer-dev-evidence', MessageBody: '{"incident":"1"}' },
    ],
  ])('is called %s', (label, of, body) => {
    expect(effectOf(aCall(of, body))).toMatchObject({ function: 'detect', worker: 'w1', label });
  });

  it.each<[string, Partial<InterruptibleCall>]>([
    ['a read', { action: 'GetItem' }],
    ['a write outside of the chain', { function: 'session-write' }],
  ])('is not %s', (_case, of) => {
    expect(effectOf(aCall(of, { TableName: 'healer-dev-incidents', Key: {} }))).toBeUndefined();
  });
});

describe('the watch over effects', () => {
  const seen = (label: string, text: string, worker?: string) => ({ function: 'publish', label, text, worker });

  it('kills at one effect, once', () => {
    const kill = { function: 'publish', label: 'POST issues', nth: 2, when: 'after' } as const;
    const watch = watchEffects(['/repos/acme/a/'], kill);
    const deaths = ['POST issues', 'POST pulls', 'POST issues', 'POST issues'].map((label) =>
      watch.see(seen(label, '')),
    );
    expect(deaths).toEqual([undefined, undefined, 'after', undefined]);
    expect(watch.hasKilled()).toBe(true);
    expect(watch.effects.map(({ nth }) => nth)).toEqual([1, 1, 2, 3]);
  });

  it('is found by what the effect says, else by what its worker did last', () => {
    const [a, b] = [watchEffects(['incident-a'], undefined), watchEffects(['incident-b'], undefined)];
    const find = watchFinder([a, b]);
    const names = new Map([
      [a, 'a'],
      [b, 'b'],
    ]);
    const found = (text: string, worker?: string) => names.get(find({ text, worker }) as typeof a);
    const steps = [
      found('no word', 'w1'),
      found('incident-a', 'w1'),
      found('no word', 'w1'),
      found('incident-b', 'w1'),
      found('no word', 'w1'),
      found('no word', 'w2'),
      found('incident-a'),
      found('no word'),
    ];
    expect(steps).toEqual([undefined, 'a', 'a', 'b', 'b', undefined, 'a', undefined]);
  });

  it('knows the worker that had the latest effect', () => {
    const watch = watchEffects(['incident-a'], undefined);
    for (const worker of ['w1', 'w2', undefined]) watch.see(seen('PutItem', 'incident-a', worker));
    expect(watch.workerOf('publish')).toBe('w2');
  });
});

describe('the choice of effects', () => {
  const times = (label: string, count: number): readonly Effect[] =>
    Array.from({ length: count }, (_, i) => ({ function: 'detect', label, nth: i + 1 }));

  const names = (effects: readonly Effect[]) => effects.map(({ label, nth }) => `${label}${nth}`);

  it('takes the first two of what is alike and a late one that comes in any case', () => {
    const chosen = distinctEffects([...times('a', 1), ...times('b', 4), ...times('c', 40), ...times('d', 2)]);
    expect(names(chosen)).toEqual(['a1', 'b1', 'b2', 'b4', 'c1', 'c2', 'c21', 'd1', 'd2']);
  });

  it('takes from a longer story the first of each kind that the shorter one lacks and a late one', () => {
    const looks = [...times('PutItem windows coverage', 9), ...times('UpdateItem incidents minute', 9)];
    const chosen = effectsBeyond(times('a', 2), [...times('a', 5), ...looks, ...times('b', 1), ...times('c', 10)]);
    expect(names(chosen)).toEqual(['a3', 'a5', 'b1', 'c1', 'c6']);
  });
});

describe('the runs', () => {
  it('have a name and a place of their own', () => {
    const effects = [
      { function: 'publish', label: 'POST git/refs', nth: 1 },
      { function: 'publish', label: 'POST git/refs', nth: 11 },
    ];
    const runs = [...cleanRuns(), ...PEERS.flatMap(outageRuns), ...killRuns(effects, false)];
    for (const of of [runs.map(({ name }) => name), runs.map(({ place }) => place.playId)]) {
      expect(new Set(of).size).toBe(runs.length);
    }
    // The pods of a play are known by the beginning of their names.
    const ids = runs.map(({ place }) => place.playId);
    expect(ids.filter((id) => ids.some((other) => other !== id && other.startsWith(`${id}-`)))).toEqual([]);
  });

  it('meet each peer in seven ways, in two reaches', () => {
    expect(PEERS.map((peer) => outageRuns(peer).length)).toEqual([14, 14, 14]);
  });
});

describe('the table', () => {
  const COUNTS = {
    issues: 1,
    closed: 0,
    incidents: 1,
    occurrences: 1,
    comments: 0,
    branches: 1,
    commits: 1,
    pulls: 1,
  };
  const right: Row = { name: 'loki down', counts: COUNTS, lost: [], twice: [], history: [], fingerprints: [] };
  const lost: Row = {
    ...right,
    name: 'loki cut',
    counts: { ...COUNTS, issues: 0 },
    lost: ['0 issues instead of 1'],
    history: ['2026-11-30T12:00:00 publication: told'],
  };
  const failed: Row = { name: 'github down', failure: 'no end' };

  it('shows what each run left, and what is wrong with it', () => {
    expect(toTable([right, lost, failed], true)).toEqual([
      '    run          issues  closed  incidents  occurrences  comments  branches  commits  pulls',
      'ok  loki down         1       0          1            1         0         1        1      1',
      'NOT loki cut          0       0          1            1         0         1        1      1',
      '      lost: 0 issues instead of 1',
      '        2026-11-30T12:00:00 publication: told',
      'NOT github down       -       -          -            -         -         -        -      -',
      '      not finished: no end',
    ]);
  });

  it.each<[string, readonly Row[], boolean]>([
    ['2 runs, lost 0, twice 0', [right, { ...right, hasKilled: true }], true],
    ['2 runs, lost 1, twice 0', [right, lost], false],
    ['1 runs, lost 0, twice 1', [{ ...right, twice: ['2 issues instead of 1'] }], false],
    ['1 runs, lost 0, twice 0, never killed 1', [{ ...right, hasKilled: false }], false],
    ['2 runs, lost 0, twice 0, not finished 1', [right, failed], false],
  ])('ends with %s', (summary, rows, isProved) => {
    expect([toSummary(rows), rows.every(isRight)]).toEqual([summary, isProved]);
  });

  it('has a row for each run of a job that failed', () => {
    const part = { kind: 'outages', peer: 'loki' } as const;
    const { rows } = failedJob({ name: 'loki out', directory: '', fingerprints: [], part }, 'no end');
    expect(rows).toHaveLength(14);
    expect(rows.map((row) => 'failure' in row && row.failure)).toEqual(rows.map(() => 'no end'));
  });
});
