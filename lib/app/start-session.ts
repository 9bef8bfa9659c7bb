import { ConflictError } from '#lib/domain/errors.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { type AllowList, ensureAllowed } from '#lib/domain/session/allow-list.ts';
import { differences, hashDeclaration } from '#lib/domain/session/declaration.ts';
import { redactDeclaration } from '#lib/domain/session/redact-declaration.ts';
import type { Session, SessionDeclaration } from '#lib/domain/session/session.ts';
import { toSpoken } from '#lib/domain/spoken-name.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { LOOK_AFTER_START_S } from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import type { Clock, Queues, SessionStore } from './ports.ts';

export interface StartSessionPorts {
  readonly sessions: Pick<SessionStore, 'start'>;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Told when the look could not be asked for: the session stands, and the sweep looks within a minute. */
  readonly onLookFault: (error: unknown) => void;
}

export interface StartSessionOptions {
  /** Name of the log source that the play is read from. */
  readonly source: string;
  readonly allowed: AllowList;
  /** How long a session lives at most when nobody ends it. */
  readonly maxAge: Millis;
  /** How long its record is kept after that. */
  readonly retention: Millis;
}

/** `isRepeated`: the same declaration was stored and is still active; callers retry. */
export interface StartedSession {
  readonly session: Session;
  readonly isRepeated: boolean;
}

/**
 * Records that a play starts, before its first agent does, and asks for a look at it. Secrets in
 * what was declared are taken out before anything is stored.
 *
 * @throws ForbiddenError when the deployment does not watch the repository; ConflictError naming what differs when the play
 * is active with another declaration; InputError when the repository is none.
 */
export async function startSession(
  ports: StartSessionPorts,
  { source, allowed, maxAge, retention }: StartSessionOptions,
  declared: SessionDeclaration,
): Promise<StartedSession> {
  ensureAllowed(declared.repository, allowed);
  const declaration = await redactDeclaration(declared, ports.redactor);
  const now = ports.clock.now();
  const expiresAt = now + maxAge;
  const outcome = await ports.sessions.start(toSession(declaration, now), {
    expiresAt,
    removeAt: expiresAt + retention,
  });
  const { namespace } = declaration;
  if (outcome.kind === 'started')
    await askForLooks(ports.queues, { source, namespace }, [LOOK_AFTER_START_S]).catch(ports.onLookFault);
  if (outcome.kind !== 'differs') return { session: outcome.session, isRepeated: outcome.kind === 'repeated' };
  throw new ConflictError(
    `${toSpoken('Session', declaration.playId)} is active with another declaration. End it first, or start under another play_id.`,
    differences(outcome.session, declaration),
  );
}

const toSession = (declaration: SessionDeclaration, now: Millis): Session => ({
  ...declaration,
  status: 'active',
  startedAt: toIso(now),
  lastUpdated: toIso(now),
  endedAt: null,
  endedBy: null,
  declarationHash: hashDeclaration(declaration),
});
