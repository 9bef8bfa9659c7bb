import type { Ended, IncidentAnswer, IncidentPage, SessionDetail, SessionPage, Started } from './answers.ts';
import { createCall, type HealerOptions } from './call.ts';
import type { EndStatus, IncidentState, SessionStart, SessionStatus } from './types.ts';

interface PageQuery {
  /** Entries of a page, 1 to 1000; 100 when it is left out. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  readonly repository?: string | undefined;
}

interface SessionQuery extends PageQuery {
  readonly status?: SessionStatus | undefined;
}

interface IncidentQuery extends PageQuery {
  readonly state?: IncidentState | undefined;
}

/** The session API, typed. Each call is safe to repeat and is repeated on 429, 5xx and lost connections. */
export interface HealerClient {
  /** Announces a play. */
  start(session: SessionStart): Promise<Started>;
  get(playId: string): Promise<SessionDetail>;
  /** Newest first. */
  list(query?: SessionQuery): Promise<SessionPage>;
  listActive(query?: PageQuery): Promise<SessionPage>;
  end(playId: string, status: EndStatus): Promise<Ended>;
  incidents(query?: IncidentQuery): Promise<IncidentPage>;
  incident(id: string): Promise<IncidentAnswer>;
}

/**
 * @throws HealerCallError when the address cannot be one. Every method rejects with one when the call does not succeed.
 */
export function createHealerClient(options: HealerOptions): HealerClient {
  const call = createCall(options);
  const get = <T>(path: string) => call<T>({ method: 'GET', path });
  const post = <T>(path: string, body: unknown) => call<T>({ method: 'POST', path, body });
  return {
    start: (session) => post('/api/v1/session/start', session),
    get: (playId) => get(`/api/v1/session/${encodeURIComponent(playId)}`),
    list: (query) => get(`/api/v1/sessions${toQuery(query)}`),
    listActive: (query) => get(`/api/v1/sessions/active${toQuery(query)}`),
    end: (playId, status) => post(`/api/v1/session/${encodeURIComponent(playId)}/end`, { status }),
    incidents: (query) => get(`/api/v1/incidents${toQuery(query)}`),
    incident: (id) => get(`/api/v1/incidents/${encodeURIComponent(id)}`),
  };
}

function toQuery(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** A play must not wait long for Healer. */
const START_DEADLINE_MS = 10_000;

/**
 * Announces a play and never throws: a play must not fail because Healer is away. What went wrong is one sentence for
 * `warn`. Returns whether the session stands.
 */
export async function startSessionOrWarn(
  options: HealerOptions,
  session: SessionStart,
  warn: (message: string) => void,
): Promise<boolean> {
  try {
    await createHealerClient({ deadlineMs: START_DEADLINE_MS, ...options }).start(session);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    tryTo(() => warn(`Healer does not watch this play: ${reason}`));
    return false;
  }
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // The caller's own log is broken, and the play goes on all the same.
  }
}
