import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anAppToken, anEmbeddedGitHub, askRaw, PERSON } from '#test/contracts/github/peers.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

let github: EmbeddedGitHub;
const open = async (...args: Parameters<typeof anEmbeddedGitHub>) => {
  github = await anEmbeddedGitHub(...args);
};
const ask = (method: string, path: string, body?: unknown) =>
  askRaw(`${github.url}${path}`, PERSON.token, method, body);
const page = async (path: string) => {
  const answer = await fetch(`${github.url}${path}`);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};

afterEach(() => github.stop());

describe('embedded GitHub', () => {
  it('listens on loopback and points every address of its answers at itself', async () => {
    await open();
    expect(github.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await ask('POST', '/repos/acme/shop/issues', { title: 'a' });
    await ask('POST', '/repos/acme/shop/issues', { title: 'b' });
    const { data, headers } = await ask('GET', '/repos/acme/shop/issues?per_page=1');
    const hosts = JSON.stringify([data, headers.get('link')]).match(/https?:\/\/[^/"\\]+/g) ?? [];
    expect(hosts.length).toBeGreaterThan(5);
    expect(new Set(hosts)).toEqual(new Set([github.url]));
  });

  it('records each request with its actor and status, and no token', async () => {
    await open();
    const { token } = await anAppToken(github, 'acme/shop');
    await askRaw(`${github.url}/repos/acme/shop/issues`, token, 'POST', { title: 't' });
    await ask('GET', '/repos/acme/shop?x=1');
    await askRaw(`${github.url}/repos/acme/shop`, 'wrong', 'GET');
    await page('/acme/shop/issues/1');
    expect(github.requests().map(({ method, path, actor, status }) => [method, path, actor, status])).toEqual([
      ['GET', '/repos/acme/shop/installation', 'app healer', 200],
      ['POST', '/app/installations/1001/access_tokens', 'app healer', 201],
      ['POST', '/repos/acme/shop/issues', 'healer[bot]', 201],
      ['GET', '/repos/acme/shop?x=1', 'ann', 200],
      ['GET', '/repos/acme/shop', 'anonymous', 401],
    ]);
    expect(JSON.stringify(github.requests())).not.toContain(token);
    expect(github.requests()[2]?.body).toEqual({ title: 't' });
  });

  it('takes its times from Date', async () => {
    await open();
    const real = Date;
    const shift = 86_400_000;
    globalThis.Date = class extends real {
      constructor(...args: unknown[]) {
        super(...((args.length === 0 ? [real.now() + shift] : args) as [number]));
      }
      static override now = () => real.now() + shift;
    } as DateConstructor;
    try {
      const { data, headers } = await ask('POST', '/repos/acme/shop/issues', { title: 't' });
      const created = real.parse((data as { created_at: string }).created_at);
      expect(created).toBeGreaterThan(real.now() + shift - 60_000);
      expect(real.parse(String(headers.get('date')))).toBeGreaterThan(real.now() + shift - 60_000);
    } finally {
      globalThis.Date = real;
    }
  });

  it('has an installation for each owner, and none on a repository that is left out', async () => {
    await open({
      repositories: [{ name: 'acme/shop' }, { name: 'acme/out', isInstalled: false }, { name: 'globex/core' }],
    });
    expect([...github.installations]).toEqual([
      ['acme', 1001],
      ['globex', 1002],
    ]);
    expect(await anAppToken(github, 'globex/core')).toMatchObject({ installationId: '1002' });
    await expect(anAppToken(github, 'acme/out')).rejects.toMatchObject({ status: 404 });
  });
});

describe('webhook', () => {
  it('tells the App of an issue, signed, with an id of its own for each event', async () => {
    const secret = 'webhook-secret';
    const receiver = await aHttpPeer((response) => response.end());
    await open({ webhook: { url: `${receiver.url}/api/v1/webhooks/github`, secret } });
    await ask('POST', '/repos/acme/shop/issues', { title: 'a' });
    await ask('PATCH', '/repos/acme/shop/issues/1', { state: 'closed', state_reason: 'not_planned' });
    await expect.poll(() => receiver.asked.length).toBe(2);
    for (const { path, headers, body } of receiver.asked) {
      expect(path).toBe('/api/v1/webhooks/github');
      expect(headers['x-github-event']).toBe('issues');
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
    }
    const events = receiver.asked.map(
      ({ body }) => JSON.parse(body) as { action: string; installation: { id: number } },
    );
    expect(events.map(({ action, installation }) => `${action} ${installation.id}`).toSorted()).toEqual([
      'closed 1001',
      'opened 1001',
    ]);
    expect(new Set(receiver.asked.map(({ headers }) => headers['x-github-delivery'])).size).toBe(2);
    await receiver.stop();
  });
});

describe('pages for people', () => {
  const HOSTILE = '</pre><script>alert(1)</script> & "quotes" \u0026lt;';

  it('shows an issue with its labels, state and comments, all of it as text', async () => {
    await open();
    const title = '<img src=x onerror=alert(1)>';
    await ask('POST', '/repos/acme/shop/issues', { title, body: HOSTILE, labels: ['healer', '<i>'] });
    await ask('POST', '/repos/acme/shop/issues/1/comments', { body: '<svg onload=alert(2)>' });
    const { status, headers, html } = await page('/acme/shop/issues/1');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<img|<svg|<i>/);
    expect(html).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
    expect(html).toContain('&lt;svg onload=alert(2)&gt;');
    expect(html).toContain('healer');
    expect(html).toContain('open');
  });

  it('lists issues of a repository, and says so when there is no such page', async () => {
    await open();
    await ask('POST', '/repos/acme/shop/issues', { title: 'first' });
    expect((await page('/acme/shop/issues')).html).toContain('<a href="/acme/shop/issues/1">#1 first</a>');
    expect((await page('/acme/none')).status).toBe(404);
    expect((await page('/app/installations')).headers.get('content-type')).toMatch(/json/);
    expect((await page('/acme/shop/issues/9')).status).toBe(404);
  });

  it('shows a pull request with its patch', async () => {
    await open();
    const { sha } = (await github.asAdmin('GET', '/repos/acme/shop/commits/main')).data as { sha: string };
    await ask('POST', '/repos/acme/shop/git/refs', { ref: 'refs/heads/healer/a', sha });
    const file = (await ask('GET', '/repos/acme/shop/contents/config.json')).data as { sha: string };
    const content = Buffer.from('{"tools":["read_file"]}\n').toString('base64');
    await ask('PUT', '/repos/acme/shop/contents/config.json', {
      message: 'm',
      content,
      sha: file.sha,
      branch: 'healer/a',
    });
    await ask('POST', '/repos/acme/shop/pulls', { title: 'Fix', head: 'healer/a', base: 'main', draft: true });
    const { html } = await page('/acme/shop/pull/1');
    expect(html).toContain('draft');
    expect(html).toContain('config.json');
    expect(html).toContain('+{&quot;tools&quot;:[&quot;read_file&quot;]}');
  });
});

describe('faults', () => {
  it('loses a reply after acting', async () => {
    await open();
    github.faults.add({ kind: 'reply-lost', method: 'POST', times: 1 });
    expect((await ask('POST', '/repos/acme/shop/issues', { title: 't' })).status).toBe(502);
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toHaveLength(1);
    expect((await ask('POST', '/repos/acme/shop/issues', { title: 't' })).status).toBe(201);
  });

  it('lets lists lag behind', async () => {
    await open();
    const off = github.faults.add({ kind: 'list-lag', ms: 60_000, path: /\/issues$/ });
    await ask('POST', '/repos/acme/shop/issues', { title: 't' });
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toEqual([]);
    expect((await ask('GET', '/repos/acme/shop/issues/1')).status).toBe(200);
    off();
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toHaveLength(1);
  });

  it('answers a status, a page of a proxy, or nothing, and is well again after clear', async () => {
    await open();
    github.faults.add({ kind: 'status', status: 500, path: /\/issues$/ });
    expect((await ask('POST', '/repos/acme/shop/issues', { title: 't' })).status).toBe(500);
    expect((await ask('GET', '/repos/acme/shop')).status).toBe(200);
    github.faults.clear();
    github.faults.add({ kind: 'html', times: 1 });
    expect((await ask('GET', '/repos/acme/shop')).headers.get('content-type')).toMatch(/html/);
    github.faults.add({ kind: 'disconnect', times: 1 });
    await expect(ask('GET', '/repos/acme/shop')).rejects.toThrow('fetch failed');
    github.faults.add({ kind: 'hang' });
    const hung = fetch(`${github.url}/repos/acme/shop`, { signal: AbortSignal.timeout(100) });
    await expect(hung).rejects.toThrow('timeout');
    github.faults.clear();
    expect((await ask('GET', '/repos/acme/shop/issues')).data).toEqual([]);
  });
});
