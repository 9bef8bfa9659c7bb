import { Octokit } from '@octokit/rest';
import { SourceError } from '#lib/domain/errors.ts';

/** A request as it would leave, before it does. `path` is without the API's base and without the query. */
export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface GitHubClientOptions {
  /** Base of the REST API, `https://api.github.com`, or `https://<host>/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  /** Either a token, or a strategy of Octokit with its options. */
  readonly auth: string | { readonly strategy: unknown; readonly options: object };
  /** Throws to refuse a request before it reaches the network. */
  readonly guard: (request: OutgoingRequest) => void;
  readonly timeoutMs?: number | undefined;
}

const API_VERSION = '2022-11-28';
const TIMEOUT_MS = 10_000;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Options = Parameters<Octokit['request']['endpoint']['parse']>[0];

/** What would be sent. @throws SourceError when it would go elsewhere than to the configured API. */
function toOutgoing(octokit: Octokit, options: Options, apiUrl: string): OutgoingRequest {
  const { method, url, body } = octokit.request.endpoint.parse(options);
  const base = new URL(apiUrl);
  const target = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');
  if (target.origin !== base.origin || !target.pathname.startsWith(`${prefix}/`)) {
    throw elsewhere('a request would leave for a host other than the configured API', undefined);
  }
  return { method, path: target.pathname.slice(prefix.length), body };
}

const elsewhere = (message: string, status: number | undefined): SourceError =>
  new SourceError({
    source: 'github',
    message,
    retryable: false,
    advice: 'The repository was renamed, moved or transferred: announce plays under its present name.',
    status,
  });

/**
 * An Octokit that speaks to one API, passes each request through `guard`, gives each 10 s, and follows no redirect: a
 * token must not travel, and a guard that saw one path must not be answered from another.
 */
export function githubClient({ apiUrl, auth, guard, timeoutMs = TIMEOUT_MS }: GitHubClientOptions): Octokit {
  const octokit = new Octokit({
    baseUrl: apiUrl.replace(/\/$/, ''),
    userAgent: 'healer',
    log: SILENT,
    request: { redirect: 'manual', log: SILENT },
    ...(typeof auth === 'string' ? { auth } : { authStrategy: auth.strategy, auth: auth.options }),
  });
  octokit.hook.before('request', (options) => {
    guard(toOutgoing(octokit, options, apiUrl));
    options.headers['x-github-api-version'] = API_VERSION;
    options.request = { ...options.request, signal: AbortSignal.timeout(timeoutMs) };
  });
  octokit.hook.after('request', (response, options) => {
    // Logs of jobs are the one thing that GitHub serves elsewhere; the caller gets the address, not the content.
    if (response.status === 302 && options.url.endsWith('/actions/jobs/{job_id}/logs')) return;
    if (response.status >= 300) throw elsewhere(`GitHub answered ${response.status}: moved`, response.status);
  });
  return octokit;
}
