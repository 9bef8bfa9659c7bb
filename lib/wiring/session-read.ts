import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { getSession } from '#lib/app/get-session.ts';
import { listSessions, type SessionsQuery } from '#lib/app/list-sessions.ts';
import { readConfig, required } from '#lib/config.ts';

const settings = { sessionsTable: required('SESSIONS_TABLE', 'the name of the sessions table') };

/** @throws ConfigError at cold start: Lambda logs it with all its faults and API Gateway answers 500 without them. */
export function wireSessionRead() {
  const { sessionsTable } = readConfig(settings);
  const sessions = sessionStore({ client: toDocumentClient(), table: sessionsTable, clock: systemClock });
  return {
    getSession: (playId: string) => getSession(sessions, playId),
    listSessions: (query: SessionsQuery) => listSessions(sessions, query),
  };
}
