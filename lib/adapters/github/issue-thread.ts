import * as z from 'zod';
import type { IssueThread } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { writerGuard } from './issue-tracker.ts';
import { labelsOf, readOwnIssue, toIssueView } from './issue-wire.ts';
import {
  type GitHubAdapterOptions,
  hasStatus,
  parseAnswer,
  type TargetSession,
  targetSessions,
} from './target-session.ts';

const PAGE = 100;
/** 3,000 comments or events of one issue; half a list must not pass for the whole. */
const MAX_PAGES = 30;

const Login = z.object({ login: z.string(), type: z.string().nullish() }).nullish();
const Comment = z.object({ body: z.string().nullish(), user: Login });
const Event = z.object({ event: z.string(), actor: Login, label: z.object({ name: z.string() }).nullish() });
/** `permission` is one of admin, write, read, none; maintain shows as write. */
const Permission = z.object({ permission: z.string() });

type Lists =
  | 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
  | 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';

async function listAll<T>(session: TargetSession, path: Lists, number: number, schema: z.ZodType<T>): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { ...session.at, issue_number: number, per_page: PAGE, page };
    const { data, headers } = await session.octokit.request(path, query);
    found.push(...parseAnswer(z.array(schema), data));
    if (!/rel="next"/.test(headers.link ?? '')) return found;
  }
  throw new SourceError({
    source: 'github',
    message: `more than ${MAX_PAGES * PAGE} entries stand below issue ${number}`,
    retryable: false,
    advice: 'Close the issue; Healer does not read threads of this length.',
  });
}

const hasLine = (body: string, line: string): boolean => body.split(/\r?\n/).includes(line);

async function comment(session: TargetSession, number: number, text: { marker: string; body: string }): Promise<void> {
  const path = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const known = await listAll(session, path, number, Comment);
  const isThere = known.some(({ user, body }) => user?.login === session.author && hasLine(body ?? '', text.marker));
  if (isThere) return;
  await session.octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...session.at,
    issue_number: number,
    body: text.body,
  });
}

type Change = Parameters<IssueThread['amend']>[2];

async function amend(session: TargetSession, number: number, { add = [], drop = [], isOpen }: Change): Promise<void> {
  const issue = await readOwnIssue(session, number);
  const known = labelsOf(issue);
  const labels = [...new Set([...known, ...add])].filter((label) => !drop.includes(label));
  const isLabelled = labels.length === known.length && labels.every((label) => known.includes(label));
  const isSettled = isOpen === undefined || isOpen === (issue.state === 'open');
  if (isLabelled && isSettled) return;
  const closed = { state: 'closed', state_reason: 'completed' } as const;
  const state = isSettled ? {} : isOpen ? ({ state: 'open' } as const) : closed;
  const write = { ...session.at, issue_number: number, ...(isLabelled ? {} : { labels }), ...state };
  await session.octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', write);
}

/** Whether a person may write to the repository. Bots, Healer among them, are no persons. */
async function mayWrite({ octokit, at, author }: TargetSession, actor: z.infer<typeof Login>): Promise<boolean> {
  if (!actor || actor.login === author || actor.type === 'Bot' || actor.login.endsWith('[bot]')) return false;
  try {
    const path = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
    const { data } = await octokit.request(path, { ...at, username: actor.login });
    return ['admin', 'write'].includes(parseAnswer(Permission, data).permission);
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

/** The label must stand now, and who set it last must be allowed to write now. */
async function labelledBy(session: TargetSession, number: number, label: string): Promise<string | undefined> {
  if (!labelsOf(await readOwnIssue(session, number)).includes(label)) return undefined;
  const path = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
  const events = await listAll(session, path, number, Event);
  const set = events.findLast((one) => one.event === 'labeled' && one.label?.name === label);
  return (await mayWrite(session, set?.actor)) ? set?.actor?.login : undefined;
}

/** Comments, labels and state of Healer's own issues. Each request passes the allow list before the network. */
export function githubIssueThread(options: GitHubAdapterOptions): IssueThread {
  const ask = targetSessions(options, writerGuard);
  return {
    get: (target, number) =>
      ask(target, `reading issue ${number} of ${target}`, async (session) =>
        toIssueView(await readOwnIssue(session, number)),
      ),
    comment: (target, number, text) =>
      ask(target, `commenting on issue ${number} of ${target}`, (session) => comment(session, number, text)),
    amend: (target, number, change) =>
      ask(target, `changing issue ${number} of ${target}`, (session) => amend(session, number, change)),
    labelledBy: (target, number, label) =>
      ask(target, `reading who labelled issue ${number} of ${target}`, (session) => labelledBy(session, number, label)),
  };
}
