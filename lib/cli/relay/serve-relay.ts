import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { LIMITS } from '#lib/edge/http/limits.ts';
import { isLoopbackHost, isLoopbackOrigin, readBody } from '#lib/local/http/requests.ts';
import { FORWARD_OPTIONS, type Forwarded, type ForwardOptions, forwardStart } from './forward.ts';
import { type RelayTarget, START_PATH } from './target.ts';

export interface RelayOptions extends RelayTarget {
  /** Told once a request: `200`, and a sentence. */
  readonly onAnswer: (answer: Forwarded) => void;
  readonly forward?: ForwardOptions;
}

/** A caller that does not send its request within this time is cut off. */
const REQUEST_WITHIN_MS = 10_000;
const CONNECTIONS_AT_MOST = 50;

/**
 * Listens for the original MCP server's notification: HTTP/1.1 to an IP address, without authorisation, `Connection:
 * close`, `POST /api/v1/session/start`. Whoever can open a connection on this machine may announce plays, so pages of
 * other sites, which a browser sends here, are refused. The server is not listening yet.
 */
export function createRelay(options: RelayOptions): Server {
  const limits = { requestTimeout: REQUEST_WITHIN_MS, headersTimeout: REQUEST_WITHIN_MS };
  const server = createServer(limits, (request, response) => void serve(request, response, options));
  server.maxConnections = CONNECTIONS_AT_MOST;
  return server;
}

async function serve(request: IncomingMessage, response: ServerResponse, options: RelayOptions): Promise<void> {
  const answered = await answer(request, options);
  if (answered === undefined) return;
  options.onAnswer(answered);
  const body = toBody(answered);
  response.sendDate = false;
  response.writeHead(answered.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

async function answer(request: IncomingMessage, options: RelayOptions): Promise<Forwarded | undefined> {
  const { host, origin, 'content-type': type = '' } = request.headers;
  const body = await readBody(request, LIMITS.bodyBytes);
  if (body === 'aborted') return undefined;
  if (body === 'too large') return { status: 413, message: `The body has more than ${LIMITS.bodyBytes} bytes.` };
  if (!isLoopbackHost(host) || !isLoopbackOrigin(origin))
    return { status: 403, message: 'The relay serves programs of this machine, by 127.0.0.1.' };
  if (request.url !== START_PATH) return { status: 404, message: `The relay has one route: POST ${START_PATH}.` };
  if (request.method !== 'POST') return { status: 405, message: `The relay has one route: POST ${START_PATH}.` };
  if (!/^application\/json\b/i.test(type)) return { status: 415, message: 'Send it as application/json.' };
  const forwarded = await forwardStart(options, body, options.forward ?? FORWARD_OPTIONS);
  // A status that node has no words for would not be one that the caller reads.
  return forwarded.status in STATUS_CODES ? forwarded : { ...forwarded, status: 502 };
}

/** A body of this size at most keeps the numbers in its head below those that the caller looks for. */
const MESSAGE_AT_MOST = 240;

/**
 * The original looks for the text `200 OK`, and without it for `409`, in all that it reads, so that a refusal has them in
 * the status line or nowhere.
 */
function toBody({ message, body }: Forwarded): string {
  return (
    body ??
    JSON.stringify({ status: 'error', message: message.replaceAll(/200 OK|409/g, '…').slice(0, MESSAGE_AT_MOST) })
  );
}
