import type { IncidentSummary } from '#lib/domain/incident/incident.ts';
import type { Remediation } from '#lib/domain/remediation/remediation.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { SeenPod } from './ports.ts';

/** An incident that waits for its fix to be exercised, and the fix. */
export interface VerifyingIncident {
  readonly incident: IncidentSummary;
  readonly remediation: Remediation;
}

/**
 * What a function's own memory keeps of plays between its looks, so that a look does not read again what cannot have
 * changed. It is never the truth: who uses it asks the tables where it may be behind.
 */
export interface PlayMemory {
  /** A session, as it was read. */
  session(playId: string): Session | undefined;
  keepSession(session: Session): void;
  /** Pods of that session as they were stored; undefined when nothing is known. */
  pods(session: Session): readonly SeenPod[] | undefined;
  keepPods(session: Session, pods: readonly SeenPod[]): void;
  /** What waits for its fix to be exercised, as it was listed within the last minutes. */
  verifying(now: Millis): readonly VerifyingIncident[] | undefined;
  /** The fix of an incident that was listed before and has not changed since. */
  fixOf(incident: IncidentSummary): Remediation | undefined;
  keepVerifying(incidents: readonly VerifyingIncident[], at: Millis): void;
}

/** A look reads the last three minutes again, so what one misses that trusts an older list is seen by the next. */
const VERIFYING_MS = 120_000;

/** Plays that are kept; a declaration is a few KB, so this is some tens of MB at most. */
const PLAYS = 5_000;

interface Kept {
  readonly session: Session;
  readonly pods: readonly SeenPod[] | undefined;
}

export function createPlayMemory(limit: number = PLAYS): PlayMemory {
  const kept = new Map<string, Kept>();
  let listed: { readonly incidents: readonly VerifyingIncident[]; readonly at: Millis } | undefined;
  const keep = (playId: string, what: Kept) => {
    // The one that was used longest ago stands first.
    kept.delete(playId);
    kept.set(playId, what);
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break;
      kept.delete(oldest);
    }
  };
  const find = ({ playId, startedAt }: Session): Kept | undefined => {
    const found = kept.get(playId);
    return found?.session.startedAt === startedAt ? found : undefined;
  };
  return {
    session: (playId) => kept.get(playId)?.session,
    keepSession: (session) => {
      keep(session.playId, { session, pods: find(session)?.pods });
    },
    pods: (session) => find(session)?.pods,
    keepPods: (session, pods) => {
      const found = find(session);
      if (found !== undefined) keep(session.playId, { ...found, pods });
    },
    verifying: (now) => (listed !== undefined && now - listed.at < VERIFYING_MS ? listed.incidents : undefined),
    fixOf: ({ id, updatedAt }) =>
      listed?.incidents.find(({ incident }) => incident.id === id && incident.updatedAt === updatedAt)?.remediation,
    keepVerifying: (incidents, at) => {
      listed = { incidents, at };
    },
  };
}
