import { toEvent } from '#lib/local/http/event.ts';
import { gatewayAnswer, toHttpAnswer } from '#lib/local/http/response.ts';
import { findRoute, parseRoute } from '#lib/local/http/routes.ts';
import { aLambdaContext } from './builders/lambda.ts';
import { type Asked, aHttpPeer, type HttpPeer } from './http-peer.ts';
import { answerFaults } from './openapi.ts';
import type { SessionApi } from './session-api.ts';

/** The token that {@link serveSessionApi} lets in. */
export const API_TOKEN = 'hlr_test';

const WRITES = ['POST /api/v1/session/start', 'POST /api/v1/session/{play_id}/end'];
const READS = [
  'GET /',
  'GET /health',
  'GET /openapi.json',
  'GET /api/v1/session/{play_id}',
  'GET /api/v1/sessions',
  'GET /api/v1/sessions/active',
  'GET /api/v1/incidents',
  'GET /api/v1/incidents/{id}',
];

/**
 * The session API's functions behind a socket, as API Gateway puts them there: 401 without a token, 403 with a wrong one.
 * `faults` collects what the OpenAPI document finds wrong with the answers.
 */
export async function serveSessionApi(api: SessionApi): Promise<HttpPeer & { readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const routes = [...WRITES.map((key) => parseRoute(key, api.write)), ...READS.map((key) => parseRoute(key, api.read))];
  const answerTo = async ({ method, path, headers, body }: Asked) => {
    const found = findRoute(routes, method, path.split('?')[0] ?? '/');
    if (found === undefined) return gatewayAnswer(404, 'Not Found');
    const { key, target } = found.route;
    const isOpen = key === 'GET /' || key === 'GET /health';
    if (!isOpen && headers.authorization === undefined) return gatewayAnswer(401, 'Unauthorized');
    if (!isOpen && headers.authorization !== `Bearer ${API_TOKEN}`) return gatewayAnswer(403, 'Forbidden');
    const request = { method, url: path, headers, body: Buffer.from(body), sourceIp: '127.0.0.1' };
    const answer = toHttpAnswer(
      JSON.stringify(await target(toEvent(request, key, found.pathParameters), aLambdaContext())),
    );
    if (key !== 'GET /') faults.push(...(await answerFaults(key, answer.status, JSON.parse(String(answer.body)))));
    return answer;
  };
  const peer = await aHttpPeer((response, asked) => {
    void answerTo(asked)
      .catch((error: unknown) => gatewayAnswer(500, String(error)))
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  return { ...peer, faults };
}
