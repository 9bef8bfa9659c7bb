import type { Nanos, Window } from '../time.ts';

/** Length of a window in nanoseconds. */
export const spanOf = ({ since, until }: Window): Nanos => until - since;

/**
 * Both halves, cut at a multiple of `grain` nanoseconds from the start; the first is never the longer one.
 * @throws RangeError for a window shorter than two grains.
 */
export function bisect(window: Window, grain: Nanos = 1n): readonly [Window, Window] {
  if (spanOf(window) < 2n * grain) throw new RangeError(`a window of ${spanOf(window)} ns cannot be divided`);
  const middle = window.since + (spanOf(window) / 2n / grain) * grain;
  return [
    { since: window.since, until: middle },
    { since: middle, until: window.until },
  ];
}

/** The union as windows in order of time that neither touch nor overlap; empty windows vanish. */
export function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  const byStart = windows.filter((window) => spanOf(window) > 0n).sort((a, b) => (a.since < b.since ? -1 : 1));
  for (const window of byStart) {
    const last = merged.at(-1);
    if (!last || window.since > last.until) merged.push(window);
    else if (window.until > last.until) merged[merged.length - 1] = { since: last.since, until: window.until };
  }
  return merged;
}

/** Length of a window that should hold `wanted` entries, when `found` of them were seen in `span`. At least 1 ns. */
export function spanFor(wanted: number, found: number, span: Nanos): Nanos {
  const length = (span * BigInt(Math.max(1, Math.floor(wanted)))) / BigInt(Math.max(1, found));
  return length > 1n ? length : 1n;
}
