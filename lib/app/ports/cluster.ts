import type { ClusterState, UnreadResource } from '#lib/domain/cluster/objects.ts';
import type { Millis } from '#lib/domain/time.ts';

/** Reads what a Kubernetes cluster holds of a namespace, and changes nothing. */
export interface Cluster {
  /**
   * Pods, jobs, CodeRuns and events. A kind of object that the account may not read, or that the cluster does not know,
   * is told in `unread`. @throws SourceError when the cluster did not answer, or nothing could be read.
   */
  read(namespace: string, options: { readonly events: 'warnings' | 'all' }): Promise<ClusterState>;
  /** Whether the deployment looks into a namespace at all; absent: into each. */
  reads?(namespace: string): boolean;
}

/** What the last look at the cluster of a namespace brought; null where no cluster is configured. */
export interface ClusterSight {
  readonly at: Millis;
  /** Null when all was read; else what could not be read, and what an operator can do. */
  readonly failure: { readonly reason: string; readonly advice: string } | null;
  /** Nothing at all could be read. */
  readonly isBlind?: boolean;
  /** The deployment leaves the namespace out on purpose: told to who asks for the session, and no reason for an alarm. */
  readonly isLeftOut?: boolean;
}

/** Tells what of a cluster may be read, at the cost of one object a kind. */
export interface ClusterProbe {
  /** Kinds of objects that cannot be read in the namespace. @throws SourceError when the cluster did not answer */
  unreadIn(namespace: string): Promise<readonly UnreadResource[]>;
}
