import { httpApi } from '#lib/edge/http/http-api.ts';
import {
  getSessionRoute,
  healthRoute,
  listActiveSessionsRoute,
  listSessionsRoute,
} from '#lib/edge/http/session-routes.ts';
import { wireSessionRead } from '#lib/wiring/session-read.ts';

const { getSession, listSessions } = wireSessionRead();

export const handler = httpApi({
  'GET /health': healthRoute,
  'GET /api/v1/session/{play_id}': getSessionRoute(getSession),
  'GET /api/v1/sessions': listSessionsRoute(listSessions),
  'GET /api/v1/sessions/active': listActiveSessionsRoute(listSessions),
});
