import { describeEvent, describeJob, describeRun } from '../../cluster/describe.ts';
import type { ClusterEvent, ClusterJob, ClusterPod, ClusterState, Condition } from '../../cluster/objects.ts';
import { eventMoment } from '../../cluster/objects.ts';
import type { Nanos } from '../../time.ts';
import { PREFLIGHT } from '../to-finding.ts';
import { type ClusterEnd, podEnd, podMoment, toEnd } from './ends.ts';
import { jobOf, runOf } from './owners.ts';

/** Pods of a Job, the newest first. */
export const podsOf = (job: string, pods: readonly ClusterPod[]): readonly ClusterPod[] =>
  pods.filter((pod) => jobOf(pod) === job).toSorted((a, b) => (podMoment(a) > podMoment(b) ? -1 : 1));

/** The condition with which a Job is over: `Complete` or `Failed`. */
export const jobOutcome = (job: ClusterJob): Condition | undefined =>
  job.conditions.find(({ type, status }) => (type === 'Failed' || type === 'Complete') && status === 'True');

/** Jobs that were ended at their deadline: Kubernetes has removed their pods. */
export function jobEnds({ jobs, pods }: ClusterState): readonly ClusterEnd[] {
  return jobs.flatMap((job) => {
    const outcome = jobOutcome(job);
    if (outcome?.type !== 'Failed' || outcome.reason !== 'DeadlineExceeded') return [];
    const pod = podsOf(job.meta.name, pods)[0]?.meta.name ?? job.meta.name;
    const atNs = outcome.atNs ?? job.meta.createdNs ?? 0n;
    return [toEnd(job.meta, outcome.reason, { fault: 'deadline', pod, atNs, text: describeJob(job) })];
  });
}

/** Failed CodeRuns, and failed Jobs that no CodeRun tells of: all that is left where pods are gone. */
export function runEnds(state: ClusterState): readonly ClusterEnd[] {
  const runs = state.runs
    .filter(({ phase }) => phase === 'Failed')
    .map((run) => {
      const newest = podsOf(run.jobName ?? '', state.pods)[0];
      const pod = newest?.meta.name ?? run.jobName ?? run.meta.name;
      // A run that does not say when it failed failed with its pod.
      const atNs = run.finishedNs ?? (newest && podEnd(newest)) ?? run.meta.createdNs ?? 0n;
      return toEnd(run.meta, 'Failed', { fault: 'run-failed', pod, atNs, text: describeRun(run) });
    });
  const jobs = state.jobs.flatMap((job) => {
    const outcome = jobOutcome(job);
    if (outcome?.type !== 'Failed' || outcome.reason === 'DeadlineExceeded') return [];
    if (runOf(job.meta.name, state) !== undefined) return [];
    const pod = podsOf(job.meta.name, state.pods)[0]?.meta.name ?? job.meta.name;
    const atNs = outcome.atNs ?? job.meta.createdNs ?? 0n;
    return [toEnd(job.meta, 'Failed', { fault: 'run-failed', pod, atNs, text: describeJob(job) })];
  });
  return [...runs, ...jobs];
}

/** Events that tell of what no state shows. The first time counts as the moment. */
export function eventEnds({ events, pods, jobs }: ClusterState): readonly ClusterEnd[] {
  const warnings = events.filter(({ type }) => type === 'Warning');
  return warnings.flatMap((event) => {
    const pod = pods.find(({ meta }) => meta.name === event.object.name);
    if (event.object.kind === 'Pod') return pod === undefined ? (goneEnd(event) ?? []) : (mountEnd(event, pod) ?? []);
    const job = event.object.kind === 'Job' ? jobs.find(({ meta }) => meta.name === event.object.name) : undefined;
    return job === undefined ? [] : (createEnd(event, job, pods) ?? []);
  });
}

const MOUNTS = /^(?:FailedMount|FailedAttachVolume|FailedMapVolume)$/;
const isStarting = (pod: ClusterPod): boolean =>
  pod.phase === 'Pending' &&
  pod.containers.every(({ waiting }) => /^(?:ContainerCreating|PodInitializing|)$/.test(waiting?.reason ?? ''));

/** A pod that waits for a volume: its containers only say that they are being created. */
function mountEnd(event: ClusterEvent, pod: ClusterPod): ClusterEnd | null {
  if (!MOUNTS.test(event.reason) || !isStarting(pod)) return null;
  const atNs = event.firstNs ?? podMoment(pod);
  const isConfig = /configmap "?cto-config/i.test(event.message);
  const isLate = atNs - podMoment(pod) > PREFLIGHT;
  const fault = isConfig ? 'config-mount' : 'mount';
  return toEnd(pod.meta, fault, { fault, pod: pod.meta.name, atNs, isLate, text: describeEvent(event) });
}

/** A pod that was evicted and removed before anybody looked. */
function goneEnd(event: ClusterEvent): ClusterEnd | null {
  if (event.reason !== 'Evicted') return null;
  const { name } = event.object;
  const at = eventMoment(event) ?? 0n;
  return toEnd({ uid: '', name }, event.reason, { fault: 'evicted', pod: name, atNs: at, text: describeEvent(event) });
}

/** A Job whose pod is refused: quota, admission, a name that is not allowed. */
function createEnd(event: ClusterEvent, job: ClusterJob, pods: readonly ClusterPod[]): ClusterEnd | null {
  const hasPods = job.active + job.succeeded > 0 || podsOf(job.meta.name, pods).length > 0;
  if (event.reason !== 'FailedCreate' || hasPods) return null;
  const atNs: Nanos = event.firstNs ?? job.meta.createdNs ?? 0n;
  return toEnd(job.meta, event.reason, { fault: 'create', pod: job.meta.name, atNs, text: describeEvent(event) });
}
