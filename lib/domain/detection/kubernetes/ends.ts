import { createHash } from 'node:crypto';
import type { ClusterPod, ObjectMeta } from '../../cluster/objects.ts';
import type { Nanos } from '../../time.ts';
import type { EntryRef } from '../finding.ts';
import type { ClusterFault } from './rules.ts';

/** A bad end, or a state that keeps a pod from its work, as one object shows it. */
export interface ClusterEnd {
  readonly fault: ClusterFault;
  /** The pod that it is about; of a Job or CodeRun without pods its name. */
  readonly pod: string;
  readonly container: string | null;
  /** When it ended, or since when it waits; the cluster's clock. */
  readonly atNs: Nanos;
  /** Named parts that tell it from its like. */
  readonly identity: Readonly<Record<string, string>>;
  /** What the object says, one line, not redacted. */
  readonly text: string;
  /** It came after the pre-flight minute of its pod: then a pre-flight failure is one of the run, without a code. */
  readonly isLate?: boolean;
  /** Stands for the object in a finding; see {@link toClusterHash}. */
  readonly hash: string;
}

const PREFIX = 'k8s:';

/** Stays equal as long as the object (by its uid), the container and the reason are the same. */
const toClusterHash = (uid: string, part: string | null, reason: string): string =>
  `${PREFIX}${createHash('sha256')
    .update(`${uid}\n${part ?? ''}\n${reason}`)
    .digest('hex')
    .slice(0, 28)}`;

/** True when it stands for an object of the cluster and not for a log entry. */
export const isClusterRef = ({ hash }: Pick<EntryRef, 'hash'>): boolean => hash.startsWith(PREFIX);

export const toClusterRef = ({ atNs, pod, container, hash }: ClusterEnd): EntryRef => ({
  ns: atNs,
  pod,
  container,
  hash,
});

/** @param meta of the object that shows it, @param reason the object's own word for it */
export const toEnd = (
  meta: Pick<ObjectMeta, 'uid' | 'name'>,
  reason: string,
  end: Omit<ClusterEnd, 'hash' | 'identity' | 'container'> & Partial<Pick<ClusterEnd, 'identity' | 'container'>>,
): ClusterEnd => ({
  identity: {},
  container: null,
  ...end,
  hash: toClusterHash(meta.uid === '' ? meta.name : meta.uid, end.container ?? null, reason),
});

/** The latest of some moments; null when none is known. */
export const latest = (moments: readonly (Nanos | null)[]): Nanos | null =>
  moments.reduce((found, moment) => (found === null || (moment !== null && moment > found) ? moment : found), null);

/** When a pod began to be a pod, for states that have no moment of their own. */
export const podMoment = (pod: ClusterPod): Nanos => pod.startedNs ?? pod.meta.createdNs ?? 0n;

/**
 * When the agent's own container began; before that, when the kubelet took the pod. The time that an image takes to be
 * pulled is no time of the agent. Null for a pod that no node has.
 */
export function agentStart(pod: ClusterPod): Nanos | null {
  const starts = pod.containers
    .filter(({ isInit }) => !isInit)
    .flatMap(({ lastEnd, end, runningSinceNs }) => lastEnd?.startedNs ?? end?.startedNs ?? runningSinceNs ?? []);
  return starts.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? pod.startedNs;
}

/** When the pod as a whole has ended; null while anything of it runs or may run. */
export function podEnd(pod: ClusterPod): Nanos | null {
  if (pod.phase !== 'Succeeded' && pod.phase !== 'Failed') return null;
  return latest(pod.containers.map(({ end }) => end?.finishedNs ?? null)) ?? conditionMoment(pod) ?? podMoment(pod);
}

export const conditionMoment = (pod: ClusterPod): Nanos | null => latest(pod.conditions.map(({ atNs }) => atNs));
