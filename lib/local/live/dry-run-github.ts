import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer } from '../ground.ts';
import { listenOn } from '../http/api.ts';
import { isLoopbackHost, readBody } from '../http/requests.ts';
import { jsonAnswer } from '../http/response.ts';

/** A write that a function asked for. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** GitHub's answer; undefined when the write was held. */
  readonly status: number | undefined;
}

export interface DryRunOptions {
  /** Base of GitHub's REST API, without a slash at its end. */
  readonly apiUrl: string;
  readonly isFiling: boolean;
  /** Told of each write; of one that is held only once, however often it is tried. */
  readonly onWrite: (write: Write) => void;
}

/** A front of GitHub's API on loopback that lets reads through, and writes once filing is switched on. */
export interface DryRunGitHub {
  readonly url: string;
  readonly isFiling: () => boolean;
  startFiling(): void;
  stop(): Promise<void>;
}

/** GitHub takes bodies of issues up to 64 KiB; a commit's files are larger. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** The wait that a held write is told: long, so that a dry run of some days uses up no stage's tries. */
const HOLD_S = 86_400;
const HELD = 'Dry run: nothing is written on GitHub. Press f, or start with --file, to file it.';

const FORWARDED = ['accept', 'authorization', 'content-type', 'if-none-match', 'user-agent', 'x-github-api-version'];
/** They belong to one connection, or to the encoding that `fetch` has undone. */
const DROPPED = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding']);

/** Minting a token writes nothing that a person could see. */
const isRead = (method: string, path: string): boolean =>
  method === 'GET' || method === 'HEAD' || /^\/app\/installations\/\d+\/access_tokens$/.test(path);

export async function startDryRunGitHub({ apiUrl, isFiling, onWrite }: DryRunOptions): Promise<DryRunGitHub> {
  let files = isFiling;
  const told = new Set<string>();
  const tell = (write: Write): void => {
    const key = `${write.method} ${write.path} ${write.body}`;
    if (write.status === undefined && told.has(key)) return;
    told.add(key);
    onWrite(write);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = request;
    const body = await readBody(request, MAX_REQUEST_BYTES);
    if (typeof body === 'string' || !isLoopbackHost(request.headers.host)) return void response.destroy();
    if (!isRead(method, path) && !files) {
      tell({ method, path, body: body.toString(), status: undefined });
      return hold(response);
    }
    const answer = await forward(apiUrl, request, body);
    if (!isRead(method, path)) tell({ method, path, body: body.toString(), status: answer.status });
    const headers = toHeaders(answer, apiUrl, `http://${request.headers.host}`);
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    // What breaks on the way to GitHub breaks here too: the function sees the connection end, and tries again.
    handle(request, response).catch(() => response.destroy());
  });
  const port = await listenOn(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    isFiling: () => files,
    startFiling: () => void (files = true),
    stop: () => closeServer(server),
  };
}

/** A refusal that asks to wait: the stage postpones its work and loses nothing. */
function hold(response: ServerResponse): void {
  const { headers, body } = jsonAnswer({ message: HELD });
  response.writeHead(429, { ...headers, 'retry-after': String(HOLD_S) }).end(body);
}

function forward(apiUrl: string, request: IncomingMessage, body: Buffer): Promise<Response> {
  const { method = 'GET', url: path = '/' } = request;
  const headers = FORWARDED.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return fetch(`${apiUrl}${path}`, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

/** Addresses of GitHub's API, as in `link`, become addresses of the front. */
const toHeaders = (answer: Response, apiUrl: string, own: string): Record<string, string> =>
  Object.fromEntries(
    [...answer.headers]
      .filter(([name]) => !DROPPED.has(name))
      .map(([name, value]) => [name, name === 'link' || name === 'location' ? value.replaceAll(apiUrl, own) : value]),
  );
