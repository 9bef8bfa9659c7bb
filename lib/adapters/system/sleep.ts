import { setTimeout as wait } from 'node:timers/promises';
import type { Millis } from '#lib/domain/time.ts';

/** Waits by the machine's monotonic timer. */
export const systemSleep = async (ms: Millis): Promise<void> => {
  await wait(ms);
};
