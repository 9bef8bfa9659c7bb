import { NotFoundError } from '#lib/domain/errors.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toSpoken } from '#lib/domain/spoken-name.ts';
import type { SessionStore } from './ports.ts';

/** @throws NotFoundError when no session of that id is stored, or its retention has passed. */
export async function getSession(sessions: Pick<SessionStore, 'get'>, playId: string): Promise<Session> {
  const session = await sessions.get(playId);
  if (session === undefined) throw new NotFoundError(`No ${toSpoken('session', playId)} is stored.`);
  return session;
}
