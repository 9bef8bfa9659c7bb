import { describe, expect, it } from 'vitest';
import { choosePulls, type ForgePull, mentionedPulls, type PlayTraces } from '#lib/domain/evidence/forge.ts';
import { toForgePieces } from '#lib/domain/evidence/forge-pieces.ts';

const START = Date.parse('2026-11-30T12:00:00Z');

const aPull = (change: Partial<ForgePull> = {}): ForgePull => ({
  number: 1,
  title: 'Add the cart',
  author: 'acme-rex[bot]',
  state: 'open',
  branch: 'agent/task-7',
  head: '0123456789abcdef0123456789abcdef01234567',
  createdAt: START + 60_000,
  updatedAt: START + 120_000,
  ...change,
});

const TRACES: PlayTraces = {
  playId: 'play-7f3a',
  logins: ['acme-rex'],
  agents: ['rex'],
  taskIds: ['7'],
  mentioned: [],
  startedAt: START,
  until: START + 3_600_000,
};

describe('choosePulls', () => {
  it.each<[string, Partial<ForgePull>, Partial<PlayTraces>, boolean]>([
    ['written by an App of the play while it ran', {}, {}, true],
    ['by somebody else, on a branch of another name', { author: 'ann', branch: 'fix-typo' }, {}, false],
    ['by somebody else, of the same agent and task', { author: 'ann', branch: 'rex/task-7' }, {}, true],
    ['of another task that merely holds the number', { author: 'ann', branch: 'rex/task-77' }, {}, false],
    ['named by the logs, however old', { updatedAt: 0, createdAt: 0, author: 'ann' }, { mentioned: [1] }, true],
    ['on a branch of the play', { author: 'ann', branch: 'feature/play-7f3a/x' }, {}, true],
    ['of the same App, long before the play', { createdAt: START - 9e6, updatedAt: START - 8e6 }, {}, false],
    ['opened after the failure was gathered', { createdAt: START + 9e6, updatedAt: START + 9e6 }, {}, false],
    ['of Healer itself', { branch: 'healer/v1-3f9c' }, { mentioned: [1] }, false],
  ])('a pull request %s', (_, pull, traces, isChosen) => {
    expect(choosePulls([aPull(pull)], { ...TRACES, ...traces })).toHaveLength(isChosen ? 1 : 0);
  });

  it('takes three at most, those of the logs first', () => {
    const pulls = [1, 2, 3, 4, 5].map((number) => aPull({ number, updatedAt: START + number }));
    expect(choosePulls(pulls, { ...TRACES, mentioned: [2] }).map(({ number }) => number)).toEqual([2, 5, 4]);
  });
});

describe('mentionedPulls', () => {
  it('reads numbers from links to this repository only', () => {
    const lines = [
      'opened https://github.com/Acme/shop/pull/12',
      'see https://github.com/acme/shopping/pull/13 and acme/other/pull/14',
      'GET /repos/acme/shop/pulls/15 200',
    ];
    expect(mentionedPulls(lines, 'acme/shop')).toEqual([12, 15]);
    expect(mentionedPulls(['axb/shop/pull/1'], 'a.b/shop')).toEqual([]);
  });
});

describe('toForgePieces', () => {
  it('tells the pull request, then what is red, then what is near', () => {
    const note = { kind: 'check run', author: 'ci', name: 'lint', state: 'success', at: START, text: '' } as const;
    const notes = [
      note,
      { ...note, kind: 'comment', name: '', state: '', author: 'ann', at: START + 999_000, text: 'hm' } as const,
      { ...note, name: 'test', state: 'failure', at: START + 500_000, text: 'one failed' },
    ];
    const pieces = toForgePieces([{ pull: aPull(), notes }], START);
    expect(pieces.map(({ text, at }) => [at, text])).toEqual([
      [
        '2026-11-30T12:02:00.000Z',
        'pull request #1 "Add the cart" by acme-rex[bot], open, branch agent/task-7 at 0123456',
      ],
      ['2026-11-30T12:08:20.000Z', 'check run test of pull request #1 at 0123456 by ci, failure: one failed'],
      ['2026-11-30T12:00:00.000Z', 'check run lint of pull request #1 at 0123456 by ci, success'],
      ['2026-11-30T12:16:39.000Z', 'comment on pull request #1 by ann: hm'],
    ]);
  });
});
