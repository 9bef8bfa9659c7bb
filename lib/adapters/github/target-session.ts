import type { Octokit } from '@octokit/rest';
import type * as z from 'zod';
import type { Clock, RepositoryToken } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { githubClient, type OutgoingRequest } from './github-client.ts';
import { toGitHubError } from './github-error.ts';
import type { TokenSource } from './token-source.ts';

/** Octokit for one repository, and under whose login it speaks. */
export interface TargetSession {
  readonly octokit: Octokit;
  readonly at: { readonly owner: string; readonly repo: string };
  readonly author: string;
}

export interface GitHubAdapterOptions {
  readonly tokens: TokenSource;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** Throws to refuse a request about `target` before it reaches the network. */
export type TargetGuard = (target: string, request: OutgoingRequest) => void;

function openSession(
  target: string,
  token: RepositoryToken,
  options: GitHubAdapterOptions,
  guard: TargetGuard,
): TargetSession {
  const octokit = githubClient({
    apiUrl: options.apiUrl,
    timeoutMs: options.timeoutMs,
    auth: token.token,
    guard: (request) => guard(target, request),
  });
  const [owner = '', repo = ''] = target.split('/');
  return { octokit, at: { owner, repo }, author: token.author };
}

export type Ask = <T>(target: string, what: string, work: (session: TargetSession) => Promise<T>) => Promise<T>;

/**
 * Runs work with a token; one that GitHub refuses, because it was revoked, is replaced once. Each request passes the guard
 * before the network; errors are SourceErrors that say `what` was tried.
 */
export function targetSessions(options: GitHubAdapterOptions, guard: TargetGuard): Ask {
  return async (target, what, work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(openSession(target, await options.tokens.get(target), options, guard));
      } catch (cause) {
        const error = toGitHubError(cause, what, options.clock);
        if (!(error instanceof SourceError && error.source === 'github' && error.status === 401)) throw error;
        options.tokens.forget(target);
        if (attempt > 1) throw error;
      }
    }
  };
}

/** @throws SourceError for an answer that is not GitHub's, such as a proxy's page */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new SourceError({
    source: 'github',
    message: 'the answer is not of the form that GitHub documents',
    retryable: true,
    advice: 'Check that GITHUB_API_URL is the base of a GitHub REST API and no proxy answers for it.',
  });
}

/** Whether an error is GitHub's answer with this status. */
export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof Error && error.name === 'HttpError' && 'status' in error && error.status === status;
