import type { Nanos } from '../time.ts';

/** What of a Kubernetes object matters to Healer. Moments are of the cluster's own clock; null where it tells none. */
export interface ObjectMeta {
  readonly uid: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdNs: Nanos | null;
  /** Set once the object is being deleted. */
  readonly deletedNs: Nanos | null;
  readonly owners: readonly { readonly kind: string; readonly name: string }[];
}

/** How a container ended (`state.terminated` or `lastState.terminated`). */
export interface ContainerEnd {
  /** `OOMKilled`, `Error`, `Completed`, `ContainerCannotRun`, … */
  readonly reason: string;
  readonly exitCode: number;
  readonly message: string;
  readonly startedNs: Nanos | null;
  readonly finishedNs: Nanos | null;
}

export interface ClusterContainer {
  readonly name: string;
  readonly isInit: boolean;
  readonly image: string;
  /** `resources.limits.memory` as written, e.g. `512Mi`. */
  readonly memoryLimit: string | null;
  readonly restarts: number;
  readonly runningSinceNs: Nanos | null;
  readonly waiting: { readonly reason: string; readonly message: string } | null;
  /** The end in which it is now. */
  readonly end: ContainerEnd | null;
  /** The end before the last restart. */
  readonly lastEnd: ContainerEnd | null;
}

export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly atNs: Nanos | null;
}

export interface ClusterPod {
  readonly meta: ObjectMeta;
  /** `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`. */
  readonly phase: string;
  /** `Evicted`, `DeadlineExceeded`, `NodeLost`, …; empty for most pods. */
  readonly reason: string;
  readonly message: string;
  readonly node: string | null;
  /** When the kubelet took the pod. */
  readonly startedNs: Nanos | null;
  readonly conditions: readonly Condition[];
  /** Init containers first, each in the order of the pod's spec. */
  readonly containers: readonly ClusterContainer[];
}

export interface ClusterJob {
  readonly meta: ObjectMeta;
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly conditions: readonly Condition[];
}

/** A run of one agent, as the platform describes it (`agents.platform/v1`). */
export interface CodeRun {
  readonly meta: ObjectMeta;
  /** `Pending`, `Running`, `Succeeded` or `Failed`; empty before the controller has seen it. */
  readonly phase: string;
  readonly message: string;
  readonly jobName: string | null;
  readonly service: string | null;
  readonly taskId: string | null;
  readonly runType: string | null;
  readonly githubApp: string | null;
  /** `finishedAt`, else `lastUpdate`. */
  readonly finishedNs: Nanos | null;
}

/** An event of either shape (`v1`, `events.k8s.io/v1`). */
export interface ClusterEvent {
  readonly uid: string;
  /** `Normal` or `Warning`. */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly firstNs: Nanos | null;
  readonly lastNs: Nanos | null;
  readonly count: number;
}

export const CLUSTER_RESOURCES = ['pods', 'jobs', 'coderuns', 'events'] as const;
export type ClusterResource = (typeof CLUSTER_RESOURCES)[number];

/** A kind of object that could not be read, or not wholly, with the reason and what an operator can do. */
export interface UnreadResource {
  readonly resource: ClusterResource;
  readonly reason: string;
  readonly advice: string;
}

/** What one namespace holds at one moment. */
export interface ClusterState {
  readonly pods: readonly ClusterPod[];
  readonly jobs: readonly ClusterJob[];
  readonly runs: readonly CodeRun[];
  readonly events: readonly ClusterEvent[];
  readonly unread: readonly UnreadResource[];
}

/** The moment of an event: when it was last seen. */
export const eventMoment = (event: ClusterEvent): Nanos | null => event.lastNs ?? event.firstNs;

const TERMINAL: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** True for a CodeRun or pod that has ended. */
export const isTerminal = ({ phase }: { readonly phase: string }): boolean => TERMINAL.has(phase);
