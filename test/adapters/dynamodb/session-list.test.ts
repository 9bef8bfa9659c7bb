import { beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { toCursor } from '#lib/adapters/dynamodb/list-cursor.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import type { SessionStore } from '#lib/app/ports.ts';
import { InputError } from '#lib/domain/errors.ts';
import { toIso } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const MINUTE = 60_000;

let server: TestTables;
let store: SessionStore;
let now = NOON;

async function start(
  playId: string,
  at: number,
  life = { expiresAt: NOON + 60 * MINUTE, removeAt: NOON + 90 * MINUTE },
) {
  const repository = playId.startsWith('b') ? 'acme/other' : 'https://github.com/Acme/Widgets';
  await store.start(aSession({ playId, repository, startedAt: toIso(at), lastUpdated: toIso(at) }), life);
}

/** All pages of a list, as ids. */
async function idsOf(query: Parameters<SessionStore['list']>[0]): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...query, cursor });
    pages.push(page.items.map(({ playId }) => playId));
    cursor = page.cursor;
  } while (cursor !== undefined && pages.length < 50);
  return pages;
}

beforeEach(async () => {
  server = await startTestTables();
  now = NOON;
  store = sessionStore({ client: toDocumentClient(), table: server.tables.Sessions, clock: { now: () => now } });
  return () => server.stop();
});

describe('list', () => {
  it('is empty without sessions', async () => {
    expect(await store.list({ limit: 10 })).toEqual({ items: [] });
  });

  it.each([1, 2, 3, 4, 5, 6, 1000])('shows each session once, newest first, in pages of %i', async (limit) => {
    // Three of them start in the same millisecond.
    for (const [index, id] of ['a1', 'a2', 'b1', 'b2', 'a3'].entries()) await start(id, NOON + Math.max(0, index - 2));
    const pages = await idsOf({ limit });
    expect(pages.flat()).toEqual(['a3', 'b2', 'b1', 'a2', 'a1']);
    expect(pages.length).toBe(Math.ceil(5 / limit));
  });

  it('shows a session once, and ended, that ends while the list is read', async () => {
    await start('a1', NOON);
    await start('a2', NOON + 1);
    const client = toDocumentClient();
    const asksFor = (input: object, status: string) => JSON.stringify(input).includes(`"${status}"`);
    const { promise: activeIsRead, resolve } = Promise.withResolvers<void>();
    client.middlewareStack.add(
      (next) => async (args) => {
        if (asksFor(args.input, 'completed')) {
          await activeIsRead;
          await store.end('a1', 'completed', NOON + 2);
        }
        const answer = await next(args);
        if (asksFor(args.input, 'active')) resolve();
        return answer;
      },
      { step: 'initialize' },
    );
    const racing = sessionStore({ client, table: server.tables.Sessions, clock: { now: () => now } });
    const { items } = await racing.list({ limit: 10 });
    expect(items.map(({ playId, status }) => [playId, status])).toEqual([
      ['a2', 'active'],
      ['a1', 'completed'],
    ]);
  });

  it.each([1, 2, 3, 1000])('shows a namespace since a moment, ended ones too, in pages of %i', async (limit) => {
    for (const [index, id] of ['a1', 'a2', 'b1', 'b2'].entries()) await start(id, NOON + index * MINUTE);
    const elsewhere = aSession({ playId: 'c1', namespace: 'other', startedAt: toIso(NOON + 2 * MINUTE) });
    await store.start(elsewhere, { expiresAt: NOON + 60 * MINUTE, removeAt: NOON + 90 * MINUTE });
    await store.end('b1', 'completed', NOON + 4 * MINUTE);
    const pages = await idsOf({ namespace: 'cto', since: NOON + MINUTE, limit });
    expect(pages.flat()).toEqual(['b2', 'b1', 'a2']);
    expect(pages.length).toBeLessThanOrEqual(Math.ceil(3 / limit));
    const { items } = await store.list({ namespace: 'cto', since: NOON + MINUTE, limit: 10 });
    expect(items.map(({ status }) => status)).toEqual(['active', 'completed', 'active']);
  });

  it('shows a summary and nothing of the configuration', async () => {
    await start('a1', NOON);
    expect((await store.list({ limit: 1 })).items).toEqual([
      {
        playId: 'a1',
        repository: 'https://github.com/Acme/Widgets',
        namespace: 'cto',
        status: 'active',
        taskCount: 1,
        startedAt: toIso(NOON),
        lastUpdated: toIso(NOON),
      },
    ]);
  });

  it('goes on where it was when sessions are started between two pages', async () => {
    for (const [index, id] of ['a1', 'a2', 'a3', 'a4'].entries()) await start(id, NOON + index);
    const first = await store.list({ limit: 2 });
    await start('a5', NOON + 5);
    const second = await store.list({ limit: 2, cursor: first.cursor });
    expect([...first.items, ...second.items].map(({ playId }) => playId)).toEqual(['a4', 'a3', 'a2', 'a1']);
  });

  it('filters by repository in any spelling, by status, and by both', async () => {
    for (const [index, id] of ['a1', 'b1', 'a2', 'b2'].entries()) await start(id, NOON + index);
    await store.end('a2', 'completed', NOON + 10);
    await store.end('b1', 'cancelled', NOON + 10);
    expect((await idsOf({ limit: 1, repository: 'acme/widgets' })).flat()).toEqual(['a2', 'a1']);
    expect((await idsOf({ limit: 1, status: 'active' })).flat()).toEqual(['b2', 'a1']);
    expect((await idsOf({ limit: 1, status: 'completed' })).flat()).toEqual(['a2']);
    expect((await idsOf({ limit: 1, status: 'failed' })).flat()).toEqual([]);
    expect((await idsOf({ limit: 9, status: 'active', repository: 'acme/widgets' })).flat()).toEqual(['a1']);
    expect((await idsOf({ limit: 9, status: 'cancelled', repository: 'acme/other' })).flat()).toEqual(['b1']);
    expect((await idsOf({ limit: 9, status: 'failed', repository: 'acme/other' })).flat()).toEqual([]);
  });

  it('shows sessions whose time is over as cancelled wherever they are listed', async () => {
    await start('a1', NOON, { expiresAt: NOON + 5, removeAt: NOON + MINUTE });
    for (const [index, id] of ['a2', 'a3', 'a4', 'a5'].entries()) await start(id, NOON + 1 + index);
    await store.end('a2', 'cancelled', NOON + 2);
    await store.end('a4', 'cancelled', NOON + 4);
    await start('a6', NOON + 9, { expiresAt: NOON + 10, removeAt: NOON + MINUTE });
    now = NOON + 20;
    expect((await idsOf({ limit: 2, status: 'active' })).flat()).toEqual(['a5', 'a3']);
    for (const limit of [1, 2, 3, 4, 10]) {
      expect((await idsOf({ limit, status: 'cancelled' })).flat()).toEqual(['a6', 'a4', 'a2', 'a1']);
    }
    const both = { status: 'cancelled', repository: 'acme/widgets' } as const;
    expect((await idsOf({ limit: 3, ...both })).flat()).toEqual(['a6', 'a4', 'a2', 'a1']);
    const { items } = await store.list({ limit: 10 });
    expect(items.filter(({ status }) => status === 'active').map(({ playId }) => playId)).toEqual(['a5', 'a3']);
  });

  it('leaves out what should be gone, though it is still stored', async () => {
    await start('a1', NOON, { expiresAt: NOON + MINUTE, removeAt: NOON + 2 * MINUTE });
    await start('a2', NOON);
    now = NOON + 2 * MINUTE;
    expect((await idsOf({ limit: 10 })).flat()).toEqual(['a2']);
    expect((await idsOf({ limit: 10, repository: 'acme/widgets' })).flat()).toEqual(['a2']);
    expect((await idsOf({ limit: 10, status: 'cancelled' })).flat()).toEqual([]);
  });

  it.each([
    'nonsense',
    '',
    '%%%',
    toCursor('not a key'),
    Buffer.from('{"after":7}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    Buffer.from('{"before":"2026-11-30T12:00:00.000Z#a1"}').toString('base64url'),
  ])('refuses a cursor that it did not make (case %#)', async (cursor) => {
    await expect(store.list({ limit: 1, cursor })).rejects.toThrow(InputError);
  });
});
