import { describe, expect, it } from 'vitest';
import { toNanos } from '#lib/domain/time.ts';
import { BLIND_AFTER_MS, type CoverageFacts, toCoverageView } from '#lib/domain/window/coverage-view.ts';

const START = Date.parse('2026-01-01T10:00:00Z');
const MINUTE = 60_000;

const someFacts = (minutes: number, facts: Partial<CoverageFacts> = {}): CoverageFacts => ({
  startedAt: START,
  endedAt: null,
  now: START + minutes * MINUTE,
  cursor: { until: toNanos(START + minutes * MINUTE), provenAt: START + minutes * MINUTE, failure: null },
  hasStreams: true,
  gaps: [],
  lastLineAt: START + minutes * MINUTE - 1000,
  ...facts,
});

const failure = { at: START, reason: 'Loki answered 503.', advice: 'Look at Loki.' };
const cursorAt = (ms: number) => ({ until: toNanos(ms), provenAt: ms, failure });

describe('toCoverageView', () => {
  it.each([
    ['lines and proven windows', someFacts(10), 'proven'],
    ['no line of the play for a while', someFacts(10, { lastLineAt: START + MINUTE }), 'quiet'],
    ['no line of the play at all', someFacts(10, { lastLineAt: null }), 'quiet'],
    ['no line yet, just started', someFacts(1, { lastLineAt: null }), 'pending'],
    ['nothing read yet, just started', someFacts(1, { cursor: null, lastLineAt: null }), 'pending'],
    ['nothing read for three intervals', someFacts(5, { cursor: null, lastLineAt: null }), 'blind'],
    [
      'the cursor stands for less than three intervals',
      someFacts(10, { cursor: cursorAt(START + 7.5 * MINUTE) }),
      'proven',
    ],
    ['the cursor stands for three intervals', someFacts(10, { cursor: cursorAt(START + 7 * MINUTE) }), 'blind'],
    ['the selector matches no stream', someFacts(10, { hasStreams: false, lastLineAt: null }), 'blind'],
    [
      'ended, read to the end',
      someFacts(60, { endedAt: START + 10 * MINUTE, lastLineAt: START + 9 * MINUTE }),
      'proven',
    ],
    [
      'ended shortly after the source went away',
      someFacts(5, { endedAt: START + 2 * MINUTE, cursor: cursorAt(START + MINUTE), lastLineAt: null }),
      'blind',
    ],
    [
      'ended before it was read',
      someFacts(60, { endedAt: START + 10 * MINUTE, cursor: cursorAt(START + 5 * MINUTE) }),
      'blind',
    ],
  ] as const)('%s: %#', (_name, facts, state) => {
    expect(toCoverageView(facts).state).toBe(state);
  });

  it('says why it is blind, and what to do', () => {
    const view = toCoverageView(someFacts(30, { cursor: cursorAt(START + 30 * MINUTE - BLIND_AFTER_MS) }));
    expect(view).toMatchObject({ state: 'blind', reason: failure.reason, advice: failure.advice });
  });

  it('shows gaps as moments that a person can read', () => {
    const window = { since: toNanos(START), until: toNanos(START + 1000) };
    const view = toCoverageView(someFacts(5, { gaps: [{ window, reason: 'one full nanosecond' }] }));
    expect(view.gaps).toEqual([
      { from: '2026-01-01T10:00:00.000Z', until: '2026-01-01T10:00:01.000Z', reason: 'one full nanosecond' },
    ]);
  });
});
