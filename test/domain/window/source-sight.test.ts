import { describe, expect, it } from 'vitest';
import { toNanos } from '#lib/domain/time.ts';
import { toCoverageView } from '#lib/domain/window/coverage-view.ts';
import { type SightCursor, toSourceSight } from '#lib/domain/window/source-sight.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const ago = (seconds: number): number => NOW - seconds * 1000;

/** A cursor that is proven until so many seconds ago. */
const aCursor = (seconds: number, change: Partial<SightCursor> = {}): SightCursor => ({
  until: toNanos(ago(seconds)),
  ...change,
});

const failure = { reason: 'The cluster is away.', advice: 'Look at it.' };

describe('how well a namespace is seen', () => {
  it.each([
    ['read a minute ago', aCursor(60), [3600], { unprovenMs: 60_000, blindSessions: 0, isBlind: false }],
    ['three intervals behind', aCursor(180), [3600, 10], { unprovenMs: 180_000, blindSessions: 1, isBlind: true }],
    ['never read, and young', undefined, [100], { unprovenMs: 100_000, blindSessions: 0, isBlind: false }],
    ['never read', undefined, [100, 240], { unprovenMs: 240_000, blindSessions: 1, isBlind: true }],
    [
      'read, where the selector finds nothing',
      aCursor(60, { isAstray: true }),
      [3600, 100],
      { unprovenMs: 100_000 - 40_000, blindSessions: 1, isBlind: true },
    ],
    [
      'read, with a cluster that is away',
      aCursor(60, { cluster: { failure } }),
      [3600],
      { unprovenMs: 60_000, blindSessions: 0, isBlind: true },
    ],
    [
      'read, with a cluster that answers',
      aCursor(60, { cluster: { failure: null } }),
      [3600],
      { unprovenMs: 60_000, blindSessions: 0, isBlind: false },
    ],
    [
      'read, with a namespace that is left out of the cluster on purpose',
      aCursor(60, { cluster: { failure, isLeftOut: true } }),
      [3600],
      { unprovenMs: 60_000, blindSessions: 0, isBlind: false },
    ],
    ['read before its session began', aCursor(7200), [20], { unprovenMs: 20_000, blindSessions: 0, isBlind: false }],
    ['owed a read for ended sessions', aCursor(600), [], { unprovenMs: 600_000, blindSessions: 0, isBlind: true }],
    ['ahead of a clock that went back', aCursor(-5), [3600], { unprovenMs: 0, blindSessions: 0, isBlind: false }],
  ] as const)('%s', (_, cursor, starts, expected) => {
    expect(toSourceSight(cursor, starts.map(ago), NOW)).toEqual(expected);
  });

  it.each([0, 59, 179, 180, 181, 3600])(
    'calls a session blind when the API does, with logs proven until %i s ago',
    (seconds) => {
      const cursor = { until: toNanos(ago(seconds)), provenAt: ago(seconds), failure: null };
      for (const age of [30, 179, 180, 240, 7200]) {
        const startedAt = ago(age);
        const view = toCoverageView({
          startedAt,
          endedAt: null,
          now: NOW,
          cursor,
          hasStreams: true,
          gaps: [],
          lastLineAt: null,
        });
        const { blindSessions } = toSourceSight(cursor, [startedAt], NOW);
        expect(blindSessions === 1, `a session of ${age} s`).toBe(view.state === 'blind');
      }
    },
  );
});
