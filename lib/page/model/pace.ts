/** Milliseconds between two looks: short while something happens, longer while nothing does, longest while it fails. */
const SOON = 3_000;
const CALM = 15_000;
const FIRST_FAILURE = 2_000;
const LAST_FAILURE = 60_000;

/** How the looks before went. */
export interface Pace {
  /** Looks in a row that showed nothing that was not there before. */
  readonly unchanged: number;
  /** Looks in a row that failed. */
  readonly failures: number;
}

export const FRESH: Pace = { unchanged: 0, failures: 0 };

export const afterLook = (pace: Pace, hasChanged: boolean): Pace => ({
  unchanged: hasChanged ? 0 : pace.unchanged + 1,
  failures: 0,
});

export const afterFailure = (pace: Pace): Pace => ({ ...pace, failures: pace.failures + 1 });

/** The pause before the next look; what the answer asked for (`Retry-After`) is the least. */
export function toPause({ unchanged, failures }: Pace, retryAfterMs = 0): number {
  const usual = Math.min(CALM, SOON * 1.5 ** unchanged);
  const failing = Math.min(LAST_FAILURE, FIRST_FAILURE * 2 ** (failures - 1));
  return Math.max(retryAfterMs, failures > 0 ? failing : usual);
}
