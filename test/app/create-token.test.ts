import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { createToken } from '#lib/app/create-token.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { ConflictError, InputError } from '#lib/domain/errors.ts';
import { isLive, RUNNER_TOKEN_NAME } from '#lib/domain/token.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

let server: TestTables;
let tokens: TokenStore;
let now = 1_000;
beforeAll(async () => {
  server = await startTestTables();
  tokens = tokenStore({ client: toDocumentClient(), table: server.tables.Tokens }, systemRandom);
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const { id } of await tokens.list()) await tokens.revoke(id, now);
  now += 1_000;
});

const create = (name: string, lifetime: number | null = null) =>
  createToken({ tokens, clock: { now: () => now++ } }, { name, lifetime });
const live = async () => (await tokens.list()).filter((record) => isLive(record, now));

describe('createToken', () => {
  it('makes two, refuses a third with the sentence which to revoke, and makes it when that is done', async () => {
    const first = await create('mcp');
    const second = await create('mcp next');
    await expect(create('third')).rejects.toThrow(ConflictError);
    await expect(create('third')).rejects.toThrow(`healer token revoke ${first.id} (mcp)`);
    await expect(create('third')).rejects.toThrow(`Also live: ${second.id} (mcp next)`);
    await tokens.revoke(first.id, now);
    expect((await create('third')).token).toMatch(/^hlr_[0-9a-f]{16}_[0-9a-f]{64}$/);
  });

  it('counts no expired token', async () => {
    await create('a', 10);
    await create('b', 10);
    now += 10;
    await create('c');
    expect((await live()).map(({ name }) => name)).toEqual(['c']);
  });

  it("does not count the local stack's own token", async () => {
    await tokens.create({ name: RUNNER_TOKEN_NAME, now });
    await create('a');
    await create('b');
    expect(await live()).toHaveLength(3);
  });

  it('leaves two of many that race', async () => {
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => create(`racer ${index}`)));
    const won = made.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.id);
    expect(new Set(won)).toEqual(new Set((await live()).map(({ id }) => id)));
    expect(won.length).toBeLessThanOrEqual(2);
  });

  it.each(['', ' mcp', 'a'.repeat(65), 'line\nbreak', RUNNER_TOKEN_NAME])('takes no name such as %j', async (name) => {
    await expect(create(name)).rejects.toThrow(InputError);
  });
});
