import type { Millis } from '#lib/domain/time.ts';
import type { LokiPost, LokiTime } from './http-client.ts';
import { LokiRefusal } from './refusal.ts';

/** 5 s, doubled up to 2 min: Loki's queue needs time to drain. */
const BUSY_MS = 5000;
const MAX_BUSY_MS = 120_000;
const FAILING_MS = 250;
const MAX_FAILURES = 3;

/** Waits out 429 as long as the deadline allows. @throws the refusal when waiting would pass the deadline. */
export function withPatience(post: LokiPost, time: LokiTime): LokiPost {
  return async (path, form, deadline) => {
    for (let turn = 0; ; turn += 1) {
      try {
        return await post(path, form, deadline);
      } catch (error) {
        if (!(error instanceof LokiRefusal) || error.kind !== 'busy') throw error;
        // The clock's milliseconds spread readers that were refused together.
        const spread = 1 + (time.clock.now() % 1000) / 4000;
        await pause(error, Math.round(Math.min(MAX_BUSY_MS, BUSY_MS * 2 ** turn * spread)), time, deadline);
      }
    }
  };
}

/** Repeats a request that failed in passing. A read does not use it: it repeats with shorter windows. */
export function withRetries(post: LokiPost, time: LokiTime): LokiPost {
  return async (path, form, deadline) => {
    for (let turn = 1; ; turn += 1) {
      try {
        return await post(path, form, deadline);
      } catch (error) {
        if (!(error instanceof LokiRefusal) || error.kind !== 'failing' || turn > MAX_FAILURES) throw error;
        await pauseAfter(error, turn, time, deadline);
      }
    }
  };
}

/** Waits before the next try: half a second at first, doubled each time. @throws the refusal, see {@link withPatience}. */
export const pauseAfter = (refusal: LokiRefusal, turn: number, time: LokiTime, deadline: Millis): Promise<void> =>
  pause(refusal, FAILING_MS * 2 ** turn, time, deadline);

/** Loki's own wish comes first; no wait may pass the deadline or be longer than the longest pause. */
async function pause(refusal: LokiRefusal, ms: Millis, time: LokiTime, deadline: Millis): Promise<void> {
  const wait = refusal.retryAfterMs ?? ms;
  const isTooLong = time.longestPauseMs !== undefined && wait > time.longestPauseMs;
  if (isTooLong || time.clock.now() + wait >= deadline) throw refusal;
  await time.sleep(wait);
}
