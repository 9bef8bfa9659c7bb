import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DryRunGitHub, startDryRunGitHub, type Write } from '#lib/local/live/dry-run-github.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

let peer: HttpPeer;
let front: DryRunGitHub;
let writes: Write[];

beforeEach(async () => {
  peer = await aHttpPeer((response, { method, path }) => {
    if (path.endsWith('/broken')) return response.destroy();
    if (path.endsWith('/moved')) return response.writeHead(301, { location: `${peer.url}/api/v3/there` }).end();
    if (path.endsWith('/same')) return response.writeHead(304).end();
    const headers = {
      'content-type': 'application/json',
      link: `<${peer.url}/api/v3/x?page=2>; rel="next"`,
      etag: '"a"',
    };
    return response.writeHead(method === 'POST' ? 201 : 200, headers).end('{"id":1}');
  });
  writes = [];
  const onWrite = (write: Write) => void writes.push(write);
  front = await startDryRunGitHub({ apiUrl: `${peer.url}/api/v3`, isFiling: false, onWrite });
});
afterEach(async () => {
  await front.stop();
  await peer.stop();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`${front.url}${path}`, { redirect: 'manual', ...init });
const file = (body = '{"title":"t"}') => ask('/repos/acme/widgets/issues', { method: 'POST', body });

describe('the front of GitHub', () => {
  it('lets reads through below the base of the API, with what they carry', async () => {
    const headers = { authorization: 'token t', 'if-none-match': '"a"', cookie: 'c=1' };
    const answer = await ask('/repos/acme/widgets?a=1', { headers });
    expect([answer.status, await answer.json()]).toEqual([200, { id: 1 }]);
    expect(answer.headers.get('link')).toBe(`<${front.url}/x?page=2>; rel="next"`);
    expect(peer.asked[0]).toMatchObject({ method: 'GET', path: '/api/v3/repos/acme/widgets?a=1' });
    expect(peer.asked[0]?.headers).toMatchObject({ authorization: 'token t', 'if-none-match': '"a"' });
    expect(peer.asked[0]?.headers).not.toHaveProperty('cookie');
  });

  it('follows no redirect, and leaves a 304 one', async () => {
    const moved = await ask('/moved');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${front.url}/there`]);
    expect((await ask('/same')).status).toBe(304);
  });

  it('lets a token be minted', async () => {
    expect((await ask('/app/installations/7/access_tokens', { method: 'POST', body: '{}' })).status).toBe(201);
    expect(writes).toEqual([]);
  });

  it.each([
    ['POST', '/repos/acme/widgets/issues'],
    ['PATCH', '/repos/acme/widgets/issues/1'],
    ['PUT', '/repos/acme/widgets/contents/a'],
    ['DELETE', '/repos/acme/widgets/git/refs/heads/a'],
    ['POST', '/app/installations/7/access_tokens/more'],
    ['POST', '/graphql'],
  ])('holds %s %s, and asks to wait', async (method, path) => {
    const answer = await ask(path, { method, body: '{"title":"t"}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '86400']);
    expect(await answer.text()).toContain('Dry run: nothing is written on GitHub');
    expect(peer.asked).toEqual([]);
    expect(writes).toEqual([{ method, path, body: '{"title":"t"}', status: undefined }]);
  });

  it('tells of a held write once, and of a changed one again', async () => {
    await file();
    await file();
    await file('{"title":"other"}');
    expect(writes.map(({ body }) => body)).toEqual(['{"title":"t"}', '{"title":"other"}']);
  });

  it('lets writes through from the moment filing is on', async () => {
    await file();
    front.startFiling();
    expect((await file()).status).toBe(201);
    expect(peer.asked).toMatchObject([
      { method: 'POST', path: '/api/v3/repos/acme/widgets/issues', body: '{"title":"t"}' },
    ]);
    expect(writes.map(({ status }) => status)).toEqual([undefined, 201]);
  });

  it('breaks the connection where that to GitHub breaks', async () => {
    await expect(ask('/broken')).rejects.toThrow('fetch failed');
  });
});
