import type { Session } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';
import { DRAIN_MS } from '#lib/domain/window/plan.ts';
import type { SessionStore } from './ports.ts';
import { listActive } from './sweep.ts';

/** Sessions started within this time are looked at even if they have ended: a play may live shorter than a look. */
const RECENT_MS = 15 * 60_000;
const RECENT_AT_MOST = 500;

/**
 * Sessions of a namespace whose logs are read: active ones, and ended ones until their late lines have been seen. `known`
 * are the plays that the cursor has read before.
 */
export async function listWatched(
  sessions: SessionStore,
  namespace: string,
  known: readonly string[],
  now: Millis,
): Promise<readonly Session[]> {
  const active = await listActive(sessions);
  const recent = await sessions.list({ limit: RECENT_AT_MOST });
  const listed = [...active, ...recent.items.filter((item) => now - Date.parse(item.startedAt) < RECENT_MS)];
  const ids = new Set([...listed.filter((item) => item.namespace === namespace).map((item) => item.playId), ...known]);
  const records = await Promise.all([...ids].map((id) => sessions.get(id)));
  return records.filter((session) => session !== undefined && isWatched(session, now)) as Session[];
}

const isWatched = (session: Session, now: Millis): boolean =>
  session.endedAt === null || now - Date.parse(session.endedAt) < DRAIN_MS;
