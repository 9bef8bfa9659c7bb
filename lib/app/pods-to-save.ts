import { SIGN_OF_LIFE_NS } from '#lib/domain/window/plan.ts';
import type { SeenPod } from './ports.ts';

/**
 * Pods that are new, that tell something new, or whose stored last line is too old.
 * @param isEnded nothing more will come, so that every last line is stored as it is
 */
export function podsToSave(pods: readonly SeenPod[], known: readonly SeenPod[], isEnded: boolean): readonly SeenPod[] {
  const before = new Map(known.map((pod) => [pod.pod, pod]));
  const patience = isEnded ? 1n : SIGN_OF_LIFE_NS;
  return pods.filter((pod) => {
    const old = before.get(pod.pod);
    return old === undefined || tells(pod) !== tells(old) || pod.lastNs - old.lastNs >= patience;
  });
}

/** What a pod tells besides when it spoke last and how much. */
const tells = ({ agent, firstNs, preflight, rule }: SeenPod): string =>
  JSON.stringify([agent, String(firstNs), preflight, rule]);
