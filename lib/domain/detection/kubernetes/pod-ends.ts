import { describeEnd, describePod, describeWait } from '../../cluster/describe.ts';
import type { ClusterContainer, ClusterPod, ContainerEnd } from '../../cluster/objects.ts';
import type { Nanos } from '../../time.ts';
import { type ClusterEnd, conditionMoment, latest, podMoment, toEnd } from './ends.ts';
import { type ClusterFault, exitWord } from './rules.ts';

/** `status.reason` of pods that Kubernetes itself ended. */
const POD_REASONS: Readonly<Record<string, ClusterFault>> = {
  Evicted: 'evicted',
  Preempting: 'evicted',
  DeadlineExceeded: 'deadline',
  NodeLost: 'node-lost',
  NodeShutdown: 'node-lost',
  Shutdown: 'node-lost',
  Terminated: 'node-lost',
  NodeAffinity: 'scheduling',
  OutOfcpu: 'scheduling',
  OutOfmemory: 'scheduling',
  OutOfpods: 'scheduling',
  UnexpectedAdmissionError: 'scheduling',
};

/** `state.waiting.reason` of containers that do not get to run. */
const WAITING: Readonly<Record<string, ClusterFault>> = {
  ImagePullBackOff: 'image',
  ErrImagePull: 'image',
  InvalidImageName: 'image',
  ErrImageNeverPull: 'image',
  RegistryUnavailable: 'image',
  CreateContainerConfigError: 'container-config',
  CreateContainerError: 'cannot-run',
  RunContainerError: 'cannot-run',
};

/** The runtime's words for a program that cannot be started at all. */
const CANNOT_RUN = new Set(['ContainerCannotRun', 'StartError']);

/** Ends again and again: a single restart may be all that it needed. */
const LOOPS = 2;

/** Bad ends of a pod and its containers, whatever the logs say. What recovered in the meantime is none. */
export function podEnds(pod: ClusterPod): readonly ClusterEnd[] {
  const whole = wholePod(pod);
  if (whole !== null) return [whole];
  return pod.containers.flatMap((container) => containerEnd(pod, container) ?? []);
}

function wholePod(pod: ClusterPod): ClusterEnd | null {
  const { meta, phase } = pod;
  const fault = POD_REASONS[pod.reason];
  const end = (what: ClusterFault, reason: string, atNs: Nanos, text: string) =>
    toEnd(meta, reason, { fault: what, pod: meta.name, atNs, text });
  if (fault !== undefined && phase === 'Failed') return end(fault, pod.reason, endMoment(pod), describePod(pod));
  const disruption = pod.conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (disruption !== undefined && (phase === 'Failed' || meta.deletedNs !== null)) {
    const text = `Pod ${meta.name} was removed: ${disruption.reason}: ${disruption.message}`;
    return end('evicted', disruption.reason, disruption.atNs ?? endMoment(pod), text);
  }
  const scheduled = pod.conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (scheduled?.reason === 'Unschedulable' && phase === 'Pending') {
    const text = `Pod ${meta.name} Unschedulable: ${scheduled.message}`;
    return end('scheduling', scheduled.reason, scheduled.atNs ?? podMoment(pod), text);
  }
  return null;
}

const endMoment = (pod: ClusterPod): Nanos =>
  latest(pod.containers.map(({ end }) => end?.finishedNs ?? null)) ?? conditionMoment(pod) ?? podMoment(pod);

function containerEnd(pod: ClusterPod, container: ClusterContainer): ClusterEnd | null {
  const waiting = WAITING[container.waiting?.reason ?? ''];
  if (waiting !== undefined) return waitingEnd(pod, container, waiting);
  const end = standingEnd(pod, container);
  if (end === null) return null;
  const identity: Record<string, string> = { end: exitWord(end.exitCode) };
  if (container.isInit) identity['container'] = container.name;
  const fault = faultOf(end, container);
  return toEnd(pod.meta, end.reason, {
    fault,
    pod: pod.meta.name,
    container: container.name,
    atNs: end.finishedNs ?? endMoment(pod),
    identity: fault === 'exit' || fault === 'init' ? identity : {},
    text: describeEnd(pod, container, end),
  });
}

function faultOf({ reason }: ContainerEnd, { isInit }: ClusterContainer): ClusterFault {
  if (reason === 'OOMKilled') return 'oom';
  if (CANNOT_RUN.has(reason)) return 'cannot-run';
  return isInit ? 'init' : 'exit';
}

/** Waits since its pod began, or since the init container before it ended. */
function waitingEnd(pod: ClusterPod, container: ClusterContainer, fault: ClusterFault): ClusterEnd {
  const since = latest([
    podMoment(pod),
    ...pod.containers.map(({ isInit, end }) => (isInit && end?.finishedNs) || null),
  ]);
  return toEnd(pod.meta, fault, {
    fault,
    pod: pod.meta.name,
    container: container.name,
    atNs: since ?? 0n,
    text: describeWait(pod, container),
  });
}

/**
 * The end that counts: the present one, else the last one where the container does not get up again. A container that was
 * killed for memory counts although it runs again: what its process held is lost.
 */
function standingEnd(pod: ClusterPod, container: ClusterContainer): ContainerEnd | null {
  const end = container.end ?? container.lastEnd;
  if (end === null || end.exitCode === 0 || isBeside(pod, container)) return null;
  if (container.end !== null || end.reason === 'OOMKilled') return end;
  const isLooping = container.waiting?.reason === 'CrashLoopBackOff' && container.restarts >= LOOPS;
  return isLooping ? end : null;
}

/**
 * True for a helper whose end takes nothing away: an init container (a sidecar of newer clusters) of a pod whose agent has
 * started, or a container that was ended after another one had done its work.
 */
function isBeside(pod: ClusterPod, container: ClusterContainer): boolean {
  const others = pod.containers.filter((other) => other !== container && !other.isInit);
  if (container.isInit) return others.some(({ runningSinceNs, end, lastEnd }) => runningSinceNs ?? end ?? lastEnd);
  return others.some(({ end }) => end !== null && end.exitCode === 0);
}
