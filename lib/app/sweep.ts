import { RESEND_AFTER_MS } from '#lib/domain/incident/schedule.ts';
import type { SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';
import { endIdleSessions } from './end-idle-sessions.ts';
import { lookAtSources, type SourcesSight } from './look-at-sources.ts';
import type { Clock, IncidentStore, Queues, SessionStore, WindowStore } from './ports.ts';

export interface SweepPorts {
  readonly sessions: SessionStore;
  readonly windows: Pick<WindowStore, 'cursor' | 'pods' | 'overdue'>;
  readonly incidents: IncidentStore;
  readonly queues: Queues;
  readonly clock: Clock;
}

export interface SweepOptions {
  /** Name of the log source that all namespaces are read from. */
  readonly source: string;
  /** How long the pods of a play may be silent before its session ends. */
  readonly idleAfter: Millis;
  /** Queues that have a consumer; work for another one stays in the table until it has. */
  readonly consumed: readonly QueueName[];
}

export interface SweepResult extends SourcesSight {
  /** Sessions whose time was over and that were ended. */
  readonly expired: number;
  /** Sessions that ended since none of their pods spoke. */
  readonly idle: number;
  readonly active: number;
  readonly namespaces: number;
  readonly resent: number;
}

const PAGE = 500;
/** Sessions that one pass ends; the rest waits for the next pass. */
const EXPIRE_AT_MOST = 200;
/** Old sessions whose pods one pass looks at; the others have their turn in the passes after it. */
const LOOK_FOR_IDLE_AT_MOST = 100;
const OVERDUE_CURSORS_AT_MOST = 200;
/** Overdue heads that one pass sends again; the rest waits for the next pass. */
const RESEND_AT_MOST = 200;

/** One pass of each minute: asks for a look at every namespace with active sessions, and sends again what is overdue. */
export async function sweep(ports: SweepPorts, options: SweepOptions): Promise<SweepResult> {
  const now = ports.clock.now();
  const expired = await ports.sessions.endExpired(now, EXPIRE_AT_MOST);
  const listed = await listActive(ports.sessions);
  const idle = await endIdleSessions(ports, { ...options, lookAtMost: LOOK_FOR_IDLE_AT_MOST }, listed, now);
  const active = listed.filter(({ playId }) => !idle.includes(playId));
  const watched = await askForWindows(ports, options.source, active);
  const resent = await resendOverdue(ports, options);
  const sight = await lookAtSources(ports.windows, options.source, watched, active, now);
  return { expired, idle: idle.length, active: active.length, namespaces: watched.size, resent, ...sight };
}

/** Namespaces with active sessions, and those whose cursor owes a read: an ended session's last lines, a source that failed. */
async function askForWindows(
  ports: SweepPorts,
  source: string,
  active: readonly SessionSummary[],
): Promise<ReadonlySet<string>> {
  const overdue = await ports.windows.overdue(ports.clock.now(), OVERDUE_CURSORS_AT_MOST);
  const owed = overdue.filter((cursor) => cursor.source === source);
  const namespaces = new Set([...active, ...owed].map(({ namespace }) => namespace));
  await Promise.all([...namespaces].map((namespace) => ports.queues.send('window', { source, namespace })));
  return namespaces;
}

/** All active sessions, page by page. */
export async function listActive(sessions: SessionStore): Promise<readonly SessionSummary[]> {
  const all: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await sessions.list({ status: 'active', limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

async function resendOverdue(ports: SweepPorts, options: SweepOptions): Promise<number> {
  const now = ports.clock.now();
  let resent = 0;
  for (const work of await ports.incidents.overdue(now, RESEND_AT_MOST)) {
    const { id, next } = work;
    if (next === null || !options.consumed.includes(next)) continue;
    if (!(await ports.incidents.reschedule(work, now + RESEND_AFTER_MS))) continue;
    await ports.queues.send(next, { incident: id });
    resent += 1;
  }
  return resent;
}
