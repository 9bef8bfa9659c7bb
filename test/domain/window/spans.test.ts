import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Window } from '#lib/domain/time.ts';
import { bisect, mergeWindows, spanFor, spanOf } from '#lib/domain/window/spans.ts';

const window = fc
  .tuple(fc.bigInt({ min: 0n, max: 60n }), fc.bigInt({ min: 0n, max: 20n }))
  .map(([since, span]): Window => ({ since, until: since + span }));

const pointsOf = (windows: readonly Window[]): bigint[] => {
  const points = new Set<bigint>();
  for (const { since, until } of windows) for (let ns = since; ns < until; ns += 1n) points.add(ns);
  return [...points].sort((a, b) => Number(a - b));
};

describe('bisect', () => {
  it('gives two parts that are not empty, touch, and begin and end as the whole', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 19n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (since, more, grain) => {
          const whole = { since, until: since + 2n * grain + more };
          const [first, second] = bisect(whole, grain);
          expect([first.since, first.until, second.until]).toEqual([whole.since, second.since, whole.until]);
          expect(spanOf(first) > 0n && spanOf(first) <= spanOf(second)).toBe(true);
          expect(spanOf(first) % grain).toBe(0n);
        },
      ),
    );
  });

  it.each([0n, 1n])('refuses a window of %s ns', (span) => {
    expect(() => bisect({ since: 5n, until: 5n + span })).toThrow(RangeError);
  });
});

describe('mergeWindows', () => {
  it('covers the same moments with windows in order that neither touch nor overlap', () => {
    fc.assert(
      fc.property(fc.array(window, { maxLength: 8 }), (windows) => {
        const merged = mergeWindows(windows);
        expect(pointsOf(merged)).toEqual(pointsOf(windows));
        merged.slice(1).forEach(({ since }, index) => expect(since).toBeGreaterThan(merged[index]?.until ?? 0n));
        expect(merged.every((one) => spanOf(one) > 0n)).toBe(true);
      }),
    );
  });
});

describe('spanFor', () => {
  it.each([
    ['the density holds', 2500, 5000, 60_000n, 30_000n],
    ['nothing was seen', 2500, 0, 60n, 150_000n],
    ['all stood at one moment', 2500, 5000, 0n, 1n],
    ['less than one is wanted', 0.2, 4, 8n, 2n],
  ])('%s', (_case, wanted, found, span, expected) => {
    expect(spanFor(wanted, found, span)).toBe(expected);
  });
});
