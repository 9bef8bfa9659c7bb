import { toClusterEvent, toCodeRun, toJob } from '#lib/adapters/kubernetes/to-objects.ts';
import { toPod } from '#lib/adapters/kubernetes/to-pod.ts';
import type { ClusterState, UnreadResource } from '#lib/domain/cluster/objects.ts';
import { attributeEntry } from '#lib/domain/detection/attribution.ts';
import type { AgentFacts } from '#lib/domain/detection/detection.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { detectCluster } from '#lib/domain/detection/kubernetes/detect-cluster.ts';
import { toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import type { Heard } from '#lib/domain/detection/kubernetes/silent-pods.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { Nanos } from '#lib/domain/time.ts';
import {
  type CodeRunOf,
  codeRunObject,
  type EventOf,
  eventObject,
  type JobOf,
  jobObject,
  type PodOf,
  podObject,
} from '#lib/local/kubernetes/objects.ts';
import { aSession } from '#test/support/builders/session.ts';

/** The play's start, in milliseconds; moments of a case are seconds after it. */
export const START = Date.parse('2026-11-30T12:00:00Z');
export const after = (seconds: number): number => START + seconds * 1000;
export const ns = (seconds: number): Nanos => BigInt(after(seconds)) * 1_000_000n;

export const PLAY = 'play-demo-x7k2q';
export const POD = `${PLAY}-rex-abcde`;
const NAMESPACE = 'cto';

type Unplaced<T> = Omit<T, 'namespace'>;

/** A cluster's state from objects in the API's own shape, as the adapter reads them. */
export function aState(of: {
  readonly pods?: readonly Partial<Unplaced<PodOf>>[];
  readonly jobs?: readonly Unplaced<JobOf>[];
  readonly runs?: readonly Unplaced<CodeRunOf>[];
  readonly events?: readonly Partial<Unplaced<EventOf>>[];
  readonly unread?: readonly UnreadResource[];
}): ClusterState {
  const uid = <T extends { metadata: object }>(object: T): T => ({
    ...object,
    metadata: { uid: `uid-${(object.metadata as { name: string }).name}`, ...object.metadata },
  });
  const { pods = [], jobs = [], runs = [], events = [], unread = [] } = of;
  const place = { namespace: NAMESPACE };
  return {
    pods: pods.map((pod) => toPod(uid(podObject({ name: POD, startedAt: START, createdAt: START, ...pod, ...place })))),
    jobs: jobs.map((job) => toJob(uid(jobObject({ createdAt: START, ...job, ...place })))),
    runs: runs.map((run) => toCodeRun(uid(codeRunObject({ createdAt: START, ...run, ...place })))),
    events: events.map((event) =>
      toClusterEvent(
        uid(
          eventObject({
            name: `${POD}.1`,
            reason: 'Seen',
            message: '',
            object: { kind: 'Pod', name: POD },
            at: after(10),
            ...event,
            ...place,
          }),
        ),
      ),
    ),
    unread,
  };
}

/** What the cluster's state amounts to, seen at `at` seconds. */
export function findIn(
  state: ClusterState,
  options: {
    readonly at?: number;
    readonly since?: number;
    readonly session?: Session;
    readonly told?: readonly Finding[];
    readonly fresh?: readonly Finding[];
    readonly agents?: readonly AgentFacts[];
    readonly heard?: readonly Heard[];
  } = {},
): readonly Finding[] {
  const session = options.session ?? aSession();
  return detectCluster({
    state,
    session,
    owners: toClusterOwners(state, [session]),
    attributeName: (name) => attributeEntry({ labels: { pod: name } }, [session]),
    until: ns(options.at ?? 600),
    since: ns(options.since ?? 0),
    told: options.told ?? [],
    fresh: options.fresh ?? [],
    agents: options.agents ?? [],
    heard: options.heard ?? [],
  });
}
