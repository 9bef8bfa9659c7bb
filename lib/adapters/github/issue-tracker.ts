import * as z from 'zod';
import type { IssueTracker, OwnIssue, RepositoryFacts } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { IssueRef } from '#lib/domain/incident/incident.ts';
import { assertAllowed } from '#lib/domain/publication/allow-list.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { Issue, labelsOf, readOwnIssue } from './issue-wire.ts';
import {
  type GitHubAdapterOptions,
  parseAnswer,
  type TargetGuard,
  type TargetSession,
  targetSessions,
} from './target-session.ts';

/** The label by which Healer's issues are listed; each of them carries it. */
const HEALER_LABEL = 'healer';
const PAGE = 100;
/** 10,000 issues of one label: beyond it something is wrong, and half a list must not pass for the whole. */
const MAX_PAGES = 100;

const Repository = z.object({ private: z.boolean(), archived: z.boolean(), has_issues: z.boolean() });

/** What the writers of GitHub may ask for. */
export const writerGuard: TargetGuard = (target, { method, path, body }) => assertAllowed(target, method, path, body);

const toOwnIssue = (issue: Issue): OwnIssue => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
  body: issue.body ?? '',
  isOpen: issue.state === 'open',
});

const toRef = (issue: Issue): IssueRef => ({ number: issue.number, url: issue.html_url });

async function listOwn({ octokit, at, author }: TargetSession, since: Millis): Promise<OwnIssue[]> {
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
    for (const issue of parseAnswer(z.array(Issue), data)) {
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

const toState = (isOpen: boolean | undefined) => {
  if (isOpen === undefined) return {};
  return isOpen ? ({ state: 'open' } as const) : ({ state: 'closed', state_reason: 'completed' } as const);
};

/**
 * GitHub's issues, written under the App's login. Each request passes {@link assertAllowed} before the network. A label
 * that the repository lacks is created by GitHub along with the issue, so none is prepared. `update` adds labels and
 * removes none, since people label too; it costs one content write and one read.
 * Every method throws SourceError: limits, server faults and broken connections are retryable, refusals are not.
 */
export function githubIssueTracker(options: GitHubAdapterOptions): IssueTracker {
  const ask = targetSessions(options, writerGuard);
  return {
    repository: (target) =>
      ask(target, `reading ${target}`, async ({ octokit, at }): Promise<RepositoryFacts> => {
        const { data } = await octokit.request('GET /repos/{owner}/{repo}', at);
        const facts = parseAnswer(Repository, data);
        return { isPublic: !facts.private, isArchived: facts.archived, hasIssues: facts.has_issues };
      }),
    ownIssues: (target, since) => ask(target, `listing issues of ${target}`, (session) => listOwn(session, since)),
    create: (target, { title, body, labels }) =>
      ask(target, `filing an issue in ${target}`, async ({ octokit, at }) => {
        const path = 'POST /repos/{owner}/{repo}/issues';
        const { data } = await octokit.request(path, { ...at, title, body, labels: [...labels] });
        return toRef(parseAnswer(Issue, data));
      }),
    update: (target, number, { title, body, labels, isOpen }) =>
      ask(target, `updating issue ${number} of ${target}`, async (session) => {
        const known = labelsOf(await readOwnIssue(session, number));
        const { data } = await session.octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
          ...session.at,
          issue_number: number,
          title,
          body,
          labels: [...new Set([...known, ...labels])],
          ...toState(isOpen),
        });
        return toRef(parseAnswer(Issue, data));
      }),
  };
}
