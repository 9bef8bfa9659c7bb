import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NANOS_PER_SECOND } from '#lib/domain/time.ts';
import {
  cursorOrigin,
  LEAD_IN_NS,
  lookGapMs,
  looksAfterNewcomer,
  OVERLAP_NS,
  planRead,
  START_MARGIN_NS,
} from '#lib/domain/window/plan.ts';

const s = (seconds: number): bigint => BigInt(seconds) * NANOS_PER_SECOND;
const play = (playId: string, startSeconds: number) => ({ playId, startNs: s(startSeconds) });

describe('planRead', () => {
  it('reads nothing when no play is watched', () => {
    expect(planRead({ until: s(1000), plays: [] }, [], s(2000))).toBeUndefined();
  });

  it('re-reads the overlap before the cursor, and tells nothing of its lead-in', () => {
    const plan = planRead({ until: s(10_000), plays: ['a'] }, [play('a', 1000)], s(10_060));
    expect(plan?.window).toEqual({ since: s(10_000) - OVERLAP_NS - LEAD_IN_NS, until: s(10_060) });
    expect(plan?.emitFrom).toBe(s(10_000) - OVERLAP_NS);
  });

  it('reads a play that joins late from its own start, and tells all of it', () => {
    const plan = planRead({ until: s(10_000), plays: ['a'] }, [play('a', 1000), play('b', 9000)], s(10_060));
    expect(plan?.emitFrom).toBe(s(9000) - START_MARGIN_NS);
    expect(plan?.window.since).toBe(s(9000) - START_MARGIN_NS - LEAD_IN_NS);
  });

  it('keeps the lead-in untold also when a play joins: what stands there was told before', () => {
    const plan = planRead({ until: s(10_000), plays: ['a'] }, [play('a', 1000), play('b', 10_050)], s(10_060));
    expect(plan?.window.since).toBe(s(10_000) - OVERLAP_NS - LEAD_IN_NS);
    expect(plan?.emitFrom).toBe(s(10_000) - OVERLAP_NS);
  });

  it('does not read the time in which nothing ran', () => {
    const plan = planRead({ until: s(1000), plays: [] }, [play('b', 90_000)], s(90_010));
    expect(plan?.window.since).toBe(s(90_000) - START_MARGIN_NS);
  });

  it('covers every watched play from its start to now, whatever the cursor says', () => {
    const plays = fc.uniqueArray(
      fc.record({ playId: fc.string({ minLength: 1 }), start: fc.integer({ min: 1000, max: 100_000 }) }),
      { minLength: 1, maxLength: 6, selector: (one) => one.playId },
    );
    const history = fc.record({
      plays,
      cursor: fc.integer({ min: 1000, max: 100_000 }),
      now: fc.integer({ min: 100_001, max: 200_000 }),
    });
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.boolean()), ({ plays: all, cursor, now }, coin) => {
        const watched = all.map((one) => play(one.playId, one.start));
        const known = watched.filter(() => coin.next().value === true).map((one) => one.playId);
        const plan = planRead({ until: s(cursor), plays: known }, watched, s(now));
        if (plan === undefined) throw new Error('something must be read');
        expect(plan.window.until).toBe(s(now));
        for (const one of watched) {
          const unread = known.includes(one.playId) && one.startNs < s(cursor) ? s(cursor) : one.startNs;
          expect(plan.window.since <= unread).toBe(true);
          expect(plan.emitFrom <= unread).toBe(true);
        }
      }),
    );
  });
});

describe('looksAfterNewcomer', () => {
  it.each([
    [1, [10, 20, 35, 55, 80]],
    [40, [10, 20, 35, 55, 80]],
    [100, [20, 55, 80]],
    [150, [35, 80]],
    [151, []],
    [10_000, []],
  ])('with %i plays in the namespace: %j seconds', (plays, seconds) => {
    expect(looksAfterNewcomer(plays)).toEqual(seconds);
  });

  it('asks for no look that the gap would keep from reading', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5000 }), (plays) => {
        const looks = looksAfterNewcomer(plays);
        for (const [at, after] of looks.entries())
          expect((after - (looks[at - 1] ?? 0)) * 1000).toBeGreaterThanOrEqual(lookGapMs(plays));
      }),
    );
  });
});

describe('cursorOrigin', () => {
  it('begins before the first play, since its pods may speak before it is announced', () => {
    expect(cursorOrigin([play('b', 500), play('a', 400)], s(1000))).toBe(s(400) - START_MARGIN_NS);
  });
});
