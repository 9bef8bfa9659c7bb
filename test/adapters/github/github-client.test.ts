import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubClient } from '#lib/adapters/github/github-client.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import { assertAllowed } from '#lib/domain/publication/allow-list.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

const AT = { owner: 'acme', repo: 'shop' };
let peer: HttpPeer;
beforeEach(async () => {
  peer = await aHttpPeer((response) => response.setHeader('content-type', 'application/json').end('{}'));
});
afterEach(() => peer.stop());

const client = () =>
  githubClient({
    apiUrl: peer.url,
    auth: 'ghs_token',
    guard: ({ method, path, body }) => assertAllowed('acme/shop', method, path, body),
  });

describe('a client with the allow list', () => {
  it.each<[string, Record<string, unknown>]>([
    ['PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', { ...AT, pull_number: 1 }],
    ['POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { ...AT, pull_number: 1, event: 'APPROVE' }],
    ['PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...AT, pull_number: 1, draft: false }],
    ['PATCH /repos/{owner}/{repo}/git/refs/{ref}', { ...AT, ref: 'heads/main', sha: 'a' }],
    ['PATCH /repos/{owner}/{repo}/git/refs/{ref}', { ...AT, ref: 'heads/healer/../main', sha: 'a' }],
    ['DELETE /repos/{owner}/{repo}/git/refs/{ref}', { ...AT, ref: 'heads/healer/a' }],
    ['DELETE /repos/{owner}/{repo}', AT],
    ['PUT /repos/{owner}/{repo}/contents/{path}', { ...AT, path: '.github/workflows/a.yml', content: '' }],
    ['POST /repos/{owner}/{repo}/issues', { ...AT, repo: 'other', title: 't' }],
    ['POST /graphql', { query: 'mutation { mergePullRequest }' }],
    ['GET /user', {}],
  ])('sends nothing for %s %j', async (route, parameters) => {
    await expect(client().request(route, parameters)).rejects.toThrow(GuardError);
    expect(peer.asked).toEqual([]);
  });

  it('sends nothing to another base, whatever the path', async () => {
    const elsewhere = { ...AT, baseUrl: 'http://127.0.0.1:9' };
    await expect(client().request('GET /repos/{owner}/{repo}', elsewhere)).rejects.toThrow(SourceError);
    await expect(client().request('GET http://127.0.0.1:9/repos/acme/shop')).rejects.toThrow(SourceError);
    expect(peer.asked).toEqual([]);
  });

  it('sends what is allowed', async () => {
    const branch = { ...AT, ref: 'heads/healer/a1', sha: 'a', force: false };
    await client().request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', branch);
    expect(peer.asked.map(({ method, path }) => [method, path])).toEqual([
      ['PATCH', '/repos/acme/shop/git/refs/heads%2Fhealer%2Fa1'],
    ]);
  });
});
