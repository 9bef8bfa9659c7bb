import type { TemplateObject } from '../intrinsics.ts';
import type { Resource } from '../template.ts';

/** Takes one request; false when it is one too many. */
export type Throttle = () => boolean;

/**
 * The throttling of a stage's default route settings: a bucket of `ThrottlingBurstLimit` requests that fills again by
 * `ThrottlingRateLimit` a second. A stage without them takes all.
 *
 * @param now the stack's clock, in milliseconds.
 */
export function createThrottle(stage: Resource | undefined, now: () => number): Throttle {
  const settings = (stage?.properties['DefaultRouteSettings'] ?? {}) as TemplateObject;
  const [burst, rate] = [Number(settings['ThrottlingBurstLimit']), Number(settings['ThrottlingRateLimit'])];
  if (!(burst > 0 && rate > 0)) return () => true;
  let tokens = burst;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) * rate) / 1000);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
