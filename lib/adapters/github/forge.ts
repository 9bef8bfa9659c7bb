import * as z from 'zod';
import type { Forge, ForgeReading } from '#lib/app/ports.ts';
import type { ForgeNote, ForgePull } from '#lib/domain/evidence/forge.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { type ConditionalGet, conditionalRequests } from './conditional-requests.ts';
import { readGuard } from './read-guard.ts';
import {
  type GitHubAdapterOptions,
  hasStatus,
  parseAnswer,
  type TargetSession,
  targetSessions,
} from './target-session.ts';

const PAGE = 100;
const MAX_PULL_PAGES = 2;
/** Much is cut anyway when the evidence is fitted; a comment may be 64 KB. */
const MAX_TEXT = 4_000;

const REPO = '/repos/{owner}/{repo}';

const User = z.object({ login: z.string() }).nullish();
const Pull = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  user: User,
  head: z.object({ ref: z.string(), sha: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
});
const Comment = z.object({ user: User, body: z.string().nullish(), created_at: z.string() });
const Review = z.object({
  user: User,
  body: z.string().nullish(),
  state: z.string(),
  submitted_at: z.string().nullish(),
});
const CheckRuns = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      started_at: z.string().nullish(),
      completed_at: z.string().nullish(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
      output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    }),
  ),
});
const Statuses = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      description: z.string().nullish(),
      updated_at: z.string(),
      creator: User,
    }),
  ),
});

const loginOf = (user: z.infer<typeof User>): string => user?.login ?? 'ghost';
const cut = (text: string | null | undefined): string => (text ?? '').slice(0, MAX_TEXT).toWellFormed();

function toPull(pull: z.infer<typeof Pull>): ForgePull {
  const open = pull.draft === true ? 'draft' : 'open';
  return {
    number: pull.number,
    title: cut(pull.title),
    author: loginOf(pull.user),
    state: pull.merged_at ? 'merged' : pull.state === 'open' ? open : 'closed',
    branch: pull.head.ref,
    head: pull.head.sha,
    createdAt: Date.parse(pull.created_at),
    updatedAt: Date.parse(pull.updated_at),
  };
}

interface Reader {
  readonly session: TargetSession;
  readonly get: ConditionalGet;
}

async function listPulls({ session, get }: Reader, since: Millis): Promise<ForgeReading<ForgePull>> {
  const items: ForgePull[] = [];
  const query = { ...session.at, state: 'all', sort: 'updated', direction: 'desc', per_page: PAGE };
  for (let page = 1; page <= MAX_PULL_PAGES; page += 1) {
    const { data, hasNext } = await get(session.octokit, `${REPO}/pulls`, { ...query, page });
    const found = parseAnswer(z.array(Pull), data).map(toPull);
    items.push(...found.filter(({ updatedAt }) => updatedAt >= since));
    if (!hasNext || found.some(({ updatedAt }) => updatedAt < since)) return { items, gaps: [] };
  }
  return { items, gaps: [`Only the ${items.length} pull requests that changed last were looked through.`] };
}

/** One page of each kind: the newest of what a play can say fits. */
async function readActivity(reader: Reader, pull: ForgePull, since: Millis): Promise<ForgeReading<ForgeNote>> {
  const parts = [
    await readComments(reader, pull, since),
    await readReviews(reader, pull, since),
    await readChecks(reader, pull),
    await readStatuses(reader, pull),
  ];
  return { items: parts.flatMap(({ items }) => items), gaps: parts.flatMap(({ gaps }) => gaps) };
}

const toReading = (items: readonly ForgeNote[], hasNext: boolean, what: string): ForgeReading<ForgeNote> => ({
  items,
  gaps: hasNext ? [`Only the first ${PAGE} ${what} were read.`] : [],
});

async function readComments({ session, get }: Reader, { number }: ForgePull, since: Millis) {
  const query = { ...session.at, issue_number: number, since: toIso(since), per_page: PAGE };
  const { data, hasNext } = await get(session.octokit, `${REPO}/issues/{issue_number}/comments`, query);
  const items = parseAnswer(z.array(Comment), data).map(
    ({ user, body, created_at: at }): ForgeNote => ({
      kind: 'comment',
      author: loginOf(user),
      name: '',
      state: '',
      at: Date.parse(at),
      text: cut(body),
    }),
  );
  return toReading(items, hasNext, `comments on pull request #${number}`);
}

async function readReviews({ session, get }: Reader, { number }: ForgePull, since: Millis) {
  const query = { ...session.at, pull_number: number, per_page: PAGE };
  const { data, hasNext } = await get(session.octokit, `${REPO}/pulls/{pull_number}/reviews`, query);
  const items = parseAnswer(z.array(Review), data).map(
    ({ user, body, state, submitted_at: at }): ForgeNote => ({
      kind: 'review',
      author: loginOf(user),
      name: '',
      state: state.toLowerCase(),
      at: at ? Date.parse(at) : null,
      text: cut(body),
    }),
  );
  const recent = items.filter(({ at }) => at === null || at >= since);
  return toReading(recent, hasNext, `reviews of pull request #${number}`);
}

async function readChecks({ session, get }: Reader, { number, head }: ForgePull) {
  const query = { ...session.at, ref: head, filter: 'latest', per_page: PAGE };
  const { data, hasNext } = await get(session.octokit, `${REPO}/commits/{ref}/check-runs`, query);
  const items = parseAnswer(CheckRuns, data).check_runs.map((run): ForgeNote => {
    const at = run.completed_at ?? run.started_at;
    return {
      kind: 'check run',
      author: run.app?.slug ?? 'an App',
      name: cut(run.name),
      state: run.conclusion ?? run.status,
      at: at ? Date.parse(at) : null,
      text: cut([run.output?.title, run.output?.summary].filter(Boolean).join(' ')),
    };
  });
  return toReading(items, hasNext, `check runs of pull request #${number}`);
}

async function readStatuses({ session, get }: Reader, { number, head }: ForgePull) {
  const query = { ...session.at, ref: head, per_page: PAGE };
  const { data, hasNext } = await get(session.octokit, `${REPO}/commits/{ref}/status`, query);
  const items = parseAnswer(Statuses, data).statuses.map(
    ({ context, state, description, updated_at: at, creator }): ForgeNote => ({
      kind: 'commit status',
      author: loginOf(creator),
      name: cut(context),
      state,
      at: Date.parse(at),
      text: cut(description),
    }),
  );
  return toReading(items, hasNext, `commit statuses of pull request #${number}`);
}

/**
 * What `gather` reads of a play's pull requests, with a token that can only read: one request for the list, four for each
 * pull request, and those are free as long as nothing changed. A pull request of a repository is read, nothing else.
 */
export function githubForge(options: GitHubAdapterOptions): Forge {
  const ask = targetSessions(options, readGuard);
  const get = conditionalRequests(options.clock);
  return {
    pulls: (target, since) =>
      ask(target, `listing pull requests of ${target}`, (session) => listPulls({ session, get }, since)),
    pull: (target, number) =>
      ask(target, `reading pull request ${number} of ${target}`, async (session) => {
        try {
          const query = { ...session.at, pull_number: number };
          const { data } = await get(session.octokit, `${REPO}/pulls/{pull_number}`, query);
          return toPull(parseAnswer(Pull, data));
        } catch (error) {
          if (hasStatus(error, 404)) return undefined;
          throw error;
        }
      }),
    activity: (target, pull, since) =>
      ask(target, `reading pull request ${pull.number} of ${target}`, (session) =>
        readActivity({ session, get }, pull, since),
      ),
  };
}
