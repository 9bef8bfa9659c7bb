import type { LokiTime } from '#lib/adapters/loki/http-client.ts';

/** Time that passes only while somebody waits; `waits` lists the waits in milliseconds. */
export function virtualTime(): LokiTime & { readonly waits: number[] } {
  // 500 ms into a second: the spread of waits is visible and fixed.
  let now = 1_800_000_000_500;
  const waits: number[] = [];
  return {
    clock: { now: () => now },
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    waits,
  };
}
