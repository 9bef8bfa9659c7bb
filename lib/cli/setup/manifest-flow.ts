import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { ConfigError, HealerError } from '#lib/domain/errors.ts';
import type { Manifest } from './manifest.ts';
import { HEADERS, toEndPage, toStartPage } from './pages.ts';

export interface FlowWish<T> {
  /** 0 takes any that is free. */
  readonly port: number;
  /** GitHub's page that takes a manifest. */
  readonly newAppUrl: string;
  readonly toManifest: (redirectUrl: string) => Manifest;
  /** Exchanges the code that GitHub gave. */
  readonly exchange: (code: string) => Promise<T>;
  /** Told the address that the person opens. */
  readonly onAddress: (url: string) => void;
  /** Aborted when the person gives up. */
  readonly signal: AbortSignal;
  /** How long the person may take, in milliseconds. */
  readonly withinMs: number;
}

const CREATED = '/created';
const CODE = /^[\w-]{1,200}$/;

/**
 * GitHub's manifest flow, with the person's browser: a page on loopback posts the manifest to GitHub, GitHub sends the
 * browser back with a code, and the code is exchanged. An answer that does not carry this run's state is refused.
 * @throws ConfigError when nobody comes in time; what `exchange` throws
 */
export async function runManifestFlow<T>(wish: FlowWish<T>): Promise<T> {
  const server = createServer();
  const host = await listen(server, wish.port);
  const [key, state] = [toSecret(), toSecret()];
  const start = toStartPage(wish.toManifest(`http://${host}${CREATED}`), `${wish.newAppUrl}?state=${state}`);
  const made = Promise.withResolvers<T>();
  const stop = () => made.reject(new ConfigError('stopped: if GitHub shows the new App already, delete it there'));
  const timer = setTimeout(() => made.reject(tooLate(wish.withinMs)), wish.withinMs);
  wish.signal.addEventListener('abort', stop);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const asked = toAsked(request, { host, key, state });
    if (asked === 'start') return show(response, 200, start);
    if (asked === 'elsewhere') return show(response, 404, toEndPage('Nothing is here', 'See the terminal.'));
    if (asked === 'wrong') return show(response, 400, NOT_OURS);
    clearTimeout(timer);
    finish(wish.exchange(asked.code), response).then(made.resolve, made.reject);
  });
  wish.onAddress(`http://${host}/${key}`);
  if (wish.signal.aborted) stop();
  try {
    return await made.promise;
  } finally {
    clearTimeout(timer);
    wish.signal.removeEventListener('abort', stop);
    await close(server);
  }
}

const NOT_OURS = toEndPage('This is not the answer', 'It does not belong to the run in the terminal.');

/** What the browser wants: the page, GitHub's answer with its code, one that is not of this run, or something else. */
function toAsked(
  { method, url = '/', headers }: IncomingMessage,
  own: { readonly host: string; readonly key: string; readonly state: string },
): 'start' | 'elsewhere' | 'wrong' | { readonly code: string } {
  const base = `http://${own.host}`;
  // Another Host is a page of another site that has this address in its name.
  if (method !== 'GET' || headers.host !== own.host || !URL.canParse(url, base)) return 'elsewhere';
  const { pathname, searchParams } = new URL(url, base);
  if (pathname === `/${own.key}`) return 'start';
  if (pathname !== CREATED) return 'elsewhere';
  const code = toCode(searchParams, own.state);
  return code === undefined ? 'wrong' : { code };
}

async function finish<T>(exchanged: Promise<T>, response: ServerResponse): Promise<T> {
  try {
    const made = await exchanged;
    await written(response, 200, toEndPage('The App is made', 'Go on in the terminal.'));
    return made;
  } catch (error) {
    const reason = error instanceof HealerError ? error.message : 'see the terminal';
    await written(response, 502, toEndPage('It did not work', reason));
    throw error;
  }
}

function toCode(query: URLSearchParams, state: string): string | undefined {
  const given = Buffer.from(query.get('state') ?? '');
  const expected = Buffer.from(state);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  const code = query.get('code') ?? '';
  return isOurs && CODE.test(code) ? code : undefined;
}

const toSecret = (): string => Buffer.from(systemRandom.bytes(24)).toString('base64url');

const tooLate = (ms: number): ConfigError =>
  new ConfigError(`nobody came back from GitHub within ${Math.round(ms / 60_000)} minutes: run it again`);

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, HEADERS).end(page);
}

const written = (response: ServerResponse, status: number, page: string): Promise<void> =>
  // A browser that has gone closes without having taken it.
  new Promise((resolve) =>
    response
      .once('close', resolve)
      .writeHead(status, HEADERS)
      .end(page, () => resolve()),
  );

/** @throws ConfigError when the port is taken */
const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', () =>
      reject(new ConfigError(`port ${port} of this machine is taken: name another with --port`)),
    );
    server.listen(port, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
