import type { HealerClient, Incident, IncidentDetail, SessionDetail, SessionSummary } from '#lib/client/index.ts';

export interface SessionRow {
  readonly summary: SessionSummary;
  readonly detail: SessionDetail;
}

export interface Overview {
  readonly sessions: readonly SessionRow[];
  readonly incidents: readonly IncidentDetail[];
  readonly hasMore: boolean;
}

/** Details that are asked for at the same time: a page must not use up the API's throttle. */
const AT_ONCE = 4;

/**
 * Reads what the first view shows. Details are kept while their list entry stays the same, so a look at a quiet
 * deployment costs two requests and one for each active session.
 */
export function createLoader(healer: Pick<HealerClient, 'list' | 'get' | 'incidents' | 'incident'>) {
  const sessions = new Map<string, SessionDetail>();
  const incidents = new Map<string, IncidentDetail>();
  return async (limit: number): Promise<Overview> => {
    const [sessionPage, incidentPage] = await Promise.all([healer.list({ limit }), healer.incidents({ limit })]);
    const sessionRows = await inTurn(sessionPage.sessions, async (summary) => {
      const load = () => healer.get(summary.play_id);
      // The logs of a session that has just ended are still being read.
      const detail = await kept(sessions, sessionKey(summary), load, ({ healer: seen }) => isSettled(summary, seen));
      return { summary, detail };
    });
    const details = await inTurn(incidentPage.incidents, (incident) =>
      kept(
        incidents,
        `${incident.id} ${incident.last_updated}`,
        async () => (await healer.incident(incident.id)).incident,
      ),
    );
    forget(sessions, new Set(sessionPage.sessions.map(sessionKey)));
    forget(incidents, new Set(incidentPage.incidents.map((each: Incident) => `${each.id} ${each.last_updated}`)));
    const hasMore = sessionPage.next_cursor !== null || incidentPage.next_cursor !== null;
    return { sessions: sessionRows, incidents: details, hasMore };
  };
}

const sessionKey = ({ play_id, status, issue_count, started_at }: SessionSummary): string =>
  `${play_id} ${started_at} ${status} ${issue_count}`;

const isSettled = ({ status }: SessionSummary, { ended_at, coverage }: SessionDetail['healer']): boolean =>
  status !== 'active' && ended_at !== null && coverage.proven_until !== null && coverage.proven_until >= ended_at;

async function kept<T>(
  store: Map<string, T>,
  key: string,
  load: () => Promise<T>,
  isLasting: (value: T) => boolean = () => true,
): Promise<T> {
  const known = store.get(key);
  if (known !== undefined) return known;
  const value = await load();
  if (isLasting(value)) store.set(key, value);
  return value;
}

function forget(store: Map<string, unknown>, keys: ReadonlySet<string>): void {
  for (const key of store.keys()) if (!keys.has(key)) store.delete(key);
}

/** Some at a time, results in the order of the items. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))));
  }
  return results;
}

const OVER: ReadonlySet<string> = new Set(['resolved', 'dismissed']);

/** Numbers of the strip above the lists. */
export function toTotals({ sessions, incidents }: Overview) {
  return {
    active: sessions.filter(({ summary }) => summary.status === 'active').length,
    unseen: sessions.filter(({ detail }) => {
      const { state, gaps } = detail.healer.coverage;
      return state === 'blind' || gaps.length > 0;
    }).length,
    open: incidents.filter(({ state }) => !OVER.has(state)).length,
    resolved: incidents.filter(({ state }) => state === 'resolved').length,
  };
}
