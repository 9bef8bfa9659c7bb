import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { IncidentStore, ListQuery, Page, SessionStore } from './ports.ts';

export interface SessionsQuery extends ListQuery {
  readonly status?: SessionStatus | undefined;
  /** In any spelling that `toRepositoryName` reads. */
  readonly repository?: string | undefined;
}

export interface ListSessionsPorts {
  readonly sessions: Pick<SessionStore, 'list'>;
  readonly incidents: Pick<IncidentStore, 'ofPlay'>;
}

/** A summary with the number of incidents that the play showed. */
export interface ListedSession extends SessionSummary {
  readonly issueCount: number;
}

/** Plays whose incidents are counted at the same time. */
const AT_ONCE = 20;

/** @throws InputError when the repository or the cursor cannot be read. */
export async function listSessions(ports: ListSessionsPorts, query: SessionsQuery): Promise<Page<ListedSession>> {
  const repository = query.repository && toRepositoryName(query.repository);
  const page = await ports.sessions.list({ ...query, repository });
  const items: ListedSession[] = [];
  for (let i = 0; i < page.items.length; i += AT_ONCE) {
    items.push(...(await Promise.all(page.items.slice(i, i + AT_ONCE).map((item) => counted(ports, item)))));
  }
  return { ...page, items };
}

async function counted({ incidents }: ListSessionsPorts, summary: SessionSummary): Promise<ListedSession> {
  const occurrences = await incidents.ofPlay(summary.playId);
  return { ...summary, issueCount: new Set(occurrences.map(({ incidentId }) => incidentId)).size };
}
