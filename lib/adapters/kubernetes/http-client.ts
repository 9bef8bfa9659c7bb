import { type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Clock } from '#lib/app/ports.ts';
import type { Json } from '#lib/domain/detection/event.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import { notKubernetes, parseObject, toConnectionRefusal, tooLarge, toRefusal, type Wanted } from './refusal.ts';

export interface KubernetesAccess {
  /** Address of the API server: `https://host:port`, or `http://` to a loopback address (`kubectl proxy`, tests). */
  readonly url: string;
  /** PEM of the certificate authority; undefined trusts the well-known ones. */
  readonly ca?: string | undefined;
  /** Asked for at each request, so that a renewed token is taken up. */
  readonly token: () => Promise<string>;
  /** For one request with its whole answer. */
  readonly timeoutMs?: Millis | undefined;
  /** Bytes of one answer, after decompression. */
  readonly maxAnswerBytes?: number | undefined;
}

/** Gets a path within the time until `deadline`. @throws SourceError */
export type KubernetesGet = (path: string, wanted: Wanted, deadline: Millis) => Promise<Json>;

const TIMEOUT_MS = 8_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/** The only method is GET: what this client can ask changes nothing. @throws ConfigError for an unusable address or CA. */
export function createGet(access: KubernetesAccess, clock: Clock): KubernetesGet {
  const base = parseBase(access.url);
  const agent =
    base.protocol === 'https:' ? new Agent({ keepAlive: true, maxSockets: 4, ...toTrust(access.ca) }) : null;
  return async (path, wanted, deadline) => {
    const timeoutMs = Math.min(access.timeoutMs ?? TIMEOUT_MS, deadline - clock.now());
    if (timeoutMs <= 0) throw toConnectionRefusal({ name: 'TimeoutError' }, base.host);
    const headers = await toHeaders(access);
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const response = await send(new URL(`${base.href}${path}`), headers, agent, signal);
      return await readAnswer(response, access.maxAnswerBytes ?? MAX_ANSWER_BYTES, wanted);
    } catch (error) {
      throw toConnectionRefusal(signal.aborted ? signal.reason : error, base.host);
    }
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Without TLS a bearer token would cross the network in the clear: only to this very machine is that allowed. */
function parseBase(text: string): { href: string; host: string; protocol: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !isPlain)) {
    throw new ConfigError('The Kubernetes address must be an https URL such as https://10.0.0.1:6443.');
  }
  if (url.username || url.password) throw new ConfigError('The Kubernetes address must not hold credentials.');
  return { href: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, host: url.host, protocol: url.protocol };
}

function toTrust(ca: string | undefined): { readonly ca?: string } {
  if (ca === undefined) return {};
  if (!/^-----BEGIN CERTIFICATE-----/m.test(ca)) {
    throw new ConfigError('The certificate authority of Kubernetes (KUBE_CA) must be PEM, or PEM in base64.');
  }
  return { ca };
}

async function toHeaders({ token }: KubernetesAccess): Promise<Record<string, string>> {
  // A secret that was stored from a file often ends with a line break.
  const value = (await token()).trim();
  if (!/^[\x21-\x7e]+$/.test(value)) throw new ConfigError('The secret kubernetes-token must be one line of ASCII.');
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    authorization: `Bearer ${value}`,
    'user-agent': 'healer',
  };
}

/** The signal also ends an answer that stops half-way. Redirects are not followed: a token must not travel. */
function send(
  url: URL,
  headers: Record<string, string>,
  agent: Agent | null,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = { method: 'GET', headers, signal };
  return new Promise((resolve, reject) => {
    const request =
      agent === null ? requestPlain(url, options, resolve) : requestSecure(url, { ...options, agent }, resolve);
    request.on('error', reject).end();
  });
}

async function readAnswer(response: IncomingMessage, cap: number, wanted: Wanted): Promise<Json> {
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    const body = (await readCapped(response, MAX_ERROR_BYTES).catch(() => Buffer.alloc(0))).toString('utf8');
    throw toRefusal({ status, body, retryAfterMs: retryAfter(response.headers['retry-after']) }, wanted);
  }
  const text = (await readCapped(response, cap)).toString('utf8');
  if (/^\s*</.test(text)) throw notKubernetes('it is a page of markup');
  const body = parseObject(text);
  if (body === null) throw notKubernetes('it is not a complete JSON object');
  if (!Array.isArray(body['items'])) throw notKubernetes('it is no list');
  return body;
}

/** Stops reading as soon as the cap is passed, so that an answer without end cannot fill the memory. */
async function readCapped(response: IncomingMessage, cap: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(response)) {
    bytes += (chunk as Buffer).length;
    if (bytes > cap) {
      response.destroy();
      throw tooLarge(cap);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function decoded(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const gunzip = createGunzip();
  response.on('error', (error) => gunzip.destroy(error));
  return response.pipe(gunzip);
}

/** Kubernetes gives seconds. */
const retryAfter = (header: string | undefined): Millis | undefined =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
