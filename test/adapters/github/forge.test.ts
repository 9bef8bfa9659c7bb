import { afterEach, describe, expect, it } from 'vitest';
import { githubForge } from '#lib/adapters/github/forge.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

let peer: HttpPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

async function aForge(answer: Parameters<typeof aHttpPeer>[0], clock = { now: () => NOW }) {
  peer = await aHttpPeer(answer);
  const token = { token: 't', expiresAt: NOW + 3_600_000, installationId: '1', author: 'healer[bot]' };
  return githubForge({
    tokens: { get: async () => token, forget: () => {} },
    apiUrl: peer.url,
    clock,
    timeoutMs: 500,
  });
}

describe('githubForge', () => {
  it('leaves the end of the rate limit to the writer, and goes on once it is renewed', async () => {
    let now = NOW;
    const forge = await aForge(
      (response) =>
        response
          .writeHead(200, {
            'content-type': 'application/json',
            'x-ratelimit-remaining': '499',
            'x-ratelimit-reset': String(NOW / 1000 + 600),
          })
          .end('[]'),
      { now: () => now },
    );
    await forge.pulls('acme/shop', 0);
    await expect(forge.pulls('acme/shop', 0)).rejects.toMatchObject({ retryable: true, retryAfterMs: 600_000 });
    expect(peer?.asked).toHaveLength(1);
    now += 600_000;
    await forge.pulls('acme/shop', 0);
    expect(peer?.asked).toHaveLength(2);
  });

  it('says so when there are more pull requests than it looks through', async () => {
    const item = (number: number) => ({
      number,
      title: 't',
      state: 'open',
      user: null,
      head: { ref: 'b', sha: 'a'.repeat(40) },
      created_at: '2026-11-30T11:00:00Z',
      updated_at: '2026-11-30T11:30:00Z',
    });
    const forge = await aForge((response) => {
      const headers = { 'content-type': 'application/json', link: '<http://x/?page=9>; rel="next"' };
      response.writeHead(200, headers).end(JSON.stringify(Array.from({ length: 100 }, (_, i) => item(i + 1))));
    });
    const { items, gaps } = await forge.pulls('acme/shop', 0);
    expect(items).toHaveLength(200);
    expect(gaps).toEqual(['Only the 200 pull requests that changed last were looked through.']);
    expect(peer?.asked).toHaveLength(2);
    expect(items[0]?.author).toBe('ghost');
  });

  it.each([
    [200, '<html>sign in</html>'],
    [200, '{"message":"other"}'],
    [500, '{}'],
    [403, '{"message":"Resource not accessible by integration"}'],
  ])('an answer of %d with %s is an error', async (status, body) => {
    const forge = await aForge((response) => response.writeHead(status).end(body));
    await expect(forge.pulls('acme/shop', 0)).rejects.toMatchObject({ name: 'SourceError', source: 'github' });
  });
});
