export type * from './answers.ts';
export type { HealerOptions } from './call.ts';
export { createHealerClient, type HealerClient, startSessionOrWarn } from './client.ts';
export { HealerCallError } from './failure.ts';
export type * from './types.ts';
