import type { ClusterPod, ClusterState } from '../../cluster/objects.ts';
import { toEvidenceTime } from '../../evidence/evidence-time.ts';
import type { Session } from '../../session/session.ts';
import type { Nanos } from '../../time.ts';
import { configOf } from '../checks/declaration.ts';
import { type ClusterEnd, toEnd } from './ends.ts';

/** A pod of the play that has spoken, and when it did so last. */
export interface Heard {
  readonly pod: string;
  readonly agent: string | null;
  readonly lastNs: Nanos;
}

interface SilenceInput {
  readonly state: ClusterState;
  readonly session: Session;
  readonly heard: readonly Heard[];
}

/** All of the pod is still at work: where a container has ended, its agent may have done its part. */
function isAtWork(pod: ClusterPod): boolean {
  const own = pod.containers.filter(({ isInit }) => !isInit);
  const runs = own.length > 0 && own.every(({ runningSinceNs, end }) => runningSinceNs !== null && end === null);
  return pod.phase === 'Running' && pod.meta.deletedNs === null && runs;
}

/**
 * Pods of declared agents that spoke and then fell silent, while the session goes on and Kubernetes says that they run. Each
 * silence is told by the moment of its last line; how long it must last is the hold of its rule. Without a look into the
 * cluster nobody knows whether a silent agent hangs or has gone, so nothing is told.
 */
export function silentPods({ state, session, heard }: SilenceInput): readonly ClusterEnd[] {
  if (session.status !== 'active') return [];
  return heard.flatMap(({ pod: name, agent, lastNs }) => {
    const pod = state.pods.find(({ meta }) => meta.name === name);
    if (pod === undefined || configOf(session, agent) === null || !isAtWork(pod)) return [];
    const text = `Pod ${name} Running: no line of it after ${toEvidenceTime(lastNs)} and the half hour that follows`;
    return [toEnd(pod.meta, `silent ${lastNs}`, { fault: 'silent', pod: name, atNs: lastNs, text })];
  });
}
