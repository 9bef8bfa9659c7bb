import { httpApi } from '#lib/edge/http/http-api.ts';
import { getIncidentRoute, listIncidentsRoute } from '#lib/edge/http/incident-routes.ts';
import { openApiRoute } from '#lib/edge/http/openapi-route.ts';
import { pageRoute } from '#lib/edge/http/page/page-route.ts';
import {
  getSessionRoute,
  healthRoute,
  listActiveSessionsRoute,
  listSessionsRoute,
} from '#lib/edge/http/session-routes.ts';
import { wireSessionRead } from '#lib/wiring/session-read.ts';

const { showSession, listSessions, showIncident, listIncidents } = wireSessionRead();

export const handler = httpApi({
  'GET /health': healthRoute,
  'GET /api/v1/session/{play_id}': getSessionRoute(showSession),
  'GET /api/v1/sessions': listSessionsRoute(listSessions),
  'GET /api/v1/sessions/active': listActiveSessionsRoute(listSessions),
  'GET /api/v1/incidents': listIncidentsRoute(listIncidents),
  'GET /api/v1/incidents/{id}': getIncidentRoute(showIncident),
  'GET /openapi.json': openApiRoute,
  'GET /': pageRoute,
});
