import type { AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { type ClusterOwners, toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { OtherPiece } from '#lib/domain/evidence/build-pack.ts';
import { toClusterPieces, toSightPieces } from '#lib/domain/evidence/cluster-pieces.ts';
import type { Occurrence } from '#lib/domain/incident/incident.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { LEFT_OUT } from './look-at-cluster.ts';
import type { Cluster } from './ports.ts';

/** What the cluster adds to the evidence, and whose pods are which. */
export interface ClusterReading {
  readonly pieces: readonly OtherPiece[];
  readonly owners: ClusterOwners;
  /** What could not be read, each a sentence. */
  readonly gaps: readonly string[];
}

const NOBODY: ClusterOwners = { pods: new Map(), jobs: new Map(), runs: new Map() };

/**
 * Reads the cluster around an occurrence. One that does not answer is a gap: what was seen when the finding was made is
 * kept with it. Without a cluster there is neither piece nor gap.
 */
export async function gatherCluster(
  cluster: Cluster | null | undefined,
  config: AttributionConfig,
  session: Session | undefined,
  latest: Occurrence,
  consequences: readonly Finding[] = [],
): Promise<ClusterReading> {
  const { finding, playId } = latest;
  if (cluster == null) return { pieces: toSightPieces(finding), owners: NOBODY, gaps: [] };
  if (cluster.reads?.(latest.namespace) === false) {
    const gaps = [`${LEFT_OUT.reason}. ${LEFT_OUT.advice}`];
    return { pieces: toSightPieces(finding), owners: NOBODY, gaps };
  }
  try {
    const state = await cluster.read(latest.namespace, { events: 'all' });
    const owners = toClusterOwners(state, session === undefined ? [] : [session], config);
    const known = session === undefined ? byFinding(finding, playId) : owners;
    const gaps = state.unread.map(
      ({ resource, reason, advice }) => `Of Kubernetes the ${resource} could not be read: ${reason}. ${advice}`,
    );
    const pieces = toClusterPieces({ state, owners: known, playId, finding, consequences });
    return { pieces, owners: known, gaps };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const gap = `Kubernetes could not be read: ${error.message}. ${error.advice}`;
    return { pieces: toSightPieces(finding), owners: NOBODY, gaps: [gap] };
  }
}

/** Without the session's record (past its retention) the finding's own pod is what can be told. */
function byFinding({ pod, agent }: Finding, playId: string): ClusterOwners {
  const owner = { playId, agent, pod, container: null, rule: 'pod-name' } as const;
  return { ...NOBODY, pods: new Map([[pod, owner]]) };
}
