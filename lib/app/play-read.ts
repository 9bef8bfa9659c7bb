import type { Attribution } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { ReadPlan } from '#lib/domain/window/plan.ts';
import type { ClusterLook } from './look-at-cluster.ts';
import type { Cursor, LogRead } from './ports.ts';

/** What one look has read for one play. */
export interface PlayRead {
  readonly cursor: Cursor;
  readonly session: Session;
  /** All sessions of the namespace: among them the attribution rules choose. */
  readonly sessions: readonly Session[];
  /** Whose line each entry of the namespace is; an entry that nobody claims is missing. */
  readonly owners: ReadonlyMap<LogEntry, Attribution>;
  /** Entries of this play. */
  readonly own: readonly LogEntry[];
  /** Pods of this play that spoke. */
  readonly speakers: ReadonlyMap<string, Attribution>;
  /** Lines per pod in the window, filtered or not: a pod that speaks without trouble shows here. */
  readonly counts: ReadonlyMap<string, number>;
  readonly plan: ReadPlan;
  readonly read: LogRead;
  readonly cluster: ClusterLook;
}
