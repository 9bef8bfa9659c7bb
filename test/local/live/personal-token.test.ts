import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { brokerReplacements } from '#lib/local/live/personal-token.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

const TOKEN = 'personal-token-of-octavia';
const ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:github-token';
const clock = { now: () => 1_796_040_000_000 };

let github: EmbeddedGitHub;
beforeEach(async () => {
  github = await startGitHub({ repositories: [{ name: 'acme/widgets' }], users: [{ login: 'octavia', token: TOKEN }] });
  return () => github.stop();
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ask = (target: unknown, { token = TOKEN, apiUrl = github.url, alias = 'write' } = {}) => {
  const broker = brokerReplacements({ token, apiUrl, clock, allowed: ['acme/*'] })['github-token'];
  return broker.write({ target }, `${ARN}:${alias}`);
};

describe('a personal token in the place of the broker', () => {
  it('answers with all that callers read', async () => {
    expect(await ask('acme/widgets')).toEqual({
      token: TOKEN,
      author: 'octavia',
      installationId: 'personal-token',
      expiresAt: clock.now() + 3_600_000,
    });
  });

  it('knows the login of a workflow, whose token may not ask who it is', async () => {
    const peer = await aHttpPeer((response) =>
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end('{"message":"Resource not accessible by integration"}'),
    );
    closers.push(() => peer.stop());
    expect(await ask('acme/widgets', { apiUrl: peer.url })).toMatchObject({ author: 'github-actions[bot]' });
  });

  it.each([
    ['a repository that is not on the list', 'other/widgets', {}, /does not watch other\/widgets/],
    ['no repository', 7, {}, /the payload must be/],
    ['an alias that grants nothing', 'acme/widgets', { alias: 'admin' }, /"read" and "write" only/],
    ['a wrong token', 'acme/widgets', { token: 'wrong-token' }, /signing in with GITHUB_TOKEN: GitHub answered 401/],
  ])('refuses %s', async (_name, target, options, message) => {
    const answer = await ask(target, options);
    expect(answer).toMatchObject({ error: { retryable: false, message: expect.stringMatching(message) } });
    expect(JSON.stringify(answer)).not.toMatch(/wrong-token|personal-token-of/);
  });

  it('says of a wrong token what would be right', async () => {
    const advice = expect.stringContaining('Set GITHUB_TOKEN to a token that is valid') as string;
    expect(await ask('acme/widgets', { token: 'wrong-token' })).toMatchObject({ error: { advice } });
  });
});
