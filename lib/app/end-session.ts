import { ConflictError, NotFoundError } from '#lib/domain/errors.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toSpoken } from '#lib/domain/spoken-name.ts';
import { LOOK_AFTER_END_S } from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import type { Clock, Queues, SessionStore } from './ports.ts';

export interface EndSessionPorts {
  readonly sessions: Pick<SessionStore, 'end'>;
  readonly queues: Queues;
  readonly clock: Clock;
  /** Told when the look could not be asked for. */
  readonly onLookFault: (error: unknown) => void;
}

/**
 * Ends an active session and asks for a look at its last lines. Ending it again with the same status answers the same; the first end stands.
 *
 * @throws NotFoundError when there is no such session, ConflictError when it ended with another status.
 */
export async function endSession(
  ports: EndSessionPorts,
  source: string,
  playId: string,
  status: EndStatus,
): Promise<Session> {
  const session = await ports.sessions.end(playId, status, ports.clock.now());
  if (session === undefined) throw new NotFoundError(`No ${toSpoken('session', playId)} is stored.`);
  if (session.status === status) {
    const place = { source, namespace: session.namespace };
    await askForLooks(ports.queues, place, [LOOK_AFTER_END_S]).catch(ports.onLookFault);
    return session;
  }
  const message = `is ${session.status} since ${session.endedAt}`;
  throw new ConflictError(`${toSpoken('Session', playId)} ended before: it ${message}. The first end stands.`, [
    { path: 'status', message },
  ]);
}
