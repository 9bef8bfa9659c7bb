import * as z from 'zod';
import type { FileWrite, PullRequests, PullView, Snapshot } from '#lib/app/ports.ts';
import { GuardError } from '#lib/domain/errors.ts';
import { assertPath } from '#lib/domain/remediation/paths.ts';
import { checkState } from './check-state.ts';
import { writerGuard } from './issue-tracker.ts';
import {
  type GitHubAdapterOptions,
  hasStatus,
  parseAnswer,
  type TargetSession,
  targetSessions,
} from './target-session.ts';
import { readCommit, readDefaultBranch, readHead, readSnapshot, readText } from './trees.ts';

const Sha = z.object({ sha: z.string() });
const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  merged_at: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  head: z.object({ sha: z.string(), ref: z.string() }),
});
type Pull = z.infer<typeof Pull>;

const toPullView = (pull: Pull): PullView => ({
  number: pull.number,
  url: pull.html_url,
  isOpen: pull.state === 'open',
  mergedAt: pull.merged_at ? Date.parse(pull.merged_at) : null,
  head: pull.head.sha,
  author: pull.user?.login ?? '',
});

interface NewCommit {
  readonly parent: Snapshot;
  readonly files: readonly FileWrite[];
  readonly message: string;
}

async function makeCommit({ octokit, at }: TargetSession, { parent, files, message }: NewCommit): Promise<string> {
  for (const { path } of files) assertPath(path);
  const tree: { path: string; mode: FileWrite['mode']; type: 'blob'; sha: string }[] = [];
  for (const { path, mode, content } of files) {
    const blob = await octokit.request('POST /repos/{owner}/{repo}/git/blobs', { ...at, content, encoding: 'utf-8' });
    tree.push({ path, mode, type: 'blob', sha: parseAnswer(Sha, blob.data).sha });
  }
  const grown = await octokit.request('POST /repos/{owner}/{repo}/git/trees', { ...at, base_tree: parent.tree, tree });
  const made = await octokit.request('POST /repos/{owner}/{repo}/git/commits', {
    ...at,
    message,
    tree: parseAnswer(Sha, grown.data).sha,
    parents: [parent.commit],
  });
  return parseAnswer(Sha, made.data).sha;
}

/** Runs a write; false when GitHub answers 422, which is how it says "exists already" and "no fast-forward". */
async function unlessRefused(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (hasStatus(error, 422)) return false;
    throw error;
  }
}

async function find({ octokit, at, author }: TargetSession, branch: string): Promise<PullView | undefined> {
  const query = { ...at, state: 'all', head: `${at.owner}:${branch}`, sort: 'created', direction: 'desc' } as const;
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls', { ...query, per_page: 100 });
  const own = parseAnswer(z.array(Pull), data).filter(
    (pull) => pull.head.ref === branch && pull.user?.login === author,
  );
  return own.map(toPullView)[0];
}

async function open(session: TargetSession, pull: Parameters<PullRequests['open']>[1]): Promise<PullView> {
  const { title, body, branch, base } = pull;
  const write = { ...session.at, title, body, head: branch, base, draft: true };
  try {
    const { data } = await session.octokit.request('POST /repos/{owner}/{repo}/pulls', write);
    return toPullView(parseAnswer(Pull, data));
  } catch (error) {
    const known = hasStatus(error, 422) ? await find(session, branch) : undefined;
    if (known === undefined) throw error;
    return known;
  }
}

/** @throws GuardError for a pull request that somebody else opened */
async function readOwn({ octokit, at, author }: TargetSession, number: number): Promise<PullView> {
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...at,
    pull_number: number,
  });
  const pull = toPullView(parseAnswer(Pull, data));
  if (pull.author === author) return pull;
  throw new GuardError('own pull requests', `pull request ${number} was not opened by ${author}`);
}

/** Undefined instead of GitHub's 404. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

/** Branches, commits and draft pull requests under the App's login. Each request passes the allow list before the network. */
export function githubPullRequests(options: GitHubAdapterOptions): PullRequests {
  const ask = targetSessions(options, writerGuard);
  return {
    base: (target) => ask(target, `reading ${target}`, readDefaultBranch),
    head: (target, branch) =>
      ask(target, `reading a branch of ${target}`, (session) => unlessMissing(readHead(session, branch))),
    commit: (target, sha) =>
      ask(target, `reading a commit of ${target}`, async (session) => {
        const { message, parents } = await readCommit(session, sha);
        return { message, parents: parents.map((parent) => parent.sha) };
      }),
    snapshot: (target, commit) => ask(target, `listing files of ${target}`, (session) => readSnapshot(session, commit)),
    text: (target, file) => ask(target, `reading a file of ${target}`, (session) => readText(session, file)),
    makeCommit: (target, commit) => ask(target, `committing to ${target}`, (session) => makeCommit(session, commit)),
    createBranch: (target, branch, sha) =>
      ask(target, `making a branch of ${target}`, ({ octokit, at }) =>
        unlessRefused(() =>
          octokit.request('POST /repos/{owner}/{repo}/git/refs', { ...at, ref: `refs/heads/${branch}`, sha }),
        ),
      ),
    moveBranch: (target, branch, sha) =>
      ask(target, `moving a branch of ${target}`, ({ octokit, at }) =>
        unlessRefused(() =>
          octokit.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', { ...at, ref: `heads/${branch}`, sha }),
        ),
      ),
    find: (target, branch) => ask(target, `listing pull requests of ${target}`, (session) => find(session, branch)),
    open: (target, pull) => ask(target, `opening a pull request in ${target}`, (session) => open(session, pull)),
    get: (target, number) => ask(target, `reading pull request ${number} of ${target}`, (s) => readOwn(s, number)),
    checks: (target, commit) => ask(target, `reading checks of ${target}`, (session) => checkState(session, commit)),
  };
}
