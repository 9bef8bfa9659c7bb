import type { Clock } from '#lib/app/ports.ts';
import { HealerError, SourceError } from '#lib/domain/errors.ts';

/** The wait that GitHub asks for after a secondary limit that names none. Source: its REST best practices. */
const SECONDARY_WAIT_MS = 60_000;

type Headers = Readonly<Record<string, string | number | undefined>>;

/** What Octokit throws for an answer of 400 and above; for a broken connection `response` is absent. */
interface RequestFault {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly headers: Headers; readonly data?: unknown };
}

const isRequestFault = (error: unknown): error is RequestFault =>
  error instanceof Error && error.name === 'HttpError' && 'status' in error;

/** GitHub's own sentence, without the documentation link that Octokit appends; never a request body or a token. */
function saying(fault: RequestFault): string {
  const data = fault.response?.data;
  const said = typeof data === 'object' && data !== null && 'message' in data ? String(data.message) : '';
  return said.slice(0, 300);
}

/** Milliseconds that a rate limit asks to wait; undefined when the answer is no rate limit. */
function rateLimitWait(status: number, headers: Headers, said: string, clock: Clock): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(retryAfter)) return retryAfter * 1000;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  if (String(headers['x-ratelimit-remaining']) === '0' && Number.isFinite(reset)) {
    return Math.max(0, reset * 1000 - clock.now());
  }
  return status === 429 || /secondary rate limit|abuse detection/i.test(said) ? SECONDARY_WAIT_MS : undefined;
}

/** Advice by what GitHub says in words, where the status alone does not tell. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/archived/i, 'Unarchive the repository, or take it out of the allowed repositories.'],
  [/issues are disabled/i, 'Switch issues on in the settings of the repository.'],
  [/suspended/i, "Unsuspend the installation of Healer's GitHub App in the settings of the owner."],
  [
    /not accessible by|permissions requested are not granted/i,
    "Grant Healer's GitHub App the permissions of docs/security.md and let the owner accept them.",
  ],
  [/not accessible to|repositories requested/i, "Add the repository to the installation of Healer's GitHub App."],
];

const BY_STATUS: Readonly<Record<number, string>> = {
  401: "Check the App id and the App's private key in the secret store, and the clock.",
  403: "Check the permissions of Healer's GitHub App on the repository.",
  404: "Check the repository's name, and that Healer's GitHub App is installed on it.",
  410: 'Switch issues on in the settings of the repository; a deleted issue cannot be written to.',
  422: "GitHub found the request's content invalid; the message says which field.",
};

function adviceFor(status: number, said: string): string {
  const byWords = BY_WORDS.find(([expression]) => expression.test(said))?.[1];
  return byWords ?? BY_STATUS[status] ?? 'See the message and https://www.githubstatus.com.';
}

/** 408 and 409 pass by themselves; so do all server faults. */
const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 409;

function toAnswered(fault: RequestFault, what: string, clock: Clock): SourceError {
  const { status } = fault;
  const said = saying(fault);
  const wait = rateLimitWait(status, fault.response?.headers ?? {}, said, clock);
  return new SourceError({
    source: 'github',
    message: `${what}: GitHub answered ${status}${said === '' ? '' : ` (${said})`}`,
    retryable: wait !== undefined || isTransient(status),
    advice: wait === undefined ? adviceFor(status, said) : 'Healer waits and goes on by itself.',
    status,
    retryAfterMs: wait,
  });
}

/**
 * What went wrong as a {@link SourceError}. Healer's own errors (a refused request, say) pass unchanged, and the cause is
 * left out: Octokit's errors carry the request with its body.
 * @param what what was tried, as the beginning of a sentence: `filing an issue in acme/shop`
 */
export function toGitHubError(error: unknown, what: string, clock: Clock): HealerError {
  if (error instanceof HealerError) return error;
  if (isRequestFault(error) && error.response !== undefined) return toAnswered(error, what, clock);
  const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown';
  return new SourceError({
    source: 'github',
    message: `${what}: GitHub was not reached (${reason})`,
    retryable: true,
    advice: 'Check the network and https://www.githubstatus.com.',
  });
}
