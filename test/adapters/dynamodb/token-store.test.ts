import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { authorize } from '#lib/app/authorize.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

let server: TestTables;
let store: TokenStore;
beforeAll(async () => {
  server = await startTestTables();
  store = tokenStore({ client: toDocumentClient(), table: server.tables.Tokens }, systemRandom);
});
afterAll(() => server.stop());

const faults: unknown[] = [];
const check = (token: string, now = 100) =>
  authorize(
    { tokens: store, clock: { now: () => now }, onNoteFault: (error) => faults.push(error) },
    `Bearer ${token}`,
  );

describe('tokenStore', () => {
  it('makes tokens that the API accepts, each another', async () => {
    const one = await store.create({ name: 'mcp', now: 1 });
    const two = await store.create({ name: 'mcp', now: 2 });
    expect(one.token).not.toBe(two.token);
    expect(await check(one.token)).toEqual({ isAuthorized: true, tokenId: one.id, tokenName: 'mcp' });
    expect(await check(two.token)).toEqual({ isAuthorized: true, tokenId: two.id, tokenName: 'mcp' });
  });

  it('stores no secret', async () => {
    const { token } = await store.create({ name: 'mcp', now: 1 });
    const { Items } = await toDocumentClient().send(new ScanCommand({ TableName: server.tables.Tokens }));
    expect(JSON.stringify(Items)).not.toContain(token.split('_')[2]);
  });

  it('notes the last use once an hour, and never of a token that is gone', async () => {
    const HOUR = 3_600_000;
    const { id, token } = await store.create({ name: 'mcp', now: 1 });
    expect(await store.find(id)).toMatchObject({ lastUsedAt: null });
    await check(token, 5 * HOUR + 17);
    expect(await store.find(id)).toMatchObject({ lastUsedAt: 5 * HOUR });
    await check(token, 6 * HOUR + 1);
    await store.noteUse(id, 5 * HOUR);
    expect(await store.find(id)).toMatchObject({ lastUsedAt: 6 * HOUR });
    await store.noteUse('0'.repeat(16), HOUR);
    expect(await store.find('0'.repeat(16))).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it('refuses a revoked token and keeps the first moment', async () => {
    const { id, token } = await store.create({ name: 'mcp', now: 1 });
    expect(await store.revoke(id, 50)).toMatchObject({ id, revokedAt: 50 });
    expect(await store.revoke(id, 60)).toMatchObject({ id, revokedAt: 50 });
    expect(await check(token)).toEqual({ isAuthorized: false, reason: 'unusable' });
  });

  it('refuses an expired token', async () => {
    const { token } = await store.create({ name: 'mcp', now: 1, expiresAt: 100 });
    expect(await check(token, 99)).toMatchObject({ isAuthorized: true });
    expect(await check(token, 100)).toMatchObject({ isAuthorized: false });
  });

  it('refuses the secret of another token', async () => {
    const [one, two] = [await store.create({ name: 'a', now: 1 }), await store.create({ name: 'b', now: 1 })];
    const mixed = `hlr_${one.id}_${two.token.split('_')[2]}`;
    expect(await check(mixed)).toEqual({ isAuthorized: false, reason: 'unusable' });
  });

  it('revokes and finds nothing that does not exist', async () => {
    expect(await store.revoke('0'.repeat(16), 1)).toBeUndefined();
    expect(await store.find('0'.repeat(16))).toBeUndefined();
  });

  it('lists tokens, oldest first', async () => {
    const records = await store.list();
    expect(records.map(({ createdAt }) => createdAt).slice(0, 2)).toEqual([1, 1]);
    expect(records.at(-1)?.createdAt).toBe(2);
  });
});
