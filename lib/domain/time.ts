/** A moment in nanoseconds since the epoch. Loki's own unit; never a `number`, which is exact only up to 2^53. */
export type Nanos = bigint;

/** A moment in milliseconds since the epoch, as a clock tells it. */
export type Millis = number;

export const NANOS_PER_MS = 1_000_000n;
export const NANOS_PER_SECOND = 1_000_000_000n;
export const MILLIS_PER_HOUR = 3_600_000;
export const MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;

/** Half-open interval `[since, until)` in nanoseconds. Build it with {@link toWindow}. */
export interface Window {
  readonly since: Nanos;
  readonly until: Nanos;
}

/** @throws RangeError when `until` lies before `since`. An empty window (`since = until`) is legal. */
export function toWindow(since: Nanos, until: Nanos): Window {
  if (until < since) throw new RangeError(`window ends (${until}) before it begins (${since})`);
  return { since, until };
}

export const toNanos = (ms: Millis): Nanos => BigInt(Math.trunc(ms)) * NANOS_PER_MS;

/** Rounds down to the millisecond. */
export const toMillis = (ns: Nanos): Millis => Number(ns / NANOS_PER_MS);

/** RFC 3339 in UTC with milliseconds, the form of every moment that a person or a wire sees. */
export const toIso = (ms: Millis): string => new Date(ms).toISOString();
