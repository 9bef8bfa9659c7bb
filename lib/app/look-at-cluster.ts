import type { ClusterState } from '#lib/domain/cluster/objects.ts';
import type { Attribution } from '#lib/domain/detection/attribution.ts';
import { type AttributionConfig, attributeEntry, podOf } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import { type ClusterOwners, toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { Clock, Cluster, ClusterSight } from './ports.ts';

/** What the cluster shows of a namespace in one look. */
export interface ClusterLook {
  /** Null when no cluster is configured, or when it did not answer. */
  readonly state: ClusterState | null;
  readonly owners: ClusterOwners;
  /** Null when no cluster is configured. */
  readonly sight: ClusterSight | null;
}

/** Why the cluster of a namespace that is not configured is not read. */
export const LEFT_OUT = {
  reason: "The play's namespace is not among those that this deployment reads in Kubernetes",
  advice:
    'Its logs are read. To see its pods and events too, let the account of kubernetes-token read the namespace, add it to ' +
    'kubernetes.namespaces (KUBE_NAMESPACES) in healer.<stage>.yml and deploy.',
} as const;

const NOBODY: ClusterOwners = { pods: new Map(), jobs: new Map(), runs: new Map() };

/** Looks at the cluster of a namespace for the sessions in it. */
export type ClusterLooker = (sessions: readonly Session[], config: AttributionConfig) => Promise<ClusterLook>;

/**
 * One reading of the cluster, however often it is looked at. A cluster that does not answer is no error: logs are read
 * without it as well.
 */
export function openCluster(
  ports: { readonly cluster?: Cluster | null | undefined; readonly clock: Clock },
  namespace: string,
): ClusterLooker {
  let reading: ReturnType<typeof readCluster> | undefined;
  return async (sessions, config) => {
    if (ports.cluster == null) return { state: null, owners: NOBODY, sight: null };
    if (ports.cluster.reads?.(namespace) === false) {
      return { state: null, owners: NOBODY, sight: { at: ports.clock.now(), failure: LEFT_OUT, isLeftOut: true } };
    }
    reading ??= readCluster(ports.cluster, ports.clock, namespace);
    const { state, sight } = await reading;
    return { state, sight, owners: state === null ? NOBODY : toClusterOwners(state, sessions, config) };
  };
}

async function readCluster(cluster: Cluster, clock: Clock, namespace: string): Promise<Omit<ClusterLook, 'owners'>> {
  try {
    const state = await cluster.read(namespace, { events: 'warnings' });
    const [first] = state.unread;
    const failure = first === undefined ? null : { reason: first.reason, advice: first.advice };
    return { state, sight: { at: clock.now(), failure } };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const failure = { reason: error.message, advice: error.advice };
    return { state: null, sight: { at: clock.now(), failure, isBlind: true } };
  }
}

/** Whose line an entry is, the owner chain of its pod being the last rule. */
export function attributeWithOwners(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  sessions: Parameters<typeof attributeEntry>[1],
  config: AttributionConfig,
  owners: ClusterOwners,
): Attribution | undefined {
  const found = attributeEntry(entry, sessions, config);
  const owner = found === undefined ? owners.pods.get(podOf(entry, config) ?? '') : undefined;
  if (owner === undefined) return found;
  const [containerLabel] = config.containerLabels.filter((label) => entry.labels[label] !== undefined);
  return { ...owner, container: containerLabel === undefined ? null : (entry.labels[containerLabel] ?? null) };
}
