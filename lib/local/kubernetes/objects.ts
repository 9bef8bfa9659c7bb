import type { KubernetesObject } from './store.ts';

/** Builders of the objects that a play leaves in a cluster, in the platform's shapes; for demo and tests. */

/** A moment in milliseconds as Kubernetes writes it in states: whole seconds. */
const atSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

interface Placed {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly createdAt?: number;
  readonly owner?: { readonly kind: string; readonly name: string };
}

const toMetadata = ({ name, namespace, labels = {}, createdAt, owner }: Placed) => ({
  name,
  namespace,
  labels,
  ...(createdAt !== undefined && { creationTimestamp: atSecond(createdAt) }),
  ...(owner !== undefined && { ownerReferences: [{ apiVersion: 'batch/v1', controller: true, ...owner }] }),
  // A third to a half of what a real server sends; readers must leave it out.
  managedFields: [{ manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': {} } }],
});

/** How a container is or was: ended, waiting, or running since a moment. */
export interface ContainerOf {
  readonly name?: string;
  readonly image?: string;
  readonly memoryLimit?: string;
  readonly restarts?: number;
  readonly startedAt?: number;
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly end?: EndOf;
  readonly lastEnd?: EndOf;
}

interface EndOf {
  readonly reason: string;
  readonly exitCode: number;
  readonly message?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

export interface PodOf extends Placed {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly node?: string;
  readonly startedAt?: number;
  /** The scheduler's word on a pod that no node takes. */
  readonly unschedulable?: { readonly message: string; readonly at: number };
  readonly containers?: readonly ContainerOf[];
  readonly initContainers?: readonly ContainerOf[];
}

export function podObject(pod: PodOf): KubernetesObject {
  const { containers = [{}], initContainers = [] } = pod;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: toMetadata(pod),
    spec: {
      ...(pod.unschedulable === undefined && { nodeName: pod.node ?? 'worker-1' }),
      containers: containers.map(toSpec),
      initContainers: initContainers.map(toSpec),
    },
    status: {
      phase: pod.phase ?? 'Running',
      ...(pod.reason !== undefined && { reason: pod.reason }),
      ...(pod.message !== undefined && { message: pod.message }),
      ...(pod.startedAt !== undefined && { startTime: atSecond(pod.startedAt) }),
      conditions: pod.unschedulable === undefined ? [] : [toUnschedulable(pod.unschedulable)],
      containerStatuses: pod.unschedulable === undefined ? containers.map(toStatus) : [],
      initContainerStatuses: pod.unschedulable === undefined ? initContainers.map(toStatus) : [],
    },
  };
}

const toUnschedulable = ({ message, at }: { readonly message: string; readonly at: number }) => ({
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message,
  lastTransitionTime: atSecond(at),
});

const imageOf = ({ image = 'images.example.com/agent:1' }: ContainerOf): string => image;

const toSpec = (container: ContainerOf) => ({
  name: container.name ?? 'agent',
  image: imageOf(container),
  resources: { limits: { memory: container.memoryLimit ?? '512Mi' } },
});

const toStatus = (container: ContainerOf) => ({
  name: container.name ?? 'agent',
  image: imageOf(container),
  restartCount: container.restarts ?? 0,
  ready: container.end === undefined && container.waiting === undefined,
  state: toState(container),
  lastState: container.lastEnd === undefined ? {} : { terminated: toTerminated(container.lastEnd) },
});

function toState({ end, waiting, startedAt }: ContainerOf): object {
  if (end !== undefined) return { terminated: toTerminated(end) };
  if (waiting !== undefined) return { waiting };
  return startedAt === undefined ? {} : { running: { startedAt: atSecond(startedAt) } };
}

const toTerminated = ({ startedAt, finishedAt, ...end }: EndOf) => ({
  ...end,
  ...(startedAt !== undefined && { startedAt: atSecond(startedAt) }),
  ...(finishedAt !== undefined && { finishedAt: atSecond(finishedAt) }),
});

export interface CodeRunOf extends Placed {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly message?: string;
  readonly jobName?: string;
  readonly finishedAt?: number;
}

export const codeRunObject = (run: CodeRunOf): KubernetesObject => ({
  apiVersion: 'agents.platform/v1',
  kind: 'CodeRun',
  metadata: toMetadata(run),
  spec: { runType: 'implementation', ...run.spec },
  status: {
    phase: run.phase ?? 'Running',
    ...(run.message !== undefined && { message: run.message }),
    ...(run.jobName !== undefined && { jobName: run.jobName }),
    ...(run.finishedAt !== undefined && { finishedAt: atSecond(run.finishedAt) }),
  },
});

export interface JobOf extends Placed {
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly condition?: {
    readonly type: 'Complete' | 'Failed';
    readonly reason?: string;
    readonly message?: string;
    readonly at: number;
  };
}

export const jobObject = (job: JobOf): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: toMetadata(job),
  spec: { backoffLimit: 0 },
  status: {
    active: job.active ?? 0,
    succeeded: job.succeeded ?? 0,
    failed: job.failed ?? 0,
    conditions: job.condition === undefined ? [] : [toJobCondition(job.condition)],
  },
});

const toJobCondition = ({ at, ...condition }: NonNullable<JobOf['condition']>) => ({
  ...condition,
  status: 'True',
  lastTransitionTime: atSecond(at),
});

export interface EventOf {
  readonly name: string;
  readonly namespace: string;
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly at: number;
  readonly firstAt?: number;
  readonly count?: number;
  /** Written through `events.k8s.io/v1`: core `v1` shows null in its own time and count fields. */
  readonly isSeries?: boolean;
}

export function eventObject(event: EventOf): KubernetesObject {
  const { name, namespace, at, firstAt = at, count = 1, isSeries = false } = event;
  const micro = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
  const moments = isSeries
    ? {
        eventTime: micro(firstAt),
        firstTimestamp: null,
        lastTimestamp: null,
        count: null,
        ...(count > 1 && { series: { count, lastObservedTime: micro(at) } }),
      }
    : { eventTime: null, firstTimestamp: atSecond(firstAt), lastTimestamp: atSecond(at), count };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: toMetadata({ name, namespace, createdAt: firstAt }),
    type: event.type ?? 'Warning',
    reason: event.reason,
    message: event.message,
    involvedObject: { ...event.object, namespace },
    ...moments,
  };
}
