import type { Session, SessionSummary } from '#lib/domain/session/session.ts';
import { type Millis, toMillis } from '#lib/domain/time.ts';
import { DRAIN_MS } from '#lib/domain/window/plan.ts';
import type { Cursor, SessionStore } from './ports.ts';
import { listActive } from './sweep.ts';

/** Sessions that started since the last proven read are looked at even if they have ended; clocks and indexes lag. */
const MARGIN_MS = 15 * 60_000;
/** How far back a namespace is looked at that has never been read. */
const FIRST_LOOK_MS = 24 * 3_600_000;
/**
 * A cluster that is out is waited for this long after a session's end: what its pods died of may be known there alone.
 * Kubernetes keeps events for an hour (`--event-ttl` of kube-apiserver).
 */
const CLUSTER_PATIENCE_MS = 3_600_000;
const PAGE = 500;

/**
 * Sessions of a namespace whose logs are read: active ones, and ended ones until the cursor has passed their end and the
 * time in which their late lines arrive, however long the source was away, and until the cluster has been seen since.
 */
export async function listWatched(
  sessions: SessionStore,
  namespace: string,
  cursor: Cursor | undefined,
  now: Millis,
): Promise<readonly Session[]> {
  const since = (cursor?.provenAt ?? now - FIRST_LOOK_MS) - MARGIN_MS;
  const listed = [...(await listActive(sessions)), ...(await listSince(sessions, since))];
  const own = listed.filter((item) => item.namespace === namespace && isWatched(endOf(item), cursor, now));
  const ids = new Set([...own.map((item) => item.playId), ...(cursor?.plays ?? [])]);
  const records = await Promise.all([...ids].map((id) => sessions.get(id)));
  return records.filter((session) => session !== undefined).filter(({ endedAt }) => isWatched(endedAt, cursor, now));
}

/** Sessions that started since then, newest first. */
async function listSince(sessions: SessionStore, since: Millis): Promise<readonly SessionSummary[]> {
  const recent: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await sessions.list({ limit: PAGE, cursor });
    const young = page.items.filter((item) => Date.parse(item.startedAt) >= since);
    recent.push(...young);
    cursor = young.length < page.items.length ? undefined : page.cursor;
  } while (cursor !== undefined);
  return recent;
}

/** An ended session was last updated by its end. */
const endOf = (item: SessionSummary): string | null => (item.status === 'active' ? null : item.lastUpdated);

/** A namespace without a cursor has nothing proven. */
function isWatched(endedAt: string | null, cursor: Cursor | undefined, now: Millis): boolean {
  if (endedAt === null) return true;
  const drained = Date.parse(endedAt) + DRAIN_MS;
  const proven = cursor === undefined || cursor.provenAt === null ? now - FIRST_LOOK_MS : toMillis(cursor.until);
  const isBlind = cursor?.cluster?.isBlind === true;
  return proven < drained || (isBlind && now < Date.parse(endedAt) + CLUSTER_PATIENCE_MS);
}
