import type { Octokit } from '@octokit/rest';
import * as z from 'zod';
import type { Clock, IssueTracker, OwnIssue, RepositoryFacts, RepositoryToken } from '#lib/app/ports.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { IssueRef } from '#lib/domain/incident/incident.ts';
import { assertAllowed } from '#lib/domain/publication/allow-list.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { githubClient } from './github-client.ts';
import { toGitHubError } from './github-error.ts';
import type { TokenSource } from './token-source.ts';

/** The label by which Healer's issues are listed; each of them carries it. */
const HEALER_LABEL = 'healer';
const PAGE = 100;
/** 10,000 issues of one label: beyond it something is wrong, and half a list must not pass for the whole. */
const MAX_PAGES = 100;

const Repository = z.object({ private: z.boolean(), archived: z.boolean(), has_issues: z.boolean() });
const Label = z.union([z.string(), z.object({ name: z.string().nullish() })]);
const Issue = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(Label),
  pull_request: z.unknown().optional(),
});
type Issue = z.infer<typeof Issue>;

/** @throws SourceError for an answer that is not GitHub's, such as a proxy's page */
function parse<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new SourceError({
    source: 'github',
    message: 'the answer is not of the form that GitHub documents',
    retryable: true,
    advice: 'Check that GITHUB_API_URL is the base of a GitHub REST API and no proxy answers for it.',
  });
}

const toOwnIssue = (issue: Issue): OwnIssue => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
  body: issue.body ?? '',
  isOpen: issue.state === 'open',
});

const toRef = (issue: Issue): IssueRef => ({ number: issue.number, url: issue.html_url });

const labelsOf = (issue: Issue): string[] =>
  issue.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter((name) => name !== '');

interface Session {
  readonly octokit: Octokit;
  readonly at: { readonly owner: string; readonly repo: string };
  readonly author: string;
}

async function listOwn({ octokit, at, author }: Session, since: Millis): Promise<OwnIssue[]> {
  const found = new Map<number, OwnIssue>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/issues', {
      ...at,
      labels: HEALER_LABEL,
      creator: author,
      state: 'all',
      sort: 'created',
      direction: 'desc',
      since: toIso(since),
      per_page: PAGE,
      page,
    });
    for (const issue of parse(z.array(Issue), data)) {
      if (issue.user?.login === author && issue.pull_request === undefined) found.set(issue.number, toOwnIssue(issue));
    }
    if (!/rel="next"/.test(headers.link ?? '')) return [...found.values()].sort((a, b) => b.number - a.number);
  }
  throw new SourceError({
    source: 'github',
    message: `more than ${MAX_PAGES * PAGE} issues carry the label ${HEALER_LABEL}`,
    retryable: false,
    advice: 'Remove the label from old issues, so that the list can be read whole.',
  });
}

/** @throws GuardError for an issue that somebody else wrote: a number alone does not make it Healer's */
async function readOwn({ octokit, at, author }: Session, number: number): Promise<Issue> {
  const path = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
  const { data } = await octokit.request(path, { ...at, issue_number: number });
  const issue = parse(Issue, data);
  if (issue.user?.login === author) return issue;
  throw new GuardError('own issues', `issue ${number} was not written by ${author}`);
}

const toState = (isOpen: boolean | undefined) => {
  if (isOpen === undefined) return {};
  return isOpen ? ({ state: 'open' } as const) : ({ state: 'closed', state_reason: 'completed' } as const);
};

export interface IssueTrackerOptions {
  readonly tokens: TokenSource;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

function openSession(target: string, token: RepositoryToken, options: IssueTrackerOptions): Session {
  const octokit = githubClient({
    apiUrl: options.apiUrl,
    timeoutMs: options.timeoutMs,
    auth: token.token,
    guard: ({ method, path, body }) => assertAllowed(target, method, path, body),
  });
  const [owner = '', repo = ''] = target.split('/');
  return { octokit, at: { owner, repo }, author: token.author };
}

/**
 * GitHub's issues, written under the App's login. Each request passes {@link assertAllowed} before the network. A label
 * that the repository lacks is created by GitHub along with the issue, so none is prepared. `update` adds labels and
 * removes none, since people label too; it costs one content write and one read.
 * Every method throws SourceError: limits, server faults and broken connections are retryable, refusals are not.
 */
export function githubIssueTracker(options: IssueTrackerOptions): IssueTracker {
  /** Runs with a token; one that GitHub refuses, because it was revoked, is replaced once. */
  async function ask<T>(target: string, what: string, work: (session: Session) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(openSession(target, await options.tokens.get(target), options));
      } catch (cause) {
        const error = toGitHubError(cause, what, options.clock);
        if (!(error instanceof SourceError && error.source === 'github' && error.status === 401)) throw error;
        options.tokens.forget(target);
        if (attempt > 1) throw error;
      }
    }
  }

  return {
    repository: (target) =>
      ask(target, `reading ${target}`, async ({ octokit, at }): Promise<RepositoryFacts> => {
        const { data } = await octokit.request('GET /repos/{owner}/{repo}', at);
        const facts = parse(Repository, data);
        return { isPublic: !facts.private, isArchived: facts.archived, hasIssues: facts.has_issues };
      }),
    ownIssues: (target, since) => ask(target, `listing issues of ${target}`, (session) => listOwn(session, since)),
    create: (target, { title, body, labels }) =>
      ask(target, `filing an issue in ${target}`, async ({ octokit, at }) => {
        const path = 'POST /repos/{owner}/{repo}/issues';
        const { data } = await octokit.request(path, { ...at, title, body, labels: [...labels] });
        return toRef(parse(Issue, data));
      }),
    update: (target, number, { title, body, labels, isOpen }) =>
      ask(target, `updating issue ${number} of ${target}`, async (session) => {
        const known = labelsOf(await readOwn(session, number));
        const { data } = await session.octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
          ...session.at,
          issue_number: number,
          title,
          body,
          labels: [...new Set([...known, ...labels])],
          ...toState(isOpen),
        });
        return toRef(parse(Issue, data));
      }),
  };
}
