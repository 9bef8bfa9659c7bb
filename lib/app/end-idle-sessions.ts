import { EXPIRED_STATUS } from '#lib/domain/session/life.ts';
import type { SessionSummary } from '#lib/domain/session/session.ts';
import { type Millis, toMillis } from '#lib/domain/time.ts';
import type { Cursor, SessionStore, WindowStore } from './ports.ts';

export interface EndIdlePorts {
  readonly sessions: Pick<SessionStore, 'end'>;
  readonly windows: Pick<WindowStore, 'cursor' | 'pods'>;
}

export interface EndIdleOptions {
  /** Name of the log source that all namespaces are read from. */
  readonly source: string;
  /** How long the pods of a play may be silent. */
  readonly idleAfter: Millis;
  /** Sessions whose pods one pass looks at. */
  readonly lookAtMost: number;
}

/**
 * Ends sessions of which no pod has spoken for the idle time. Only time of which the log was read counts: while Loki is
 * away nobody knows whether a play is silent. Each pass looks at the next few of the sessions that are old enough, so
 * that every one has its turn and a pass costs a bounded number of reads.
 *
 * @param active all active sessions.
 * @returns the ids of those that were ended.
 */
export async function endIdleSessions(
  { sessions, windows }: EndIdlePorts,
  options: EndIdleOptions,
  active: readonly SessionSummary[],
  now: Millis,
): Promise<readonly string[]> {
  const old = active.filter((session) => now - Date.parse(session.startedAt) >= options.idleAfter);
  const cursors = new Map<string, Cursor | undefined>();
  const ended: string[] = [];
  for (const session of turn(old, options.lookAtMost, now)) {
    const { namespace, playId } = session;
    if (!cursors.has(namespace)) cursors.set(namespace, await windows.cursor(options.source, namespace));
    const cursor = cursors.get(namespace);
    if (cursor === undefined) continue;
    const provenUntil = toMillis(cursor.until);
    const heard = cursor.heard?.[playId];
    if (heard !== undefined && provenUntil - heard < options.idleAfter) continue;
    const pods = await windows.pods(options.source, namespace, playId);
    const lastSign = Math.max(Date.parse(session.startedAt), heard ?? 0, ...pods.map((pod) => toMillis(pod.lastNs)));
    if (provenUntil - lastSign < options.idleAfter) continue;
    const stored = await sessions.end(playId, EXPIRED_STATUS, now, 'idle');
    if (stored?.endedBy === 'idle') ended.push(playId);
  }
  return ended;
}

const MILLIS_PER_MINUTE = 60_000;

/** The part of the list whose turn it is in this minute; parts follow each other round the list. */
function turn<T>(all: readonly T[], size: number, now: Millis): readonly T[] {
  const parts = Math.ceil(all.length / size);
  const part = parts === 0 ? 0 : Math.floor(now / MILLIS_PER_MINUTE) % parts;
  return all.slice(part * size, (part + 1) * size);
}
