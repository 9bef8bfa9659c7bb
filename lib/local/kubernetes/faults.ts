import type { Millis } from '#lib/domain/time.ts';

/**
 * What a request meets: `down` (the connection is reset), `unauthorized` (401), `busy` (429), `failing` (500), `expired`
 * (410 for a list that goes on), `html` (a proxy's page), `garbage` (200 and no JSON), `cut` (half of the right answer, then
 * the connection breaks), `slow` (the right answer, late), `redirect` (to a sign-in).
 */
export const KUBERNETES_FAULTS = [
  'down',
  'unauthorized',
  'busy',
  'failing',
  'expired',
  'html',
  'garbage',
  'cut',
  'slow',
  'redirect',
] as const;
export type KubernetesFault = (typeof KUBERNETES_FAULTS)[number];

export interface FaultOptions {
  /** Only requests of this resource (plural); absent hits all. */
  readonly resource?: string;
  /** How often; absent is until it is cleared. */
  readonly times?: number;
  /** Seconds of `Retry-After`, with `busy`. */
  readonly retryAfter?: number;
  /** Delay, with `slow`. */
  readonly ms?: Millis;
}

/** Switches of one server, to be turned while it runs. The one that was switched on last comes first. */
export interface KubernetesFaults {
  use(fault: KubernetesFault, options?: FaultOptions): void;
  clear(): void;
}

export interface MetFault extends FaultOptions {
  readonly fault: KubernetesFault;
}

export function createFaults(): KubernetesFaults & {
  next(request: { readonly resource: string; readonly isContinued: boolean }): MetFault | undefined;
} {
  let active: { met: MetFault; left: number }[] = [];
  return {
    use(fault, options = {}) {
      active.unshift({ met: { ...options, fault }, left: options.times ?? Number.POSITIVE_INFINITY });
    },
    clear() {
      active = [];
    },
    next({ resource, isContinued }) {
      const entry = active.find(
        ({ met, left }) =>
          left > 0 &&
          (met.resource === undefined || met.resource === resource) &&
          (met.fault !== 'expired' || isContinued),
      );
      if (entry !== undefined) entry.left -= 1;
      return entry?.met;
    },
  };
}
