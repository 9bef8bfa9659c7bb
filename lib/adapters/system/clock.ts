import type { Clock } from '#lib/app/ports.ts';

/** The machine's clock. Apart from `lib/local`, only this file asks for the time. */
export const systemClock: Clock = { now: () => Date.now() };
