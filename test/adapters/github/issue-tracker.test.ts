import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import type { TokenSource } from '#lib/adapters/github/token-source.ts';
import type { IssueTracker, RepositoryToken } from '#lib/app/ports.ts';
import { GuardError } from '#lib/domain/errors.ts';
import type { Fault } from '#lib/local/github/faults.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anAppToken, anEmbeddedGitHub, askRaw, clock, PERSON } from '#test/contracts/github/peers.ts';
import { faultsOf } from '#test/support/github-openapi/validate.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

const TARGET = 'acme/shop';
const DRAFT = { title: 'shop-7: tools missing', body: 'text', labels: ['healer', 'A10'] };

let github: EmbeddedGitHub;
let tracker: IssueTracker;

/** Hands out fresh tokens of the App, and counts what it was asked to do. */
function aTokenSource() {
  const calls = { get: 0, forget: 0 };
  let held: RepositoryToken | undefined;
  const tokens: TokenSource = {
    async get(target) {
      calls.get += 1;
      held ??= await anAppToken(github, target);
      return held;
    },
    forget() {
      calls.forget += 1;
      held = undefined;
    },
  };
  return { tokens, calls };
}

const trackerOn = (tokens: TokenSource, apiUrl = github.url, timeoutMs = 5_000) =>
  githubIssueTracker({ tokens, apiUrl, clock, timeoutMs });

beforeEach(async () => {
  github = await anEmbeddedGitHub();
  tracker = trackerOn(aTokenSource().tokens);
});
afterEach(() => github.stop());

const writes = () => github.requests().filter((one) => one.actor === 'healer[bot]');

describe('requests', () => {
  it('are right by GitHub’s own description, each of them', async () => {
    await tracker.repository(TARGET);
    const { number } = await tracker.create(TARGET, DRAFT);
    await tracker.ownIssues(TARGET, Date.now() - 60_000);
    await tracker.update(TARGET, number, { ...DRAFT, isOpen: false });
    await tracker.update(TARGET, number, { ...DRAFT, isOpen: true });
    const faults = await Promise.all(github.requests().map(async (one) => [one.path, await faultsOf(one)] as const));
    expect(faults.length).toBeGreaterThanOrEqual(9);
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('are found wrong by the description when they are', async () => {
    const path = `/repos/${TARGET}/issues`;
    expect(await faultsOf({ method: 'POST', path, body: { labels: ['a'] } })).toHaveLength(1);
    expect(await faultsOf({ method: 'POST', path, body: { title: 't', labels: 5 } })).not.toEqual([]);
    expect(await faultsOf({ method: 'POST', path, body: { title: 't', lables: [] } })).toHaveLength(1);
    expect(await faultsOf({ method: 'GET', path: `${path}?state=al` })).toHaveLength(1);
    expect(await faultsOf({ method: 'PUT', path: `/repos/${TARGET}/pulls/1/merge` })).toHaveLength(1);
  });

  it('say who asks, in which version, and carry the token to the API only', async () => {
    const peer = await aHttpPeer((response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"private":true,"archived":false,"has_issues":true}');
    });
    const token = { token: 'ghs_x', expiresAt: 0, installationId: '1', author: 'healer[bot]' };
    await trackerOn({ get: async () => token, forget: () => {} }, `${peer.url}/api/v3`).repository(TARGET);
    expect(peer.asked[0]).toMatchObject({
      path: `/api/v3/repos/${TARGET}`,
      headers: { authorization: 'token ghs_x', 'x-github-api-version': '2022-11-28' },
    });
    expect(peer.asked[0]?.headers['user-agent']).toMatch(/^healer /);
    await peer.stop();
  });
});

describe('own issues', () => {
  it('are read over all pages, without foreign ones', async () => {
    for (let index = 0; index < 101; index += 1) await tracker.create(TARGET, { ...DRAFT, title: `t${index}` });
    const body = { ...DRAFT, title: 'pasted marker' };
    await askRaw(`${github.url}/repos/${TARGET}/issues`, PERSON.token, 'POST', body);
    const own = await tracker.ownIssues(TARGET, 0);
    expect(own.map((one) => one.number)).toEqual(Array.from({ length: 101 }, (_one, index) => 101 - index));
    expect(own[0]).toMatchObject({ title: 't100', isOpen: true });
  });

  it('are the only ones that are updated', async () => {
    const { data } = await askRaw(`${github.url}/repos/${TARGET}/issues`, PERSON.token, 'POST', DRAFT);
    const { number } = data as { number: number };
    await expect(tracker.update(TARGET, number, { ...DRAFT, title: 'mine' })).rejects.toThrow(GuardError);
    expect(writes().map((one) => one.method)).toEqual(['GET']);
  });
});

describe('a hostile use case', () => {
  it.each(['acme/shop/../other', 'acme/..', '../../user', 'acme/shop?x=', 'acme/shop%2f..', 'acme', ''])(
    'that names the target %j reaches no network',
    async (target) => {
      const { tokens } = aTokenSource();
      const hostile = trackerOn({ ...tokens, get: () => tokens.get(TARGET) });
      await tokens.get(TARGET);
      const before = github.requests().length;
      await expect(hostile.create(target, DRAFT)).rejects.toThrow(GuardError);
      await expect(hostile.repository(target)).rejects.toThrow(GuardError);
      expect(github.requests().length).toBe(before);
    },
  );

  it.each([0, -1, 1.5, Number.NaN])('that names the issue %d reaches no network', async (number) => {
    await expect(tracker.update(TARGET, number, DRAFT)).rejects.toThrow(GuardError);
    expect(writes()).toEqual([]);
  });
});

describe('errors', () => {
  const failureOf = async (fault: Fault) => {
    github.faults.add({ path: /\/issues$/, ...fault });
    return tracker.create(TARGET, DRAFT).catch((error: unknown) => error);
  };

  it.each<[string, Fault, object]>([
    ['server fault', { kind: 'status', status: 500 }, { status: 500, retryable: true }],
    ['reply lost', { kind: 'reply-lost' }, { status: 502, retryable: true }],
    ['secondary limit', { kind: 'secondary-limit', retryAfterSeconds: 17 }, { retryable: true, retryAfterMs: 17_000 }],
    ['secondary limit without a time', { kind: 'secondary-limit' }, { retryable: true, retryAfterMs: 60_000 }],
    ['too many requests', { kind: 'status', status: 429 }, { retryable: true, retryAfterMs: 60_000 }],
    [
      'forbidden',
      { kind: 'status', status: 403, message: 'Resource not accessible by integration' },
      { retryable: false },
    ],
    ['not found', { kind: 'status', status: 404 }, { retryable: false }],
    ['gone', { kind: 'status', status: 410, message: 'Issues are disabled for this repo' }, { retryable: false }],
    ['invalid', { kind: 'status', status: 422 }, { retryable: false }],
    ['legal', { kind: 'status', status: 451 }, { retryable: false }],
    ['moved', { kind: 'status', status: 301 }, { retryable: false }],
    ['conflict', { kind: 'status', status: 409 }, { retryable: true }],
    ['page of a proxy', { kind: 'html' }, { retryable: true, status: undefined }],
    ['broken connection', { kind: 'disconnect' }, { retryable: true, status: undefined }],
  ])('%s', async (_name, fault, expected) => {
    const failure = await failureOf(fault);
    expect(failure).toMatchObject({ name: 'SourceError', source: 'github', ...expected });
    expect((failure as { advice: string }).advice).toMatch(/\.$/);
    expect(JSON.stringify(failure)).not.toContain(DRAFT.title);
  });

  it('primary limit: waits until the next window', async () => {
    const failure = (await failureOf({ kind: 'primary-limit', resetInSeconds: 120 })) as { retryAfterMs: number };
    expect(failure.retryAfterMs).toBeGreaterThan(100_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(121_000);
  });

  it('no answer in time', async () => {
    github.faults.add({ kind: 'hang', path: /\/issues$/ });
    const impatient = trackerOn(aTokenSource().tokens, github.url, 150);
    await expect(impatient.create(TARGET, DRAFT)).rejects.toMatchObject({ retryable: true, status: undefined });
  });

  it.each([
    ['archived', { isArchived: true }, 403, /Unarchive/],
    ['without issues', { hasIssues: false }, 410, /Switch issues on/],
  ])('a repository that is %s', async (_name, settings, status, advice) => {
    await github.stop();
    github = await anEmbeddedGitHub({ repositories: [{ name: TARGET, ...settings }] });
    tracker = trackerOn(aTokenSource().tokens);
    await expect(tracker.create(TARGET, DRAFT)).rejects.toMatchObject({
      status,
      retryable: false,
      advice: expect.stringMatching(advice),
    });
  });

  it('a redirect to another host is not followed', async () => {
    const trap = await aHttpPeer((response) => response.end('{}'));
    const peer = await aHttpPeer((response) => response.writeHead(302, { location: trap.url }).end());
    const { tokens } = aTokenSource();
    const token = await tokens.get(TARGET);
    const moved = trackerOn({ get: async () => token, forget: () => {} }, peer.url);
    await expect(moved.repository(TARGET)).rejects.toMatchObject({ status: 302, retryable: false });
    expect(trap.asked).toEqual([]);
    await Promise.all([trap.stop(), peer.stop()]);
  });

  it('a token that was revoked is replaced once', async () => {
    const { tokens, calls } = aTokenSource();
    await tokens.get(TARGET);
    github.suspend(true);
    github.suspend(false);
    await expect(trackerOn(tokens).create(TARGET, DRAFT)).resolves.toMatchObject({ number: 1 });
    expect(calls).toEqual({ get: 3, forget: 1 });
  });

  it('a token that stays refused is an error with advice', async () => {
    const { tokens, calls } = aTokenSource();
    github.faults.add({ kind: 'status', status: 401, message: 'Bad credentials', path: /\/issues$/ });
    await expect(trackerOn(tokens).create(TARGET, DRAFT)).rejects.toMatchObject({ status: 401, retryable: false });
    expect(calls).toEqual({ get: 2, forget: 2 });
  });
});
