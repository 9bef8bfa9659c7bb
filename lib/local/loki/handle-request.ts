import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { toGoJson } from './encode-answer.ts';
import type { FaultState } from './faults.ts';
import type { PushedStream, PushOutcome } from './push-entries.ts';
import { parsePush } from './push-entries.ts';
import { badRequest, LokiHttpError } from './refusal.ts';
import { answerQuery } from './routes.ts';
import type { LokiStore } from './store.ts';

/** What requests act on. */
export interface LokiBackend {
  readonly tenants: boolean;
  readonly maxEntries: number;
  readonly faults: FaultState;
  readonly push: (tenant: string, streams: readonly PushedStream[]) => PushOutcome;
  readonly storeOf: (tenant: string) => LokiStore;
}

/** Loki's own name for the tenant when tenants are off. */
export const NO_TENANT = 'fake';

const PLAIN = 'text/plain; charset=utf-8';
const MAX_BODY_BYTES = 32 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly retryAfter?: number | undefined;
}

/** Answers one HTTP request; never throws. */
export async function handleRequest(backend: LokiBackend, request: IncomingMessage, response: ServerResponse) {
  try {
    const body = await readBody(request);
    const answer = answerTo(backend, request, body);
    if (answer) reply(request, response, answer);
    else response.destroy();
  } catch (error) {
    const status = error instanceof LokiHttpError ? error.status : 500;
    const text = error instanceof Error ? error.message : 'internal error';
    reply(request, response, { status, type: PLAIN, text: `${text}\n` });
  }
}

/** Undefined: the connection is to be reset. */
function answerTo(backend: LokiBackend, request: IncomingMessage, body: Buffer): Answer | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loki');
  if (pathname === '/ready') return { status: 200, type: PLAIN, text: 'ready\n' };
  const met = backend.faults.next();
  if (met?.fault === 'down') return undefined;
  if (met?.fault === 'html') return { status: 200, type: 'text/html', text: '<!DOCTYPE html><title>Sign in</title>' };
  if (met?.fault === 'unavailable') return { status: 503, type: PLAIN, text: 'Service Unavailable\n' };
  if (met?.fault === 'busy') {
    return { status: 429, type: PLAIN, text: 'too many outstanding requests\n', retryAfter: met.retryAfter };
  }
  const tenant = tenantOf(backend, pathname, request);
  if (pathname === '/loki/api/v1/push') return acceptPush(backend, request, tenant, body);
  const isForm = String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const params = new URLSearchParams([...searchParams, ...new URLSearchParams(isForm ? body.toString('utf8') : '')]);
  const isCategorized = String(request.headers['x-loki-response-encoding-flags']).includes('categorize-labels');
  const query = { path: pathname, params, isCategorized, maxEntries: backend.maxEntries };
  const json = toGoJson(answerQuery(backend.storeOf(tenant), query));
  const text = met?.fault === 'truncated' ? json.slice(0, json.length / 2) : json;
  return { status: 200, type: 'application/json; charset=UTF-8', text };
}

function acceptPush({ push }: LokiBackend, request: IncomingMessage, tenant: string, body: Buffer): Answer {
  if (request.method !== 'POST') throw new LokiHttpError(405, 'method not allowed');
  const { refusals } = push(tenant, parsePush(body.toString('utf8')));
  if (refusals.length > 0) throw badRequest(refusals.join('\n'));
  return { status: 204, type: PLAIN, text: '' };
}

/** The limits' endpoint asks for a tenant even where tenants are off. */
function tenantOf({ tenants }: LokiBackend, path: string, request: IncomingMessage): string {
  const header = request.headers['x-scope-orgid'];
  if ((tenants || path === '/loki/api/v1/drilldown-limits') && !header) throw new LokiHttpError(401, 'no org id');
  if (!tenants) return NO_TENANT;
  const tenant = String(header);
  if (tenant.includes('|')) throw badRequest('multiple org IDs present');
  return tenant;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new LokiHttpError(413, 'request body too large');
    chunks.push(chunk);
  }
  const encoding = request.headers['content-encoding'] ?? '';
  if (encoding !== '' && encoding !== 'gzip') throw badRequest(`Content-Encoding "${encoding}" not supported`);
  const body = Buffer.concat(chunks);
  return encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: MAX_BODY_BYTES }) : body;
}

function reply(request: IncomingMessage, response: ServerResponse, { status, type, text, retryAfter }: Answer): void {
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  const takesGzip = String(request.headers['accept-encoding']).includes('gzip') && status !== 204;
  if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(status, { 'Content-Type': type }).end(takesGzip ? gzipSync(text) : text);
}
