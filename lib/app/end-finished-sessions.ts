import { sessionEnd } from '#lib/domain/detection/kubernetes/session-end.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toNanos } from '#lib/domain/time.ts';
import { LOOK_AFTER_END_S } from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import type { ClusterLook } from './look-at-cluster.ts';
import type { Clock, Queues, SessionStore } from './ports.ts';

export interface EndFinishedPorts {
  readonly sessions: Pick<SessionStore, 'end'>;
  readonly queues: Queues;
  readonly clock: Clock;
}

/**
 * Ends active sessions all of whose CodeRuns are terminal, and asks for the last looks at their logs. Whoever ended one
 * first is right. Returns the ids of those that were ended.
 */
export async function endFinishedSessions(
  ports: EndFinishedPorts,
  source: string,
  sessions: readonly Session[],
  { state, owners }: ClusterLook,
): Promise<readonly string[]> {
  if (state === null) return [];
  const ended: string[] = [];
  for (const session of sessions.filter(({ status }) => status === 'active')) {
    const now = ports.clock.now();
    const end = sessionEnd(state, owners, session, toNanos(now));
    if (end === null) continue;
    const stored = await ports.sessions.end(session.playId, end.status, now, 'kubernetes');
    if (stored?.endedBy !== 'kubernetes') continue;
    ended.push(session.playId);
    await askForLooks(ports.queues, { source, namespace: session.namespace }, [LOOK_AFTER_END_S]);
  }
  return ended;
}
