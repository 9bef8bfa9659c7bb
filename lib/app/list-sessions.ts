import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { ListQuery, Page, SessionStore } from './ports.ts';

export interface SessionsQuery extends ListQuery {
  readonly status?: SessionStatus | undefined;
  /** In any spelling that `toRepositoryName` reads. */
  readonly repository?: string | undefined;
}

/** @throws InputError when the repository or the cursor cannot be read. */
export const listSessions = async (
  sessions: Pick<SessionStore, 'list'>,
  query: SessionsQuery,
): Promise<Page<SessionSummary>> =>
  sessions.list({ ...query, repository: query.repository && toRepositoryName(query.repository) });
