import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { toSessionItem } from '#lib/adapters/dynamodb/session-items.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import type { SessionStore } from '#lib/app/ports.ts';
import { SESSION_STATUSES, type SessionStatus } from '#lib/domain/session/session.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const SIZE = 10_000;
const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const NOW = NOON + SIZE;
const times = { expiresAt: NOW + MILLIS_PER_HOUR, removeAt: NOW + MILLIS_PER_DAY };

/** One a millisecond; every twentieth is of a repository with few. */
const seeded = Array.from({ length: SIZE }, (_, index) => ({
  playId: `play-${index}`,
  repository: index % 20 === 0 ? 'acme/rare' : 'acme/widgets',
  status: SESSION_STATUSES[index % 4] as SessionStatus,
  startedAt: toIso(NOON + index),
}));

let server: TestTables;
let client: DynamoDBDocumentClient;
let store: SessionStore;
/** Operations that the store asked of the table. */
const operations: string[] = [];

beforeAll(async () => {
  server = await startTestTables();
  client = toDocumentClient();
  store = sessionStore({ client, table: server.tables.Sessions, clock: { now: () => NOW } });
  const items = seeded.map(({ startedAt, ...session }) =>
    toSessionItem(aSession({ ...session, startedAt, lastUpdated: startedAt }), times),
  );
  for (let i = 0; i < items.length; i += 25) {
    const requests = items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [server.tables.Sessions]: requests } }));
  }
  client.middlewareStack.add(
    (next, context) => (args) => {
      operations.push(String(context['commandName']));
      return next(args);
    },
    { step: 'initialize' },
  );
}, 60_000);
afterAll(() => server.stop());

type Filter = Pick<Parameters<SessionStore['list']>[0], 'status' | 'repository'>;

/** Walks all pages, and starts a session of each repository after each page. */
async function walk(filter: Filter, limit: number) {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, limit, cursor });
    pages.push(page.items.map(({ playId }) => playId));
    cursor = page.cursor;
    for (const repository of ['acme/rare', 'acme/widgets']) await startNewer(repository);
  } while (cursor !== undefined);
  return pages;
}

let started = 0;
async function startNewer(repository: string): Promise<void> {
  started += 1;
  const startedAt = toIso(NOW + started);
  const session = aSession({ playId: `later-${started}`, repository, startedAt, lastUpdated: startedAt });
  expect(await store.start(session, times)).toMatchObject({ kind: 'started' });
}

const newestFirst = (chosen: (session: (typeof seeded)[number]) => boolean) =>
  seeded
    .filter(chosen)
    .map(({ playId }) => playId)
    .toReversed();

describe(`a list of ${SIZE} sessions`, () => {
  it.each<[string, Filter, number, (session: (typeof seeded)[number]) => boolean]>([
    ['all', {}, 1_000, () => true],
    ['of a status', { status: 'failed' }, 500, ({ status }) => status === 'failed'],
    ['of a repository', { repository: 'acme/rare' }, 100, ({ repository }) => repository === 'acme/rare'],
    [
      'of a repository and a status',
      { repository: 'acme/widgets', status: 'completed' },
      500,
      ({ repository, status }) => repository === 'acme/widgets' && status === 'completed',
    ],
  ])('pages %s newest first, each once, while sessions are started', async (_case, filter, limit, chosen) => {
    const pages = await walk(filter, limit);
    const listed = pages.flat().filter((playId) => playId.startsWith('play-'));
    expect(listed).toEqual(newestFirst(chosen));
    // What is started during the walk comes before its first page.
    expect(pages.slice(1).flat()).toEqual(
      pages
        .slice(1)
        .flat()
        .filter((playId) => playId.startsWith('play-')),
    );
    expect(pages.every((page) => page.length <= limit)).toBe(true);
  });

  it('is read by queries alone', () => {
    expect(operations).toContain('QueryCommand');
    expect(operations).not.toContain('ScanCommand');
  });
});
