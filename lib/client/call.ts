import { HealerCallError, parseObject, toFailure } from './failure.ts';

/** Where Healer is, and how patient calls are. */
export interface HealerOptions {
  /** E.g. `https://abc.execute-api.eu-central-1.amazonaws.com`, or `http://127.0.0.1:8083` for the local stack. */
  readonly url: string;
  /** Made by `healer token create`; the local stack needs none. */
  readonly token?: string | undefined;
  /** Milliseconds for one attempt, the answer's body included. */
  readonly timeoutMs?: number;
  /** Attempts of one call, the first included. */
  readonly attempts?: number;
  /** Milliseconds for all attempts of one call, pauses included. */
  readonly deadlineMs?: number;
  /** Ends every call. */
  readonly signal?: AbortSignal;
}

interface Request {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
const DEADLINE_MS = 30_000;
/** The pauses' upper bounds: 250 ms, doubled each time up to 8 s. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** Sends requests, again where that may help. @throws HealerCallError for an address that cannot be one */
export function createCall(options: HealerOptions): <T>(request: Request) => Promise<T> {
  const base = parseBase(options.url);
  const { attempts = ATTEMPTS, deadlineMs = DEADLINE_MS } = options;
  return async <T>(request: Request) => {
    const init = toInit(request, options.token);
    const deadline = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      const failure = await sendOnce<T>(`${base}${request.path}`, init, options, deadline).catch(toCallError);
      if (!(failure instanceof HealerCallError)) return failure;
      const pause = pauseAfter(attempt, failure.retryAfterMs);
      const isOver = attempt >= attempts || performance.now() + pause >= deadline;
      if (!failure.retryable || isOver || options.signal?.aborted) throw failure;
      await sleep(pause, options.signal);
    }
  };
}

const WRONG_URL = 'The address of Healer must be an http or https URL without credentials, query and fragment.';

function parseBase(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
  if (!isPlain || url.search !== '' || url.hash !== '') throw new HealerCallError(WRONG_URL, { retryable: false });
  return url.href.replace(/\/$/, '');
}

async function sendOnce<T>(url: string, init: RequestInit, options: HealerOptions, deadline: number): Promise<T> {
  const left = Math.max(1, Math.min(options.timeoutMs ?? TIMEOUT_MS, deadline - performance.now()));
  const signals = [AbortSignal.timeout(Math.ceil(left)), ...(options.signal ? [options.signal] : [])];
  const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
  const text = await response.text();
  if (!response.ok) throw toFailure(response.status, response.headers, text);
  const answer = parseObject(text);
  if (answer === undefined) throw new HealerCallError(NO_JSON, { status: response.status, retryable: false });
  return answer as T;
}

const NO_JSON = 'The answer is no JSON object: something other than Healer seems to be at this address.';

const UNSENDABLE = 'The request cannot be sent: the token is no header value, or the body no JSON.';

function toInit({ method, body }: Request, token: string | undefined): RequestInit {
  try {
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (token !== undefined && token !== '') headers.set('authorization', `Bearer ${token}`);
    // Followed, a redirect would take the token along.
    return { method, headers, redirect: 'manual', ...(body !== undefined && { body: JSON.stringify(body) }) };
  } catch (error) {
    throw new HealerCallError(UNSENDABLE, { retryable: false, cause: error });
  }
}

/** Time-outs and lost connections may pass; the reason is the system's word, e.g. ECONNREFUSED. */
function toCallError(error: unknown): HealerCallError {
  if (error instanceof HealerCallError) return error;
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === 'AbortError') return new HealerCallError('The call was ended.', { retryable: false, cause: error });
  const reason = name === 'TimeoutError' ? 'it did not answer in time' : (cause?.code ?? 'the connection failed');
  return new HealerCallError(`Healer cannot be reached: ${reason}`, { retryable: true, cause: error });
}

/** Full jitter: callers that failed together come back apart. What the answer asked for is the least. */
function pauseAfter(attempt: number, retryAfterMs = 0): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  // oxlint-disable-next-line confined/clock -- the client stands alone, without Healer's ports
  return retryAfterMs + Math.random() * longest;
}

/** Ends early when the signal does. */
const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
