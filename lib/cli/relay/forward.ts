import { setTimeout as wait } from 'node:timers/promises';
import type { RelayTarget } from './target.ts';

/** What became of a start. `message` is the API's own sentence, or why there is none. */
export interface Forwarded {
  readonly status: number;
  readonly message: string;
  /** The API's whole answer to a start that it took. */
  readonly body?: string;
}

export interface ForwardOptions {
  /** Tries in all; a start may be sent again, since an equal one changes nothing. */
  readonly tries: number;
  /** Time that one try may take, in milliseconds. */
  readonly withinMs: number;
  /** Pause before the second try; it doubles with each further one. */
  readonly pauseMs: number;
}

export const FORWARD_OPTIONS: ForwardOptions = { tries: 4, withinMs: 10_000, pauseMs: 300 };

/** A pause that the API asks for is kept up to this long; the play waits for the answer. */
const LONGEST_PAUSE_MS = 5_000;

/** Sends a start to the API; tries again after 429, 5xx and broken connections. Never throws. */
export async function forwardStart(
  { url, token }: RelayTarget,
  body: Buffer,
  { tries, withinMs, pauseMs }: ForwardOptions = FORWARD_OPTIONS,
): Promise<Forwarded> {
  let last: Forwarded = { status: 502, message: 'Healer was not asked.' };
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const { retryAfterMs, ...answer } = await ask(url, token, body, withinMs);
    last = answer;
    if (answer.status !== 429 && answer.status < 500) return answer;
    if (attempt < tries) await wait(Math.min(retryAfterMs ?? pauseMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
  }
  return last;
}

async function ask(
  url: URL,
  token: string | null,
  body: Buffer,
  withinMs: number,
): Promise<Forwarded & { retryAfterMs?: number | undefined }> {
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
  try {
    const signal = AbortSignal.timeout(withinMs);
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal, redirect: 'error' });
    const text = await answer.text();
    return {
      status: answer.status,
      message: toMessage(text, answer.status),
      ...(answer.status === 200 && { body: text }),
      retryAfterMs: toMillis(answer.headers.get('retry-after')),
    };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { status: 502, message: isLate ? 'Healer did not answer in time.' : 'Healer could not be reached.' };
  }
}

/** Healer and API Gateway both say `message`; with faults, the first tells most. */
function toMessage(text: string, status: number): string {
  try {
    const { message, errors } = JSON.parse(text) as { message?: unknown; errors?: { path: string; message: string }[] };
    const [fault] = errors ?? [];
    if (typeof message === 'string') return fault ? `${message} ${fault.path}: ${fault.message}` : message;
  } catch {
    // A proxy's page; told by its status below.
  }
  return `The answer had status ${status} and no message.`;
}

const toMillis = (seconds: string | null): number | undefined =>
  seconds !== null && /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
