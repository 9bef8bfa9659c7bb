import type { Millis } from '#lib/domain/time.ts';

/**
 * What a query meets: `down` (the connection is reset), `busy` (429), `unavailable` (503), `html` (a proxy's page with
 * status 200), `truncated` (half of the right answer, ended properly).
 */
export const LOKI_FAULTS = ['down', 'busy', 'unavailable', 'html', 'truncated'] as const;
export type LokiFault = (typeof LOKI_FAULTS)[number];

/** Switches of one server, to be turned while it runs. */
export interface LokiFaults {
  /** After `after` requests each one meets the fault, or the next `times` do. `retryAfter` in seconds goes with `busy`. */
  use(fault: LokiFault, options?: { after?: number; times?: number; retryAfter?: number }): void;
  /** Lines pushed from here on show this long after their push, by the clock. 0 shows them at once. */
  delayLines(ms: Millis): void;
  clear(): void;
}

export interface FaultState extends LokiFaults {
  /** The fault that this request meets; counts it. */
  next(): { fault: LokiFault; retryAfter: number | undefined } | undefined;
  lateMs(): Millis;
}

export function createFaults(): FaultState {
  let active: { fault: LokiFault; after: number; left: number; retryAfter: number | undefined } | undefined;
  let late = 0;
  return {
    use(fault, { after = 0, times = Number.POSITIVE_INFINITY, retryAfter } = {}) {
      active = { fault, after, left: times, retryAfter };
    },
    delayLines(ms) {
      late = ms;
    },
    clear() {
      active = undefined;
      late = 0;
    },
    next() {
      const met = active;
      if (met && met.after > 0) {
        met.after -= 1;
        return undefined;
      }
      if (met && --met.left <= 0) active = undefined;
      return met;
    },
    lateMs: () => late,
  };
}
