import type { ClusterState } from '#lib/domain/cluster/objects.ts';
import type { Millis } from '#lib/domain/time.ts';

/** Reads what a Kubernetes cluster holds of a namespace, and changes nothing. */
export interface Cluster {
  /**
   * Pods, jobs, CodeRuns and events. A kind of object that the account may not read, or that the cluster does not know,
   * is told in `unread`. @throws SourceError when the cluster did not answer, or nothing could be read.
   */
  read(namespace: string, options: { readonly events: 'warnings' | 'all' }): Promise<ClusterState>;
}

/** What the last look at the cluster of a namespace brought; null where no cluster is configured. */
export interface ClusterSight {
  readonly at: Millis;
  /** Null when all was read; else what could not be read, and what an operator can do. */
  readonly failure: { readonly reason: string; readonly advice: string } | null;
  /** Nothing at all could be read. */
  readonly isBlind?: boolean;
}
