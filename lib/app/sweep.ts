import { RESEND_AFTER_MS } from '#lib/domain/incident/schedule.ts';
import type { SessionSummary } from '#lib/domain/session/session.ts';
import type { QueueName } from '#lib/flow.ts';
import type { Clock, IncidentStore, Queues, SessionStore } from './ports.ts';

export interface SweepPorts {
  readonly sessions: SessionStore;
  readonly incidents: IncidentStore;
  readonly queues: Queues;
  readonly clock: Clock;
}

export interface SweepOptions {
  /** Name of the log source that all namespaces are read from. */
  readonly source: string;
  /** Queues that have a consumer; work for another one stays in the table until it has. */
  readonly consumed: readonly QueueName[];
}

export interface SweepResult {
  /** Sessions whose time was over and that were ended. */
  readonly expired: number;
  readonly active: number;
  readonly namespaces: number;
  readonly resent: number;
}

const PAGE = 500;
/** Sessions that one pass ends; the rest waits for the next pass. */
const EXPIRE_AT_MOST = 200;
/** Overdue heads that one pass sends again; the rest waits for the next pass. */
const RESEND_AT_MOST = 200;

/** One pass of each minute: asks for a look at every namespace with active sessions, and sends again what is overdue. */
export async function sweep(ports: SweepPorts, options: SweepOptions): Promise<SweepResult> {
  const expired = await ports.sessions.endExpired(ports.clock.now(), EXPIRE_AT_MOST);
  const active = await listActive(ports.sessions);
  const namespaces = [...new Set(active.map((session) => session.namespace))];
  for (const namespace of namespaces) await ports.queues.send('window', { source: options.source, namespace });
  return { expired, active: active.length, namespaces: namespaces.length, resent: await resendOverdue(ports, options) };
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
  for (const incident of await ports.incidents.overdue(now, RESEND_AT_MOST)) {
    const { next } = incident;
    if (next === null || !options.consumed.includes(next)) continue;
    if (!(await ports.incidents.reschedule(incident, now + RESEND_AFTER_MS))) continue;
    await ports.queues.send(next, { incident: incident.id });
    resent += 1;
  }
  return resent;
}
