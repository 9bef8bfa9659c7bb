import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { answerRead, type Route, toRoute } from './answer.ts';
import { ApiFault, apiFault, notInstalled } from './api-fault.ts';
import type { createFaults, MetFault } from './faults.ts';
import type { ObjectStore } from './store.ts';

/** What requests act on. */
export interface KubernetesBackend {
  readonly store: ObjectStore;
  readonly faults: ReturnType<typeof createFaults>;
  /** Resources that may not be read: `pods`, `batch/jobs`. */
  readonly denied: Set<string>;
  /** Resources whose definition is not installed. */
  readonly unknown: Set<string>;
  readonly requests: { readonly method: string; readonly path: string }[];
  readonly token: string;
}

/** Answers above it are compressed for clients that take that, as by the real server. */
const GZIP_FROM = 128 * 1024;

/** Answers one request; never throws. */
export async function handleRequest(
  backend: KubernetesBackend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  backend.requests.push({ method, path: url });
  const { pathname, searchParams } = new URL(url, 'http://kubernetes');
  const resource = toRoute(pathname)?.plural ?? '';
  const met = backend.faults.next({ resource, isContinued: searchParams.has('continue') });
  if (met?.fault === 'slow') await wait(met.ms ?? 1000);
  if (met !== undefined && answerFault(met, response)) return;
  try {
    const body = JSON.stringify(answer(backend, request, pathname, searchParams));
    if (met?.fault === 'cut') cut(response, body);
    else reply(request, response, body);
  } catch (error) {
    refuse(response, error instanceof ApiFault ? error : apiFault(500, 'InternalError', 'Internal error occurred'));
  }
}

const refuse = (response: ServerResponse, { status, type, text }: ApiFault, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);

function reply(request: IncomingMessage, response: ServerResponse, body: string): void {
  const takesGzip = String(request.headers['accept-encoding']).includes('gzip') && body.length > GZIP_FROM;
  response.setHeader('content-type', 'application/json');
  if (takesGzip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200).end(takesGzip ? gzipSync(body) : body);
}

/** Half of the answer, then the connection breaks. */
function cut(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
}

const FAULT_ANSWERS = {
  unauthorized: () => apiFault(401, 'Unauthorized', 'Unauthorized'),
  busy: () => apiFault(429, 'TooManyRequests', 'too many requests, please try again later'),
  failing: () => apiFault(500, 'InternalError', 'etcdserver: request timed out'),
  expired: () => apiFault(410, 'Expired', 'The provided continue parameter is too old to display a consistent list.'),
} as const;

/** Answers in the place of the right answer; false where the right one follows. */
function answerFault({ fault, retryAfter }: MetFault, response: ServerResponse): boolean {
  if (fault === 'slow' || fault === 'cut') return false;
  if (fault === 'down') response.destroy();
  else if (fault === 'html')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
  else if (fault === 'garbage')
    response.writeHead(200, { 'content-type': 'application/json' }).end('\u0000\u0001{"items":');
  else if (fault === 'redirect') response.writeHead(302, { location: 'https://sign-in.example.com/' }).end();
  else {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    refuse(response, FAULT_ANSWERS[fault](), headers);
  }
  return true;
}

/** The checks of the real server, in its order: who asks, whether that is allowed, whether it exists. */
function answer(backend: KubernetesBackend, request: IncomingMessage, path: string, query: URLSearchParams): object {
  const { authorization } = request.headers;
  if (authorization !== undefined && authorization !== `Bearer ${backend.token}`) {
    throw apiFault(401, 'Unauthorized', 'Unauthorized');
  }
  const route = toRoute(path);
  if (route === undefined) throw apiFault(404, 'NotFound', 'the server could not find the requested resource');
  ensureAllowed(backend, route, String(request.method), authorization !== undefined);
  if (route.resource === undefined || backend.unknown.has(route.plural)) throw notInstalled();
  return answerRead(backend.store, { ...route, resource: route.resource }, query);
}

function ensureAllowed({ denied }: KubernetesBackend, route: Route, method: string, isKnown: boolean): void {
  const { group, plural, namespace, name } = route;
  if (isKnown && method === 'GET' && !denied.has(plural) && !denied.has(`${group}/${plural}`)) return;
  const user = isKnown ? `system:serviceaccount:${namespace}:healer` : 'system:anonymous';
  const verb = method === 'GET' ? (name === undefined ? 'list' : 'get') : method.toLowerCase();
  const what = `resource "${plural}" in API group "${group}" in the namespace "${namespace}"`;
  const subject = group === '' ? plural : `${plural}.${group}`;
  const message = `${subject} is forbidden: User "${user}" cannot ${verb} ${what}`;
  throw apiFault(403, 'Forbidden', message, { kind: plural, group });
}
