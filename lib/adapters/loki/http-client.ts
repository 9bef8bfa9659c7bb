import type { Clock } from '#lib/app/ports.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import { notLoki, toConnectionRefusal, tooLarge, toRefusal } from './refusal.ts';

/** How Healer names itself to Loki. Secrets are asked for at each request, so that a rotated one is taken up. */
export type LokiAuth =
  | { readonly kind: 'basic'; readonly user: string; readonly password: () => Promise<string> }
  | { readonly kind: 'bearer'; readonly token: () => Promise<string> };

export interface LokiAccess {
  /** Base address; a path before `/loki/api/v1` is kept, what follows it is cut. */
  readonly url: string;
  /** Sent as X-Scope-OrgID. */
  readonly tenant?: string | undefined;
  readonly auth?: LokiAuth | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For one request with its whole answer. Loki's own limits are 30 s for a write and 1 min for a query. */
  readonly timeoutMs?: Millis | undefined;
  /** Bytes of one answer, after decompression. */
  readonly maxAnswerBytes?: number | undefined;
  /** Ends requests that are under way, where somebody may stop waiting (Ctrl-C). */
  readonly signal?: AbortSignal | undefined;
}

/** What must not be taken from the platform: the clock, and waiting. */
export interface LokiTime {
  readonly clock: Clock;
  readonly sleep: (ms: Millis) => Promise<void>;
  /** A query is not tried again where that would take a longer wait; absent, the time that a read may take is the limit. */
  readonly longestPauseMs?: Millis | undefined;
}

export interface LokiAnswer {
  /** Parsed JSON with `status: "success"`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Size after decompression. */
  readonly bytes: number;
}

/** Posts a form to a path under `/loki/api/v1`, within the time until `deadline`. @throws LokiRefusal */
export type LokiPost = (path: string, form: Readonly<Record<string, string>>, deadline: Millis) => Promise<LokiAnswer>;

const TIMEOUT_MS = 35_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/** @throws ConfigError for an address that cannot be used. */
export function createPost(access: LokiAccess, time: LokiTime): LokiPost {
  const base = parseBase(access.url);
  assertHeaders({ ...access.headers, ...(access.tenant ? { 'X-Scope-OrgID': access.tenant } : {}) });
  const host = base.host;
  return async (path, form, deadline) => {
    const timeoutMs = Math.min(access.timeoutMs ?? TIMEOUT_MS, deadline - time.clock.now());
    if (timeoutMs <= 0) throw toConnectionRefusal({ name: 'TimeoutError' }, host);
    const headers = await toHeaders(access);
    try {
      const response = await fetch(`${base.href}/loki/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
        // A redirect could carry the credentials to another host, or end on a page that is not Loki's.
        redirect: 'manual',
        signal: toSignal(access, timeoutMs),
      });
      return await readAnswer(response, access.maxAnswerBytes ?? MAX_ANSWER_BYTES, time.clock);
    } catch (error) {
      throw toConnectionRefusal(error, host);
    }
  };
}

function toSignal({ signal }: LokiAccess, timeoutMs: Millis): AbortSignal {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

function parseBase(text: string): { href: string; host: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError('The Loki address must be an http or https URL such as https://logs.example.com.');
  }
  if (url.username || url.password) {
    throw new ConfigError('The Loki address must not hold a user or password; store them as the Loki credentials.');
  }
  const path = url.pathname.replace(/\/loki\/api\/.*$/, '').replace(/\/+$/, '');
  return { href: `${url.origin}${path}`, host: url.host };
}

/** `fetch` repeats a value that it refuses in its error, so values are checked first. */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\w-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)) continue;
    throw new ConfigError(
      `The header ${JSON.stringify(name)} for Loki must have a value of printable ASCII characters.`,
    );
  }
}

async function toHeaders({ tenant, auth, headers }: LokiAccess): Promise<Record<string, string>> {
  return {
    ...headers,
    ...(tenant ? { 'x-scope-orgid': tenant } : {}),
    ...(auth ? { authorization: await authorize(auth) } : {}),
    accept: 'application/json',
    'accept-encoding': 'gzip',
    // An empty answer out of a cache would hide a line that came late.
    'cache-control': 'no-cache',
    'content-type': 'application/x-www-form-urlencoded',
    'x-loki-response-encoding-flags': 'categorize-labels',
  };
}

async function authorize(auth: LokiAuth): Promise<string> {
  if (auth.kind === 'bearer') {
    const token = withoutLineEnd(await auth.token());
    assertHeaders({ Authorization: token });
    return `Bearer ${token}`;
  }
  return `Basic ${Buffer.from(`${auth.user}:${withoutLineEnd(await auth.password())}`).toString('base64')}`;
}

/** A secret that was stored from a file often ends with a line break. */
const withoutLineEnd = (secret: string): string => secret.replace(/[\r\n]+$/, '');

async function readAnswer(response: Response, cap: number, clock: Clock): Promise<LokiAnswer> {
  if (response.status !== 200) {
    const text = await readCapped(response, MAX_ERROR_BYTES).catch(() => Buffer.alloc(0));
    throw toRefusal(response.status, text.toString('utf8'), retryAfter(response.headers.get('retry-after'), clock));
  }
  const bytes = await readCapped(response, cap);
  return { body: parseBody(bytes.toString('utf8')), bytes: bytes.length };
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  if (/^\s*</.test(text)) throw notLoki('it is a page of markup');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw notLoki('it is not complete JSON', 'failing');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notLoki('it is not a JSON object');
  const { status } = body as { status?: unknown };
  if (status !== 'success') throw notLoki('its status is not "success"');
  return body as Record<string, unknown>;
}

/** Stops reading as soon as the cap is passed, so that an answer without end cannot fill the memory. */
async function readCapped(response: Response, cap: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > cap) throw tooLarge(cap);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Retry-After in milliseconds: seconds, or a date. */
function retryAfter(header: string | null, clock: Clock): Millis | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - clock.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
