import * as z from 'zod';
import type { IssueView } from '#lib/app/ports.ts';
import { GuardError } from '#lib/domain/errors.ts';
import { parseAnswer, type TargetSession } from './target-session.ts';

const Label = z.union([z.string(), z.object({ name: z.string().nullish() })]);

/** An issue as GitHub answers it; only what Healer reads. */
export const Issue = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(Label),
  pull_request: z.unknown().optional(),
});
export type Issue = z.infer<typeof Issue>;

export const labelsOf = (issue: Issue): string[] =>
  issue.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter((name) => name !== '');

/** A closed issue without a reason was closed before GitHub had reasons: completed. `duplicate` is not planned. */
export const toIssueView = (issue: Issue): IssueView => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
  body: issue.body ?? '',
  author: issue.user?.login ?? '',
  isOpen: issue.state === 'open',
  reason:
    issue.state === 'open' ? null : (issue.state_reason ?? 'completed') === 'completed' ? 'completed' : 'not_planned',
  labels: labelsOf(issue),
});

export async function readIssue({ octokit, at }: TargetSession, number: number): Promise<Issue> {
  const path = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
  const { data } = await octokit.request(path, { ...at, issue_number: number });
  return parseAnswer(Issue, data);
}

/** @throws GuardError for an issue that somebody else wrote: a number alone does not make it Healer's */
export async function readOwnIssue(session: TargetSession, number: number): Promise<Issue> {
  const issue = await readIssue(session, number);
  if (issue.user?.login === session.author) return issue;
  throw new GuardError('own issues', `issue ${number} was not written by ${session.author}`);
}
