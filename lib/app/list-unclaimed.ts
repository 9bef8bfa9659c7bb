import { type AttributionConfig, isExcludedName } from '#lib/domain/detection/attribution.ts';
import type { SeenPod, UnclaimedPods } from './ports.ts';

/** Names that are kept of one look. */
const NAMED = 20;

/**
 * Pods that spoke and belong to no session, apart from those that are excluded on purpose.
 * @param spoke lines per pod
 * @param claimed pods of the namespace's sessions
 */
export function listUnclaimed(
  spoke: ReadonlyMap<string, number>,
  claimed: readonly SeenPod[],
  config: AttributionConfig,
): UnclaimedPods {
  const known = new Set(claimed.map(({ pod }) => pod));
  const rest = [...spoke.keys()].filter((pod) => !known.has(pod) && !isExcludedName(pod, config)).toSorted();
  return { count: rest.length, pods: rest.slice(0, NAMED) };
}
