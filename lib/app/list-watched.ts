import type { Session, SessionSummary } from '#lib/domain/session/session.ts';
import { type Millis, toMillis } from '#lib/domain/time.ts';
import { DRAIN_MS } from '#lib/domain/window/plan.ts';
import type { PlayMemory } from './play-memory.ts';
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
 *
 * The cursor names the plays that were read before; what the index holds since then are the others. A session that the
 * memory knows and that the index shows in the same state, started at the same moment, is as it was: a declaration never
 * changes, and the first end stands.
 */
export async function listWatched(
  { sessions, memory }: { readonly sessions: SessionStore; readonly memory?: PlayMemory | undefined },
  namespace: string,
  cursor: Cursor | undefined,
  now: Millis,
): Promise<readonly Session[]> {
  const plays = cursor?.plays ?? [];
  const since = Math.min(toSince(cursor, now), ...startsOf(plays, memory));
  const isUnread = cursor === undefined || cursor.provenAt === null;
  const listed = [
    ...(isUnread ? (await listActive(sessions)).filter((item) => item.namespace === namespace) : []),
    ...(await listSince(sessions, namespace, since)),
  ];
  const summaries = new Map(listed.map((item) => [item.playId, item]));
  const own = listed.filter((item) => isWatched(endOf(item), cursor, now)).map(({ playId }) => playId);
  const records = await Promise.all(
    [...new Set([...own, ...plays])].map(async (id) => recall(memory, summaries.get(id)) ?? read(sessions, memory, id)),
  );
  return records.filter((session) => session !== undefined).filter(({ endedAt }) => isWatched(endedAt, cursor, now));
}

/** Sessions that began before this moment are named by the cursor, if they are to be watched. */
function toSince(cursor: Cursor | undefined, now: Millis): Millis {
  if (cursor === undefined || cursor.provenAt === null) return now - FIRST_LOOK_MS - MARGIN_MS;
  return Math.min(cursor.provenAt, toMillis(cursor.until)) - MARGIN_MS;
}

/** Listing from the oldest known play on shows which of the known ones are still active. */
const startsOf = (plays: readonly string[], memory: PlayMemory | undefined): readonly Millis[] =>
  plays.flatMap((id) => {
    const known = memory?.session(id);
    return known === undefined ? [] : [Date.parse(known.startedAt)];
  });

function recall(memory: PlayMemory | undefined, summary: SessionSummary | undefined): Session | undefined {
  if (summary === undefined) return undefined;
  const known = memory?.session(summary.playId);
  const isSame = known?.startedAt === summary.startedAt && known.status === summary.status;
  return isSame ? known : undefined;
}

async function read(sessions: SessionStore, memory: PlayMemory | undefined, id: string): Promise<Session | undefined> {
  const session = await sessions.get(id);
  if (session !== undefined) memory?.keepSession(session);
  return session;
}

/** Sessions of the namespace that started since then, newest first. */
async function listSince(sessions: SessionStore, namespace: string, since: Millis): Promise<readonly SessionSummary[]> {
  const recent: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await sessions.list({ namespace, since, limit: PAGE, cursor });
    recent.push(...page.items);
    cursor = page.cursor;
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
