import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { assertAllowed } from '#lib/domain/publication/allow-list.ts';

const TARGET = 'acme/shop';
const SHA = '0123456789abcdef0123456789abcdef01234567';
const entry = (change: object) => ({
  base_tree: SHA,
  tree: [{ path: 'src/a.ts', mode: '100644', type: 'blob', sha: SHA, ...change }],
});
const at = (below: string) => `/repos/${TARGET}${below}`;

describe('allow list', () => {
  it.each<[string, string, unknown?]>([
    ['GET', ''],
    ['GET', '/issues'],
    ['POST', '/issues', { title: 'a', body: 'b', labels: ['healer'] }],
    ['GET', '/issues/7'],
    ['PATCH', '/issues/7', { title: 'a', body: 'b', labels: [], state: 'closed', state_reason: 'completed' }],
    ['POST', '/issues/7/comments', { body: 'b' }],
    ['GET', '/git/ref/heads/main'],
    ['GET', '/git/ref/heads%2Ffeature%2Fx'],
    ['GET', '/collaborators/ann/permission'],
    ['POST', '/git/blobs', { content: 'a', encoding: 'utf-8' }],
    ['POST', '/git/trees', { base_tree: SHA, tree: [{ path: 'src/a.ts', mode: '100644', type: 'blob', sha: SHA }] }],
    ['GET', `/git/blobs/${SHA}`],
    ['POST', '/git/commits', { message: 'm', tree: SHA, parents: [SHA] }],
    ['POST', '/git/refs', { ref: 'refs/heads/healer/a1b2', sha: 's' }],
    ['PATCH', '/git/refs/heads%2Fhealer%2Fa1b2', { sha: 's', force: false }],
    ['POST', '/pulls', { title: 't', body: 'b', head: 'healer/a1b2', base: 'main', draft: true }],
    ['PATCH', '/pulls/3', { title: 't', body: 'b' }],
    ['GET', '/commits/0123456789abcdef0123456789abcdef01234567/check-runs'],
    ['GET', '/commits/0123456789abcdef0123456789abcdef01234567/status'],
  ])('lets %s %s pass', (method, below, body) => {
    expect(() => assertAllowed(TARGET, method, at(below), body)).not.toThrow();
  });

  it.each<[string, string, string, unknown?]>([
    ['merge', 'PUT', '/pulls/3/merge', {}],
    ['a tree without a base', 'POST', '/git/trees', { tree: entry({}).tree }],
    ['a tree without entries', 'POST', '/git/trees', { base_tree: SHA, tree: [] }],
    ['a deletion', 'POST', '/git/trees', entry({ sha: null })],
    ['a symlink', 'POST', '/git/trees', entry({ mode: '120000' })],
    ['a submodule', 'POST', '/git/trees', entry({ mode: '160000', type: 'commit' })],
    ['a folder in one piece', 'POST', '/git/trees', entry({ mode: '040000', type: 'tree' })],
    ['content past the blob', 'POST', '/git/trees', entry({ content: 'x' })],
    ['a workflow', 'POST', '/git/trees', entry({ path: '.github/workflows/ci.yml' })],
    ['code owners', 'POST', '/git/trees', entry({ path: 'docs/CodeOwners' })],
    ['a commit without a parent', 'POST', '/git/commits', { message: 'm', tree: SHA, parents: [] }],
    ['a merge commit', 'POST', '/git/commits', { message: 'm', tree: SHA, parents: [SHA, SHA] }],
    ['merge by the branches API', 'POST', '/merges', { base: 'main', head: 'healer/a' }],
    ['approve', 'POST', '/pulls/3/reviews', { event: 'APPROVE' }],
    ['mark ready', 'PATCH', '/pulls/3', { draft: false }],
    ['change the base', 'PATCH', '/pulls/3', { base: 'release' }],
    ['close a pull request', 'PATCH', '/pulls/3', { state: 'closed' }],
    ['propose what is ready', 'POST', '/pulls', { title: 't', head: 'healer/a', base: 'main', draft: false }],
    ['propose without saying draft', 'POST', '/pulls', { title: 't', head: 'healer/a', base: 'main' }],
    ['propose a foreign branch', 'POST', '/pulls', { title: 't', head: 'main', base: 'release', draft: true }],
    ['propose from a fork', 'POST', '/pulls', { title: 't', head: 'evil:healer/a', base: 'main', draft: true }],
    ['push to main', 'PATCH', '/git/refs/heads%2Fmain', { sha: 's' }],
    ['push to main past healer', 'PATCH', '/git/refs/heads%2Fhealer%2F..%2Fmain', { sha: 's' }],
    ['push deeper', 'PATCH', '/git/refs/heads%2Fhealer%2Fa%2Fb', { sha: 's' }],
    ['force', 'PATCH', '/git/refs/heads%2Fhealer%2Fa', { sha: 's', force: true }],
    ['create a tag', 'POST', '/git/refs', { ref: 'refs/tags/healer/a', sha: 's' }],
    ['create a branch elsewhere', 'POST', '/git/refs', { ref: 'refs/heads/main', sha: 's' }],
    ['create a branch by a list', 'POST', '/git/refs', { ref: ['refs/heads/healer/a'], sha: 's' }],
    ['write a file past Git data', 'PUT', '/contents/a.txt', { message: 'm', content: '' }],
    ['delete a branch', 'DELETE', '/git/refs/heads%2Fhealer%2Fa'],
    ['delete a comment', 'DELETE', '/issues/comments/1'],
    ['delete the repository', 'DELETE', ''],
    ['change settings', 'PATCH', '', { archived: true }],
    ['run a workflow', 'POST', '/actions/workflows/1/dispatches', { ref: 'main' }],
    ['read secrets', 'GET', '/actions/secrets'],
    ['set a status', 'POST', '/statuses/0123456789abcdef0123456789abcdef01234567', { state: 'success' }],
    ['assign', 'POST', '/issues', { title: 't', assignees: ['ann'] }],
    ['lock', 'PUT', '/issues/7/lock', {}],
    ['issue zero', 'GET', '/issues/0'],
    ['body where none belongs', 'GET', '/issues', { title: 't' }],
    ['no body where one belongs', 'POST', '/issues'],
    ['a list for a body', 'POST', '/issues', []],
    ['a text for a body', 'POST', '/issues', '{"title":"t"}'],
  ])('refuses to %s', (_what, method, below, body) => {
    expect(() => assertAllowed(TARGET, method, at(below), body)).toThrow(GuardError);
  });

  it.each([
    '/repos/acme/other/issues',
    '/repos/acme/shop2/issues',
    '/repos/acme/shop/../other/issues',
    '/repos/acme/shop/%2e%2e/other/issues',
    '/repos/acme/shop%2F..%2Fother/issues',
    '/repos/acme/shop/%252e%252e/other',
    '/repos/acme/shop//issues',
    '/repos/acme/shop/issues?x=1',
    '/repos/acme/shop/issues#x',
    '/repos/acme/shop/issues/1\n',
    '/repos/acme/shop/%',
    '/graphql',
    '/user',
    '/repositories/1/issues',
    'repos/acme/shop/issues',
    '',
  ])('refuses the path %j', (path) => {
    expect(() => assertAllowed(TARGET, 'GET', path)).toThrow(GuardError);
  });

  it.each(['', 'acme', 'acme/shop/x', '../shop', 'acme/..', 'acme/shop%2f'])('refuses the target %j', (target) => {
    expect(() => assertAllowed(target, 'GET', `/repos/${target}/issues/1/../..`)).toThrow(GuardError);
  });

  it('knows no method but GET, POST and PATCH', () => {
    const method = fc.constantFrom('PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'put', 'delete');
    const below = fc.constantFrom('', '/issues', '/issues/1', '/pulls/1', '/git/refs/heads/healer/a');
    fc.assert(
      fc.property(method, below, (method, below) => {
        expect(() => assertAllowed(TARGET, method, at(below), { title: 't' })).toThrow(GuardError);
      }),
    );
  });

  it('never lets an arbitrary branch be written', () => {
    const name = fc.oneof(
      fc.string(),
      fc.webPath(),
      fc.string().map((end) => `healer/${end}`),
    );
    fc.assert(
      fc.property(name, (branch) => {
        let passed = true;
        try {
          assertAllowed(TARGET, 'POST', at('/git/refs'), { ref: `refs/heads/${branch}`, sha: 's' });
        } catch {
          passed = false;
        }
        expect(passed).toBe(/^healer\/[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(branch) && !branch.includes('\n'));
      }),
    );
  });
});
