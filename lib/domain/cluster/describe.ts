import type { ClusterContainer, ClusterEvent, ClusterJob, ClusterPod, CodeRun, ContainerEnd } from './objects.ts';

/** What is known of an object as one line for people. Messages come from outside: the text is not redacted yet. */

/** Messages of Kubernetes may hold whole specs. */
const MAX_MESSAGE = 600;

const said = (message: string): string => {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line}`;
};

const because = (reason: string, message: string): string => `${reason === '' ? '' : ` ${reason}`}${said(message)}`;

/** `Pod p container agent (init) terminated: reason=OOMKilled exitCode=137 restarts=2 memoryLimit=512Mi`. */
export function describeEnd(pod: ClusterPod, container: ClusterContainer, end: ContainerEnd): string {
  const facts = [
    `reason=${end.reason || 'unknown'}`,
    `exitCode=${end.exitCode}`,
    ...(container.restarts > 0 ? [`restarts=${container.restarts}`] : []),
    ...(container.memoryLimit === null ? [] : [`memoryLimit=${container.memoryLimit}`]),
  ];
  return `Pod ${pod.meta.name} ${describeName(container)} terminated: ${facts.join(' ')}${said(end.message)}`;
}

/** `Pod p container agent waits: ImagePullBackOff: Back-off pulling image "…"`. */
export const describeWait = (pod: ClusterPod, container: ClusterContainer): string =>
  `Pod ${pod.meta.name} ${describeName(container)} waits:${because(container.waiting?.reason ?? '', container.waiting?.message ?? '')} (image ${container.image})`;

const describeName = ({ name, isInit }: ClusterContainer): string =>
  isInit ? `init container ${name}` : `container ${name}`;

/** `Pod p Failed on node worker-1: Evicted: The node was low on resource`. */
export function describePod(pod: ClusterPod): string {
  const place = pod.node === null ? '' : ` on node ${pod.node}`;
  const why = pod.reason === '' && pod.message === '' ? '' : `:${because(pod.reason, pod.message)}`;
  return `Pod ${pod.meta.name} ${pod.phase || 'without a phase'}${place}${why}`;
}

/** `Job j Failed: DeadlineExceeded: Job was active longer than specified deadline`. */
export function describeJob(job: ClusterJob): string {
  const condition = job.conditions.find(({ type, status }) => /^(?:Failed|Complete)$/.test(type) && status === 'True');
  const counts = `active=${job.active} succeeded=${job.succeeded} failed=${job.failed}`;
  if (condition === undefined) return `Job ${job.meta.name}: ${counts}`;
  return `Job ${job.meta.name} ${condition.type}:${because(condition.reason, condition.message)} (${counts})`;
}

/** `CodeRun r Failed: message`. */
export const describeRun = (run: CodeRun): string =>
  `CodeRun ${run.meta.name} ${run.phase || 'without a phase'}${said(run.message)}`;

/** `Event FailedMount (Warning, 3 times) of Pod p: message`. */
export function describeEvent(event: ClusterEvent): string {
  const times = event.count > 1 ? `, ${event.count} times` : '';
  return `Event ${event.reason} (${event.type}${times}) of ${event.object.kind} ${event.object.name}${said(event.message)}`;
}
