import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubIssueThread } from '#lib/adapters/github/issue-thread.ts';
import { githubPullRequests } from '#lib/adapters/github/pull-requests.ts';
import { githubRepositoryReader } from '#lib/adapters/github/repository-reader.ts';
import { PERMISSIONS } from '#lib/app/mint-token.ts';
import type { FileWrite, PullRequests, RepositoryToken } from '#lib/app/ports.ts';
import { GuardError } from '#lib/domain/errors.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anAppToken, anEmbeddedGitHub, clock, PERSON } from '#test/contracts/github/peers.ts';
import { faultsOf } from '#test/support/github-openapi/validate.ts';

const TARGET = 'acme/shop';
const BRANCH = 'healer/v1-a1';

let github: EmbeddedGitHub;
let token: RepositoryToken;
let pulls: PullRequests;

const tokensOf = (one: RepositoryToken) => ({ get: async () => one, forget: () => {} });
const write = () => ({ tokens: tokensOf(token), apiUrl: github.url, clock });

beforeEach(async () => {
  github = await anEmbeddedGitHub({
    repositories: [{ name: TARGET, files: { 'config.json': '{"tools":[]}\n' } }, { name: 'acme/other' }],
    ci: () => [{ name: 'test', conclusion: 'failure', log: 'Error: expected 3\n' }],
  });
  token = await anAppToken(github, TARGET);
  pulls = githubPullRequests(write());
});
afterEach(() => github.stop());

const FILE: FileWrite = { path: 'config.json', content: '{"tools":["a"]}\n', mode: '100644' };

async function commit(change: Partial<FileWrite> = {}, branch = 'main'): Promise<string> {
  const parent = await pulls.snapshot(TARGET, (await pulls.head(TARGET, branch)) ?? '');
  return pulls.makeCommit(TARGET, { parent, files: [{ ...FILE, ...change }], message: 'm' });
}

async function propose() {
  await pulls.createBranch(TARGET, BRANCH, await commit());
  return pulls.open(TARGET, { branch: BRANCH, base: 'main', title: 't', body: 'b' });
}

const writes = () => github.requests().filter(({ method, path }) => method !== 'GET' && path.startsWith('/repos/'));

describe('branches and pull requests', () => {
  it('are made by requests that GitHub describes', async () => {
    const issue = await github.asAdmin('GET', `/repos/${TARGET}`);
    expect(issue.status).toBe(200);
    const pull = await propose();
    await pulls.moveBranch(TARGET, BRANCH, await commit({ content: '{"tools":["b"]}\n' }, BRANCH));
    await pulls.find(TARGET, BRANCH);
    await pulls.get(TARGET, pull.number);
    await pulls.checks(TARGET, pull.head);
    const reader = githubRepositoryReader({
      ...write(),
      tokens: tokensOf(await anAppToken(github, TARGET, PERMISSIONS.read)),
    });
    const { files, commit: sha } = await reader.snapshot(TARGET);
    expect(files.map(({ path }) => path)).toContain('config.json');
    expect(await reader.text(TARGET, files.find(({ path }) => path === 'config.json') ?? files[0]!)).toBe(
      '{"tools":[]}\n',
    );
    expect(sha).toHaveLength(40);
    const faults = await Promise.all(github.requests().map(async (one) => [one.path, await faultsOf(one)] as const));
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('take what exists already for success', async () => {
    const first = await propose();
    expect(await pulls.createBranch(TARGET, BRANCH, first.head)).toBe(false);
    expect(await pulls.open(TARGET, { branch: BRANCH, base: 'main', title: 't', body: 'b' })).toEqual(first);
  });

  it('do not move a branch over what somebody pushed', async () => {
    await propose();
    const stale = await commit({ content: 'x\n' });
    expect(await pulls.moveBranch(TARGET, BRANCH, stale)).toBe(false);
  });

  it('tell red from green, and read the failing job’s log with a read token only', async () => {
    const pull = await propose();
    expect(await pulls.checks(TARGET, pull.head)).toBe('red');
    expect(await pulls.checks(TARGET, (await pulls.head(TARGET, 'main')) ?? '')).toBe('none');
    const read = tokensOf(await anAppToken(github, TARGET, PERMISSIONS.read));
    const jobs = await githubRepositoryReader({ ...write(), tokens: read }).failedJobs(TARGET, pull.head);
    expect(jobs).toEqual([{ name: 'test', log: 'Error: expected 3\n' }]);
    await expect(githubRepositoryReader(write()).failedJobs(TARGET, pull.head)).rejects.toMatchObject({ status: 403 });
  });
});

describe('a hostile use case', () => {
  const files = (change: Partial<FileWrite>) => async () => {
    const parent = await pulls.snapshot(TARGET, (await pulls.head(TARGET, 'main')) ?? '');
    return pulls.makeCommit(TARGET, { parent, files: [{ ...FILE, ...change }], message: 'm' });
  };
  const sha = 'a'.repeat(40);

  it.each<[string, () => Promise<unknown>]>([
    ['pushes to main', async () => pulls.moveBranch(TARGET, 'main', sha)],
    ['makes another branch', async () => pulls.createBranch(TARGET, 'release', sha)],
    ['makes a branch below its own', async () => pulls.createBranch(TARGET, 'healer/a/../../main', sha)],
    ['proposes main', async () => pulls.open(TARGET, { branch: 'main', base: 'main', title: 't', body: 'b' })],
    ['touches another repository', async () => pulls.createBranch('acme/shop/../other', BRANCH, sha)],
    ['names no repository', async () => pulls.base('')],
    ['commits a workflow', files({ path: '.github/workflows/ci.yml' })],
    ['commits code owners', files({ path: 'CODEOWNERS' })],
    ['commits a symlink', files({ mode: '120000' as FileWrite['mode'] })],
    ['closes an issue of number 0', async () => githubIssueThread(write()).amend(TARGET, 0, { isOpen: false })],
  ])('that %s is refused before the network', async (_what, act) => {
    await expect(act()).rejects.toThrow(GuardError);
    expect(writes().filter(({ path }) => !path.endsWith('/git/blobs'))).toEqual([]);
  });

  it('that takes a token of one repository to another gets nothing', async () => {
    await expect(pulls.createBranch('acme/other', BRANCH, sha)).rejects.toMatchObject({ name: 'SourceError' });
  });
});

describe('who set a label', () => {
  it.each([
    ['maintain', true],
    ['push', true],
    ['triage', false],
    ['read', false],
  ] as const)('counts with the right %s: %s', async (permission, counts) => {
    await github.stop();
    github = await anEmbeddedGitHub({ users: [{ ...PERSON, permissions: { [TARGET]: permission } }] });
    token = await anAppToken(github, TARGET);
    const issue = await createIssue();
    const headers = { authorization: `token ${permission === 'read' ? 'none' : PERSON.token}` };
    if (permission === 'read')
      await github.asAdmin('POST', `/repos/${TARGET}/issues/${issue}/labels`, { labels: ['x'] });
    else {
      await fetch(`${github.url}/repos/${TARGET}/issues/${issue}/labels`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ labels: ['healer:fix'] }),
      });
    }
    const by = await githubIssueThread(write()).labelledBy(TARGET, issue, 'healer:fix');
    expect(by).toBe(counts ? PERSON.login : undefined);
  });

  it('is asked of GitHub as GitHub words it', async () => {
    await github.stop();
    const seed = { repositories: [{ name: TARGET }, { name: 'acme/secret', isPrivate: true }] };
    github = await anEmbeddedGitHub({
      ...seed,
      users: [
        { ...PERSON, permissions: { [TARGET]: 'maintain' } },
        { login: 'bob', token: 'b' },
      ],
    });
    const ask = async (repository: string, login: string) =>
      (await github.asAdmin('GET', `/repos/${repository}`)) &&
      ((await fetch(`${github.url}/repos/${repository}/collaborators/${login}/permission`, {
        headers: { authorization: `token ${PERSON.token}` },
      }).then((answer) => answer.json())) as { permission: string; role_name: string });
    expect(await ask(TARGET, PERSON.login)).toMatchObject({ permission: 'write', role_name: 'maintain' });
    expect(await ask(TARGET, 'bob')).toMatchObject({ permission: 'read' });
    expect(await ask('acme/secret', 'bob')).toMatchObject({ permission: 'none' });
  });

  async function createIssue(): Promise<number> {
    const answer = await fetch(`${github.url}/repos/${TARGET}/issues`, {
      method: 'POST',
      headers: { authorization: `token ${token.token}` },
      body: JSON.stringify({ title: 't' }),
    });
    return ((await answer.json()) as { number: number }).number;
  }
});
