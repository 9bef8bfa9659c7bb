import { ConflictError, NotFoundError } from '#lib/domain/errors.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { Clock, SessionStore } from './ports.ts';

export interface EndSessionPorts {
  readonly sessions: Pick<SessionStore, 'end'>;
  readonly clock: Clock;
}

/**
 * Ends an active session. Ending it again with the same status answers the same; the first end stands.
 *
 * @throws NotFoundError when there is no such session, ConflictError when it ended with another status.
 */
export async function endSession(
  { sessions, clock }: EndSessionPorts,
  playId: string,
  status: EndStatus,
): Promise<Session> {
  const session = await sessions.end(playId, status, clock.now());
  if (session === undefined) throw new NotFoundError(`No session ${playId} is stored.`);
  if (session.status === status) return session;
  const message = `is ${session.status} since ${session.endedAt}`;
  throw new ConflictError(`Session ${playId} ended before: it ${message}. The first end stands.`, [
    { path: 'status', message },
  ]);
}
