import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator } from 'emulate';
import { actors, parseJson } from './actors.ts';
import { fault } from './answer.ts';
import { appHook } from './app-hook.ts';
import { appManifests } from './app-manifests.ts';
import { backendClient } from './backend.ts';
import { continuousIntegration } from './ci.ts';
import { withEtag } from './etag.ts';
import { type Faults, faultSwitches } from './faults.ts';
import { answerRequest, type Outcome, type Parts, type RecordedRequest } from './front.ts';
import type { Incoming } from './incoming.ts';
import type { GitHubOptions } from './options.ts';
import { pullHeads } from './pull-heads.ts';
import { installationsOf, seedThrough, toEmulatorSeed } from './seed.ts';
import { commitStatuses } from './statuses.ts';
import { DELIVERIES } from './webhooks.ts';

const APP_ID = 4711;
/** GitHub refuses larger requests too. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;

export interface EmbeddedGitHub {
  /** Base of the API and of the pages for people, without a slash at its end. */
  readonly url: string;
  /** What the broker's secrets `github-app-id` and `github-app-key` hold. */
  readonly appId: string;
  readonly privateKey: string;
  /** Of the first owner; `installations` has all. */
  readonly installationId: number;
  readonly installations: ReadonlyMap<string, number>;
  /** Login under which the App writes. */
  readonly author: string;
  /** Every API request that arrived, oldest first. */
  requests(): readonly RecordedRequest[];
  readonly faults: Faults;
  /** Suspends the App's installations (its tokens end), or takes that back. */
  suspend(isSuspended: boolean): void;
  /** Asks the API with all rights, as a person who sets the scene; not recorded. */
  asAdmin(method: string, path: string, body?: unknown): Promise<{ status: number; data: unknown }>;
  stop(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) throw new Error('request too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, outcome: Outcome): void {
  if (outcome.hangs === true) return;
  if (outcome.answer === undefined) {
    response.destroy();
    return;
  }
  const { status, headers, body } = outcome.answer;
  response.writeHead(status, { ...headers, date: new Date().toUTCString() }).end(body);
}

/** Serves the parts on the server, and keeps the record. */
function serve(server: Server, parts: Parts, record: RecordedRequest[]): void {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const { authorization, accept = '' } = request.headers;
    const { method = 'GET', url: path = '/' } = request;
    if (path === DELIVERIES) {
      response.end();
      return parts.hook.deliver(request.headers, body);
    }
    const incoming: Incoming = { method, path, authorization, accept, body };
    const answered = await answerRequest(parts, incoming);
    const known = request.headers['if-none-match'];
    const outcome =
      answered.answer === undefined ? answered : { ...answered, answer: withEtag(answered.answer, method, known) };
    const isApi =
      !String(outcome.answer?.headers['content-type']).startsWith('text/html') || authorization !== undefined;
    const status = outcome.answer?.status ?? 0;
    if (isApi)
      record.push({ at: Date.now(), method, path, actor: outcome.actor, body: parseJson(body.toString()), status });
    write(response, outcome);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(() => write(response, { actor: '', answer: fault(500, 'Server Error') }));
  });
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** A port that nobody holds; with a base URL of its own, the emulator does not tell which one it took. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0);
  await close(probe);
  return port;
}

/** Starts the emulator; a port that somebody took in between is replaced by another. */
async function startEmulator(baseUrl: string, seed: ReturnType<typeof toEmulatorSeed>) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    try {
      const emulator = await createEmulator({ service: 'github', port, hostname: '127.0.0.1', baseUrl, seed });
      return { emulator, port };
    } catch (error) {
      if (attempt === 5 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

const makeKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/**
 * Starts a GitHub of its own on 127.0.0.1: the stateful emulator `emulate` behind a front that adds what GitHub does and
 * the emulator does not (`test/contracts/github` has a case for each). Its times follow `Date`. The App's key is made at
 * start and never leaves the process except by the value returned.
 */
export async function startGitHub(options: GitHubOptions): Promise<EmbeddedGitHub> {
  const { privateKey, publicKey } = makeKey();
  const app = { id: APP_ID, slug: options.appSlug ?? 'healer', privateKey };
  const adminToken = randomBytes(24).toString('hex');
  const server = createServer();
  const host = `127.0.0.1:${await listen(server, options.port ?? 0)}`;
  const url = `http://${host}`;
  const { emulator, port } = await startEmulator(url, toEmulatorSeed(options, app, adminToken, url));
  const backend = backendClient({ port, host, adminToken });
  await seedThrough(backend, options);

  let isSuspended = false;
  const record: RecordedRequest[] = [];
  const known = actors({ id: String(app.id), slug: app.slug, publicKey });
  for (const { login, token } of options.users ?? []) known.addPerson(login, token);
  const faults = faultSwitches();
  const pulls = pullHeads(backend);
  const ci = continuousIntegration({ backend, pulls, script: options.ci, baseUrl: url });
  const statuses = commitStatuses(backend);
  const hook = appHook(options.webhook);
  const manifests = appManifests({ ...app, baseUrl: url }, hook);
  const parts = {
    backend,
    pulls,
    actors: known,
    faults,
    ci,
    statuses,
    hook,
    manifests,
    isSuspended: () => isSuspended,
  };
  serve(server, parts, record);

  const installations = installationsOf(options.repositories);
  return {
    url,
    appId: String(app.id),
    privateKey,
    installations,
    installationId: [...installations.values()][0] ?? 0,
    author: `${app.slug}[bot]`,
    requests: () => [...record],
    faults,
    suspend(suspended) {
      isSuspended = suspended;
      if (suspended) known.revokeMinted();
    },
    asAdmin: (method, path, body) => backend.asAdmin(method, path, body),
    async stop() {
      await close(server);
      await emulator.close();
    },
  };
}
