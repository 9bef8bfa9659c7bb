import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { listWatched } from '#lib/app/list-watched.ts';
import { createPlayMemory, type PlayMemory } from '#lib/app/play-memory.ts';
import type { Cursor, SessionStore } from '#lib/app/ports.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso, toNanos } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const MINUTE = 60_000;
let server: TestTables;
let sessions: SessionStore;
let read: string[];
let memory: PlayMemory;
let namespace: string;
let now: number;

beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());
beforeEach(() => {
  now = Date.parse('2026-11-30T12:00:00.000Z');
  namespace = `ns-${randomUUID().slice(0, 8)}`;
  memory = createPlayMemory();
  read = [];
  const store = sessionStore({ client: toDocumentClient(), table: server.tables.Sessions, clock: { now: () => now } });
  sessions = { ...store, get: (playId) => (read.push(playId), store.get(playId)) };
});

async function start(minutesAgo: number, own = namespace): Promise<string> {
  const playId = `play-${randomUUID().slice(0, 8)}`;
  const startedAt = toIso(now - minutesAgo * MINUTE);
  const session = aSession({ playId, namespace: own, startedAt, lastUpdated: startedAt });
  await sessions.start(session, { expiresAt: now + 48 * MILLIS_PER_HOUR, removeAt: now + 30 * MILLIS_PER_DAY });
  return playId;
}

const readUntil = (at: number, plays: readonly string[]): Cursor => ({
  source: 'loki',
  namespace,
  until: toNanos(at),
  plays,
  provenAt: at,
  failure: null,
  lease: null,
  version: 1,
});

async function list(cursor: Cursor | undefined, kept: PlayMemory | undefined = memory): Promise<string[]> {
  read = [];
  const watched = await listWatched({ sessions, memory: kept }, namespace, cursor, now);
  return watched.map(({ playId }) => playId).toSorted();
}

it('holds the active sessions of the namespace, however old, where nothing has been read yet', async () => {
  const own = [await start(1), await start(90), await start(30 * 60)].toSorted();
  await start(1, 'another');
  expect(await list(undefined)).toEqual(own);
});

it('holds what the cursor names and what has started since', async () => {
  const old = await start(20 * 60);
  const young = await start(1);
  const cursor = readUntil(now - MINUTE, [old]);
  expect(await list(cursor)).toEqual([old, young].toSorted());
  expect(await list(cursor, undefined)).toEqual([old, young].toSorted());
});

it('holds what started while the log lay behind, although a read proved something lately', async () => {
  const playId = await start(40);
  const cursor = { ...readUntil(now - 50 * MINUTE, []), provenAt: now };
  expect(await list(cursor)).toEqual([playId]);
});

it('reads a session once, and again as soon as it is no longer active', async () => {
  const playId = await start(90);
  const cursor = readUntil(now - MINUTE, [playId]);
  expect(await list(cursor)).toEqual([playId]);
  expect(read).toEqual([playId]);
  expect(await list(cursor)).toEqual([playId]);
  expect(read).toEqual([]);
  await sessions.end(playId, 'completed', now);
  const [ended] = await listWatched({ sessions, memory }, namespace, cursor, now);
  expect(ended).toMatchObject({ status: 'completed', endedAt: toIso(now) });
  now += 10 * MINUTE;
  expect(await list(readUntil(now - MINUTE, [playId]))).toEqual([]);
});

it('reads a session that started anew under the same id', async () => {
  const playId = await start(90);
  const cursor = readUntil(now - MINUTE, [playId]);
  await list(cursor);
  await sessions.end(playId, 'completed', now);
  now += MINUTE;
  const startedAt = toIso(now);
  const anew = aSession({ playId, namespace, startedAt, lastUpdated: startedAt, service: 'another-service' });
  await sessions.start(anew, { expiresAt: now + 48 * MILLIS_PER_HOUR, removeAt: now + 30 * MILLIS_PER_DAY });
  const watched = await listWatched({ sessions, memory }, namespace, cursor, now);
  expect(watched).toMatchObject([{ playId, startedAt, service: 'another-service' }]);
});
