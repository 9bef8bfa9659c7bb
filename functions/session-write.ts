import { httpApi } from '#lib/edge/http/http-api.ts';
import { endSessionRoute, startSessionRoute } from '#lib/edge/http/session-routes.ts';
import { wireSessionWrite } from '#lib/wiring/session-write.ts';

const { startSession, endSession } = wireSessionWrite();

export const handler = httpApi({
  'POST /api/v1/session/start': startSessionRoute(startSession),
  'POST /api/v1/session/{play_id}/end': endSessionRoute(endSession),
});
