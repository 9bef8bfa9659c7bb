import type { Millis } from '../time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A stage that was asked for work has this long before the sweep asks again: its message may be on the way. */
export const RESEND_AFTER_MS = 2 * MINUTE;

/**
 * How long a worker holds an incident. Longer than the longest timeout of a worker (300 s), so that a second one never
 * starts while a call of the first may still land.
 */
export const LEASE_MS = 6 * MINUTE;

/** Tries of one stage before an incident is handed to a person. About a day with the back-off below. */
export const MAX_ATTEMPTS = 30;

const BACK_OFF_FIRST_MS = 30 * SECOND;
const BACK_OFF_MOST_MS = 60 * MINUTE;

/** Pause before try `attempt + 1`: 30 s, doubling up to an hour, or what the other side asked for if that is longer. */
export const backOff = (attempt: number, askedMs = 0): Millis =>
  Math.max(askedMs, Math.min(BACK_OFF_MOST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(attempt, 12)));

/** An open issue is brought up to date at most this often, however many findings arrive. */
export const UPDATE_AFTER_MS = 5 * MINUTE;
