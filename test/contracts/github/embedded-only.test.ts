import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '#lib/app/mint-token.ts';
import { openAppClient } from '#lib/cli/github-app/app-client.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';
import { anAppToken, anEmbeddedGitHub, askRaw, PERSON } from './peers.ts';

/**
 * What GitHub does and the emulator behind the embedded one does not, as far as it cannot be tried on a scratch
 * repository: it needs an App, another setting of the repository, or a GitHub that is out of order.
 */
let github: EmbeddedGitHub;
const open = async (...args: Parameters<typeof anEmbeddedGitHub>) => {
  github = await anEmbeddedGitHub(...args);
};
const ask = (method: string, path: string, body?: unknown, token: string | undefined = PERSON.token) =>
  askRaw(`${github.url}${path}`, token, method, body);

afterEach(() => github.stop());

describe('settings of a repository', () => {
  it('archived: reads go on, writes are 403', async () => {
    await open({ repositories: [{ name: 'acme/shop', isArchived: true }] });
    expect((await ask('GET', '/repos/acme/shop')).data).toMatchObject({ archived: true });
    const { status, data } = await ask('POST', '/repos/acme/shop/issues', { title: 't' });
    expect(status).toBe(403);
    expect(data).toMatchObject({ message: 'Repository was archived so is read-only.' });
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toEqual([]);
  });

  it('issues off: single issues are 410, the list is empty', async () => {
    await open({ repositories: [{ name: 'acme/shop', hasIssues: false }] });
    for (const [method, path] of [
      ['POST', ''],
      ['GET', '/1'],
      ['PATCH', '/1'],
    ] as const) {
      const { status, data } = await ask(
        method,
        `/repos/acme/shop/issues${path}`,
        method === 'GET' ? undefined : { title: 't' },
      );
      expect(status).toBe(410);
      expect(data).toMatchObject({ message: 'Issues are disabled for this repo' });
    }
    expect(await ask('GET', '/repos/acme/shop/issues')).toMatchObject({ status: 200, data: [] });
  });
});

describe('tokens', () => {
  it('refuses a token that it does not know, on public repositories too', async () => {
    await open();
    const { status, data } = await ask('GET', '/repos/acme/shop', undefined, 'not-a-token');
    expect(status).toBe(401);
    expect(data).toMatchObject({ message: 'Bad credentials' });
  });

  it('asks for a JWT where GitHub does', async () => {
    await open();
    const jwt = `eyJ${Buffer.from('{}').toString('base64url')}.x.y`;
    for (const token of [PERSON.token, jwt]) {
      expect((await ask('GET', '/repos/acme/shop/installation', undefined, token)).status).toBe(401);
    }
    expect((await ask('POST', '/app/installations/1001/access_tokens', {}, jwt)).status).toBe(401);
  });

  it('ends a minted token after its hour', async () => {
    await open();
    const { token } = await anAppToken(github, 'acme/shop');
    expect((await ask('GET', '/repos/acme/shop', undefined, token)).status).toBe(200);
    const real = Date.now;
    Date.now = () => real() + 3_601_000;
    try {
      expect((await ask('GET', '/repos/acme/shop', undefined, token)).status).toBe(401);
    } finally {
      Date.now = real;
    }
  });

  it('ends tokens and refuses others while the installation is suspended', async () => {
    await open();
    const { token } = await anAppToken(github, 'acme/shop');
    github.suspend(true);
    expect((await ask('GET', '/repos/acme/shop', undefined, token)).status).toBe(401);
    await expect(anAppToken(github, 'acme/shop')).rejects.toMatchObject({ status: 403, retryable: false });
    github.suspend(false);
    await expect(anAppToken(github, 'acme/shop')).resolves.toMatchObject({ author: 'healer[bot]' });
  });

  it('keeps to the repository and the permissions of a token', async () => {
    await open({ repositories: [{ name: 'acme/shop' }, { name: 'acme/other', isPrivate: true }] });
    const { token } = await anAppToken(github, 'acme/shop', PERMISSIONS.read);
    expect((await ask('POST', '/repos/acme/shop/issues', { title: 't' }, token)).status).toBe(403);
    expect((await ask('GET', '/repos/acme/other', undefined, token)).status).toBeGreaterThanOrEqual(403);
    const { sha } = (await github.asAdmin('GET', '/repos/acme/shop/commits/main')).data as { sha: string };
    const status = await ask('POST', `/repos/acme/shop/statuses/${sha}`, { state: 'success' }, token);
    expect(status.status).toBe(403);
  });
});

describe('pull requests', () => {
  const branch = 'healer/a1';
  async function propose() {
    const { sha } = (await github.asAdmin('GET', '/repos/acme/shop/commits/main')).data as { sha: string };
    await github.asAdmin('POST', '/repos/acme/shop/git/refs', { ref: `refs/heads/${branch}`, sha });
    await push('one');
    return ask('POST', '/repos/acme/shop/pulls', { title: 't', head: branch, base: 'main', draft: true });
  }
  /** A commit on the branch, as the Git data API makes it. */
  async function push(content: string) {
    const api = '/repos/acme/shop';
    const ref = (await github.asAdmin('GET', `${api}/git/ref/heads/${branch}`)).data as { object: { sha: string } };
    const { data: last } = await github.asAdmin('GET', `${api}/git/commits/${ref.object.sha}`);
    const tree = (await github.asAdmin('POST', `${api}/git/trees`, {
      base_tree: (last as { tree: { sha: string } }).tree.sha,
      tree: [{ path: 'a.txt', mode: '100644', type: 'blob', content }],
    })) as { data: { sha: string } };
    const commit = (await github.asAdmin('POST', `${api}/git/commits`, {
      message: content,
      tree: tree.data.sha,
      parents: [ref.object.sha],
    })) as { data: { sha: string } };
    const moved = await ask('PATCH', `${api}/git/refs/heads/${branch}`, { sha: commit.data.sha });
    expect(moved.status).toBe(200);
    return commit.data.sha;
  }

  it('runs the script of continuous integration once for each head, with logs', async () => {
    await open({
      ci: ({ attempt }) => [
        {
          name: 'test',
          conclusion: attempt === 1 ? 'failure' : 'success',
          log: `attempt ${attempt}\nexit code ${attempt % 2}\n`,
        },
      ],
    });
    const { data } = await propose();
    const first = (data as { head: { sha: string } }).head.sha;
    const second = await push('two');
    const conclusions = async (sha: string) => {
      const runs = (await ask('GET', `/repos/acme/shop/commits/${sha}/check-runs`)).data as {
        check_runs: { id: number; conclusion: string }[];
      };
      return runs.check_runs.map((run) => [run.id, run.conclusion] as const);
    };
    const failed = (await conclusions(first))[0]?.[0];
    expect(await conclusions(first)).toEqual([[failed, 'failure']]);
    expect((await conclusions(second)).map(([, conclusion]) => conclusion)).toEqual(['success']);

    const runs = await ask('GET', `/repos/acme/shop/actions/runs?head_sha=${first}`);
    expect(runs.data).toMatchObject({
      total_count: 1,
      workflow_runs: [{ conclusion: 'failure', head_branch: branch }],
    });
    const job = await ask('GET', `/repos/acme/shop/actions/jobs/${failed}`);
    expect(job.data).toMatchObject({ id: failed, name: 'test', conclusion: 'failure', head_sha: first });
    const moved = await ask('GET', `/repos/acme/shop/actions/jobs/${failed}/logs`);
    expect(moved.status).toBe(302);
    const log = await askRaw(String(moved.headers.get('location')), undefined, 'GET');
    expect(log.data).toBe('attempt 1\nexit code 1\n');
  });

  it('gives no job log to a token without the right to actions', async () => {
    await open({ ci: () => [{ name: 'test', conclusion: 'failure', log: 'secret' }] });
    await propose();
    const { token } = await anAppToken(github, 'acme/shop', PERMISSIONS.write);
    const { status } = await ask('GET', '/repos/acme/shop/actions/runs', undefined, token);
    expect(status).toBe(403);
  });

  it('follows the branch, and merges without a body what the branch has then', async () => {
    await open({ users: [{ ...PERSON, permissions: { 'acme/shop': 'admin' } }] });
    const { number } = (await propose()).data as { number: number };
    const path = `/repos/acme/shop/pulls/${number}`;
    const sha = await push('two');
    expect((await ask('GET', path)).data).toMatchObject({ head: { sha } });
    expect((await ask('GET', '/repos/acme/shop/pulls')).data).toMatchObject([{ head: { sha } }]);
    expect((await ask('GET', `${path}/files`)).data).toMatchObject([
      { filename: 'a.txt', patch: expect.stringContaining('+two') },
    ]);
    await ask('PATCH', path, { draft: false });
    const merged = await ask('PUT', `${path}/merge`);
    expect(merged).toMatchObject({ status: 200, data: { merged: true } });
    const commit = (merged.data as { sha: string }).sha;
    expect((await ask('GET', path)).data).toMatchObject({ merged: true, head: { sha }, merge_commit_sha: commit });
    const file = (await ask('GET', '/repos/acme/shop/contents/a.txt')).data as { content: string };
    expect(Buffer.from(file.content, 'base64').toString()).toBe('two');
  });
});

describe('rate limits', () => {
  it('secondary, with and without retry-after', async () => {
    await open();
    for (const retryAfterSeconds of [7, undefined]) {
      github.faults.add({ kind: 'secondary-limit', retryAfterSeconds, method: 'POST', times: 1 });
      const limited = await ask('POST', '/repos/acme/shop/issues', { title: 't' });
      expect(limited.status).toBe(403);
      expect(limited.headers.get('retry-after')).toBe(retryAfterSeconds === undefined ? null : '7');
      expect((limited.data as { message: string }).message).toContain('secondary rate limit');
    }
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toEqual([]);
  });

  it('primary, with the time of the next window', async () => {
    await open();
    github.faults.add({ kind: 'primary-limit', resetInSeconds: 90 });
    const limited = await ask('GET', '/repos/acme/shop');
    expect(limited.status).toBe(403);
    expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 + 60);
  });
});

describe("the App's own webhook", () => {
  const SECRET = 'a-secret-of-the-webhook';
  const asApp = () => openAppClient({ apiUrl: github.url, appId: github.appId, privateKey: github.privateKey });

  it('is told and changed by the App alone, and never with its secret', async () => {
    await open({ webhook: { url: 'https://one.example.com/hook', secret: SECRET } });
    expect((await ask('GET', '/app/hook/config')).status).toBe(401);
    expect((await ask('PATCH', '/app/hook/config', { url: 'https://other.example.com' })).status).toBe(401);
    const app = await asApp();
    expect(await app.hookUrl()).toBe('https://one.example.com/hook');
    await app.setHook('https://two.example.com/hook', 'another');
    expect(await app.hookUrl()).toBe('https://two.example.com/hook');
    await expect(app.setHook('no address', 'x')).rejects.toThrow('422');
  });

  it('lists deliveries, the latest first, with how each was answered, signed with the present secret', async () => {
    const answers = [500, 200];
    const receiver = await aHttpPeer((response) => void response.writeHead(answers.pop() ?? 200).end());
    await open({ webhook: { url: receiver.url, secret: 'old' } });
    const app = await asApp();
    await app.setHook(receiver.url, SECRET);
    for (const title of ['first', 'second']) {
      const before = receiver.asked.length;
      await ask('POST', '/repos/acme/shop/issues', { title });
      await expect.poll(() => receiver.asked.length, { timeout: 30_000 }).toBeGreaterThan(before);
    }
    await expect
      .poll(async () => (await app.deliveries()).map((one) => one.status_code), { timeout: 30_000 })
      .toEqual([500, 200]);
    expect((await app.deliveries())[0]).toMatchObject({ event: 'issues', status: 'Invalid HTTP Response' });
    const { headers, body } = receiver.asked[0] as (typeof receiver.asked)[number];
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    expect(headers['x-hub-signature-256']).toBe(signature);
    await receiver.stop();
  });
});

describe('the manifest flow', () => {
  const MANIFEST = {
    name: 'healer-prod',
    url: 'https://example.com',
    redirect_url: 'http://127.0.0.1:1/created',
    hook_attributes: { url: 'https://hooks.example.com/github' },
    default_permissions: { issues: 'write' },
    default_events: ['issues'],
  };
  const submit = (manifest: object) =>
    fetch(`${github.url}/organizations/acme/settings/apps/new?state=s1`, {
      method: 'POST',
      body: new URLSearchParams({ manifest: JSON.stringify(manifest) }),
      redirect: 'manual',
    });

  it('sends the browser back with state and a code, which works once and without a token', async () => {
    await open();
    const target = new URL((await submit(MANIFEST)).headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe(MANIFEST.redirect_url);
    expect(target.searchParams.get('state')).toBe('s1');
    const path = `/app-manifests/${target.searchParams.get('code')}/conversions`;
    const { status, data } = await askRaw(`${github.url}${path}`, undefined, 'POST');
    expect(status).toBe(201);
    expect(data).toMatchObject({
      name: 'healer-prod',
      permissions: MANIFEST.default_permissions,
      events: ['issues'],
      pem: expect.stringContaining('PRIVATE KEY'),
      webhook_secret: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect((await askRaw(`${github.url}${path}`, undefined, 'POST')).status).toBe(404);
  });

  it.each([
    { ...MANIFEST, hook_attributes: { active: false } },
    { ...MANIFEST, url: undefined },
    { ...MANIFEST, name: 'x'.repeat(35) },
  ])('refuses a manifest that lacks what GitHub wants', async (manifest) => {
    await open();
    expect((await submit(manifest)).status).toBe(422);
  });
});
