import type { ListedSession, SessionsQuery } from '#lib/app/list-sessions.ts';
import type { Page } from '#lib/app/ports.ts';
import type { SessionView } from '#lib/app/show-session.ts';
import type { StartedSession } from '#lib/app/start-session.ts';
import { ConflictError, ForbiddenError } from '#lib/domain/errors.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Session, SessionDeclaration } from '#lib/domain/session/session.ts';
import { isSpeakable } from '#lib/domain/spoken-name.ts';
import { logger } from '#lib/logger.ts';
import { measure } from '#lib/metrics.ts';
import type { Route } from './http-api.ts';
import { failingWith } from './reply.ts';
import { parseEndStatus, parsePlayId, parseSessionsQuery } from './session-requests.ts';
import { toSessionViewReply } from './session-view-wire.ts';
import { toHealthReply, toSessionReply, toSessionsReply, toStartReply } from './session-wire.ts';
import { parseStartRequest } from './start-request.ts';

type Start = (declaration: SessionDeclaration) => Promise<StartedSession>;
type End = (playId: string, status: EndStatus) => Promise<Session>;
type Show = (playId: string) => Promise<SessionView>;
type List = (query: SessionsQuery) => Promise<Page<ListedSession>>;

/** `POST /api/v1/session/start` */
export const startSessionRoute =
  (start: Start): Route =>
  async (request) => {
    const declaration = parseStartRequest(request.json());
    logger.appendKeys({ play_id: declaration.playId });
    const started = await failingWith(toSpokenId(declaration), counted(start(declaration)));
    measure(started.isRepeated ? 'SessionRepeated' : 'SessionStarted');
    logger.info(started.isRepeated ? 'session start repeated' : 'session started', {
      agents: Object.keys(declaration.agents).length,
      tasks: declaration.tasks.length,
    });
    return toStartReply(started.session, started.isRepeated);
  };

/** `POST /api/v1/session/{play_id}/end` */
export const endSessionRoute =
  (end: End): Route =>
  async (request) => {
    const playId = parsePlayId(request);
    logger.appendKeys({ play_id: playId });
    const session = await failingWith({ session: null }, end(playId, parseEndStatus(request.json())));
    measure('SessionEnded');
    logger.info('session ended', { status: session.status });
    return toSessionReply(session);
  };

/** `GET /api/v1/session/{play_id}` */
export const getSessionRoute =
  (show: Show): Route =>
  async (request) => {
    const playId = parsePlayId(request);
    logger.appendKeys({ play_id: playId });
    return toSessionViewReply(await failingWith({ session: null }, show(playId)));
  };

/** `GET /api/v1/sessions` */
export const listSessionsRoute =
  (list: List): Route =>
  async (request) =>
    toSessionsReply(await list(parseSessionsQuery(request)));

/** `GET /api/v1/sessions/active` */
export const listActiveSessionsRoute =
  (list: List): Route =>
  async (request) =>
    toSessionsReply(await list({ ...parseSessionsQuery(request), status: 'active' }));

/** `GET /health` */
export const healthRoute: Route = async () => toHealthReply();

/** The original names the session that it refuses. */
const toSpokenId = ({ playId }: SessionDeclaration) => (isSpeakable(playId) ? { session_id: playId } : {});

/** Counts why a start was refused. */
async function counted<T>(start: Promise<T>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    if (error instanceof ConflictError) measure('SessionConflict');
    if (error instanceof ForbiddenError) measure('RepositoryRefused');
    throw error;
  }
}
