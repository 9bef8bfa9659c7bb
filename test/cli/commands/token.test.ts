import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { cli } from '#test/support/cli.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

let server: TestTables;
let store: TokenStore;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startTestTables();
  store = tokenStore({ client: toDocumentClient(), table: server.tables.Tokens }, systemRandom);
  env = { HEALER_ENDPOINT: server.endpoint };
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const { id } of await store.list()) await store.revoke(id, Date.now());
});

const token = (...args: string[]) => cli(['token', ...args, '--stage', 'test'], env);

interface Listed {
  readonly tokens: readonly { readonly [field: string]: unknown }[];
}

const listed = async (...args: string[]) => JSON.parse((await token('list', '--json', ...args)).stdout) as Listed;

describe('healer token create', () => {
  it('prints the token alone, once, and stores its hash', async () => {
    const { code, stdout, stderr } = await token('create');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hlr_[0-9a-f]{16}_[0-9a-f]{64}\n$/);
    const [, id = '', secret = ''] = stdout.trim().split('_');
    expect(stderr).toContain(id);
    expect(stderr).not.toContain(secret);
    expect((await store.find(id))?.secretHash).not.toContain(secret);
    expect(JSON.stringify(await listed('--all'))).not.toContain(secret);
  });

  it('prints JSON, with the end of a token that expires', async () => {
    const { stdout } = await token('create', '--name', 'ci', '--expires-days', '90', '--json');
    const made = JSON.parse(stdout) as { token: string; expires_at: string };
    expect(made).toMatchObject({ name: 'ci', token: expect.stringMatching(/^hlr_/) });
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it('refuses a third with the sentence which to revoke', async () => {
    const first = JSON.parse((await token('create', '--json')).stdout) as { id: string };
    await token('create');
    const { code, stdout, stderr } = await token('create');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`healer token revoke ${first.id} (mcp)`);
    await token('revoke', first.id);
    expect((await token('create')).code).toBe(0);
  });
});

describe('healer token list', () => {
  it('shows live ones, and all when asked', async () => {
    const made = JSON.parse((await token('create', '--name', 'one', '--json')).stdout) as { id: string };
    await store.noteUse(made.id, Date.parse('2026-11-30T12:00:00.000Z'));
    expect((await listed()).tokens).toEqual([
      expect.objectContaining({ id: made.id, name: 'one', state: 'live', last_used_at: '2026-11-30T12:00:00.000Z' }),
    ]);
    const { stdout } = await token('list');
    expect(stdout).toContain('LAST USED');
    expect(stdout).toContain('2026-11-30 12h');
    await token('revoke', made.id);
    expect((await listed()).tokens).toEqual([]);
    expect((await listed('--all')).tokens).toContainEqual(expect.objectContaining({ id: made.id, state: 'revoked' }));
    expect((await token('list')).stdout).toContain('healer token create');
  });
});

describe('healer token revoke', () => {
  it('keeps the first moment, and says when there is no such token', async () => {
    const { id } = JSON.parse((await token('create', '--json')).stdout) as { id: string };
    const first = await token('revoke', id, '--json');
    expect((await token('revoke', id, '--json')).stdout).toBe(first.stdout);
    const { code, stderr } = await token('revoke', '0'.repeat(16));
    expect(code).toBe(2);
    expect(stderr).toContain('there is no token');
  });
});

describe('healer token', () => {
  it.each([
    [[], 'say what to do'],
    [['forget'], 'say what to do'],
    [['revoke'], 'say which token'],
    [['list', 'more'], 'too many words'],
    [['create', '--expires-days', '0'], '--expires-days'],
    [['create', '--name', ' '], "A token's name"],
    [['create', '--unknown'], '--unknown'],
  ])('says of %j what would be right', async (args, sentence) => {
    const { code, stderr } = await token(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  it('names the table that is not there', async () => {
    const { code, stderr } = await cli(['token', 'list', '--stage', 'other'], env);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no table healer-other-tokens');
  });

  it("asks in the region of the stage's file, where that lies at hand", async () => {
    const place = aStageFolder({ region: 'us-east-1' }, 'other');
    const args = ['token', 'list', '--stage', 'other', '--folder', place.folder];
    // The signature of a request names its region.
    const seen: string[] = [];
    const peer = await aHttpPeer((response, { headers }) => {
      const [, region = ''] = /Credential=[^/]+\/\d+\/([^/]+)/.exec(headers.authorization ?? '') ?? [];
      seen.push(region);
      response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
    });
    await cli(args, { HEALER_ENDPOINT: peer.url });
    await cli([...args, '--region', 'us-east-1'], { HEALER_ENDPOINT: peer.url });
    await peer.stop();
    place.remove();
    expect(seen).toEqual(['us-east-1', 'us-east-1']);
  });

  it('finds the tables of the running local stack', async () => {
    const stack = await aHttpPeer((response, { path }) => {
      const isAsked = path === '/_local/services';
      response.writeHead(isAsked ? 200 : 404).end(JSON.stringify({ endpoint: server.endpoint }));
    });
    const { code, stdout } = await cli(['token', 'create', '--local', '--stage', 'test'], { HEALER_URL: stack.url });
    await stack.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hlr_/);
  });

  it('says how to start the local stack when none runs', async () => {
    const { code, stderr } = await cli(['token', 'list', '--local'], { HEALER_URL: 'http://127.0.0.1:9' });
    expect(code).toBe(2);
    expect(stderr).toContain('npm start');
  });
});
