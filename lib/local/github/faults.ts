import { type Answer, fault } from './answer.ts';

/** What can go wrong on GitHub's side, switched on while it runs. */
export type FaultKind =
  /** Answers with this status and does nothing. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  /** Does what was asked, then answers 502: the caller cannot know that it happened. */
  | { readonly kind: 'reply-lost' }
  /** 403 for writing too much in too short a time. */
  | { readonly kind: 'secondary-limit'; readonly retryAfterSeconds?: number }
  /** 403 with no requests left until the given time, in seconds from now. */
  | { readonly kind: 'primary-limit'; readonly resetInSeconds: number }
  /** Lists leave out what was created within this time. */
  | { readonly kind: 'list-lag'; readonly ms: number }
  /** A proxy's page with status 200. */
  | { readonly kind: 'html' }
  /** The connection breaks without an answer. */
  | { readonly kind: 'disconnect' }
  /** Nothing is ever answered. */
  | { readonly kind: 'hang' };

export type Fault = FaultKind & {
  /** Method and beginning of the path that are hit; absent hits all of the API. */
  readonly method?: string;
  readonly path?: RegExp;
  /** How often it happens; absent is until it is switched off. */
  readonly times?: number;
};

export interface Faults {
  /** Switches a fault on; the function returned switches it off. */
  add(fault: Fault): () => void;
  clear(): void;
}

const isHit = (one: Fault, method: string, path: string): boolean =>
  (one.method === undefined || one.method === method) && (one.path === undefined || one.path.test(path));

/** The switched-on faults, asked for each request: the first that matches happens, and is used up by one. */
export function faultSwitches() {
  let active: { fault: Fault; left: number }[] = [];
  return {
    add(one: Fault) {
      const entry = { fault: one, left: one.times ?? Number.POSITIVE_INFINITY };
      active.push(entry);
      return () => {
        active = active.filter((other) => other !== entry);
      };
    },
    clear() {
      active = [];
    },
    take(method: string, path: string): Fault | undefined {
      const entry = active.find(({ fault: one, left }) => left > 0 && isHit(one, method, path));
      if (entry !== undefined) entry.left -= 1;
      return entry?.fault;
    },
  };
}

const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.';

/** The answer of a fault that answers instead of acting; undefined for the others. */
export function answerOf(one: Fault): Answer | undefined {
  switch (one.kind) {
    case 'status':
      return fault(one.status, one.message ?? 'Server Error');
    case 'secondary-limit': {
      const answer = fault(403, SECONDARY);
      const wait = one.retryAfterSeconds;
      return wait === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } };
    }
    case 'primary-limit': {
      const reset = Math.ceil(Date.now() / 1000) + one.resetInSeconds;
      const answer = fault(403, 'API rate limit exceeded for installation.');
      const limits = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
      return { ...answer, headers: { ...answer.headers, ...limits } };
    }
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Sign in</title><p>The proxy asks you to sign in.',
      };
    default:
      return undefined;
  }
}
