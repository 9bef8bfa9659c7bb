import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import type { SessionStore } from '#lib/app/ports.ts';
import { SESSION_STATUSES, type SessionStatus } from '#lib/domain/session/session.ts';
import { toIso } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const NOW = NOON + 1_000;
const SIZE = 60;
const seconds = (ms: number) => Math.ceil(ms / 1000);

/** What is stored: sessions of two repositories, in every state, some of one millisecond, some past their time. */
const model = Array.from({ length: SIZE }, (_, index) => {
  const stored = SESSION_STATUSES[(index * 7) % 4] as SessionStatus;
  const isExpired = index % 3 === 0;
  const expiresAt = isExpired ? NOW - 1 : NOW + 1;
  const removeAt = index % 11 === 0 ? NOW : NOW + 60_000;
  const startedAt = NOON + Math.floor(index / 3);
  // An end counts the retention from its own moment.
  const endedFor = seconds(startedAt) + seconds(removeAt - expiresAt);
  return {
    playId: `play-${String(index).padStart(2, '0')}`,
    repository: index % 5 === 0 ? 'acme/rare' : 'acme/widgets',
    startedAt,
    stored,
    expiresAt,
    removeAt,
    goneAt: (stored === 'active' ? seconds(removeAt) : endedFor) * 1000,
    shown: stored === 'active' && isExpired ? 'cancelled' : stored,
  };
});

let server: TestTables;
let store: SessionStore;

beforeAll(async () => {
  server = await startTestTables();
  store = sessionStore({ client: toDocumentClient(), table: server.tables.Sessions, clock: { now: () => NOW } });
  for (const { playId, repository, startedAt, stored, expiresAt, removeAt } of model) {
    const moments = { startedAt: toIso(startedAt), lastUpdated: toIso(startedAt) };
    await store.start(aSession({ playId, repository, ...moments }), { expiresAt, removeAt });
    if (stored !== 'active') await store.end(playId, stored, startedAt);
  }
});
afterAll(() => server.stop());

const query = fc.record({
  limit: fc.integer({ min: 1, max: SIZE + 1 }),
  status: fc.option(fc.constantFrom(...SESSION_STATUSES), { nil: undefined }),
  repository: fc.option(fc.constantFrom('acme/widgets', 'acme/rare', 'acme/none'), { nil: undefined }),
});

describe('all pages of a list', () => {
  it('hold what the model holds, in its order, for any filter and size of page', async () => {
    await fc.assert(
      fc.asyncProperty(query, async ({ limit, status, repository }) => {
        const expected = model
          .filter(({ goneAt }) => goneAt > NOW)
          .filter(({ shown }) => status === undefined || shown === status)
          .filter((session) => repository === undefined || session.repository === repository)
          .map(({ playId, shown }) => `${playId} ${shown}`)
          .toReversed();
        const listed: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.list({ limit, status, repository, cursor });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          listed.push(...page.items.map(({ playId, status }) => `${playId} ${status}`));
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(listed).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('are found behind more filtered entries than one page may read', async () => {
    for (let index = 0; index < 50; index += 1) {
      const moments = { startedAt: toIso(NOON + index), lastUpdated: toIso(NOON + index) };
      const session = aSession({ playId: `many-${index}`, repository: 'acme/many', ...moments });
      await store.start(session, { expiresAt: NOW + 1, removeAt: NOW + 60_000 });
      if (index > 0) await store.end(session.playId, 'completed', NOON + index);
    }
    const active = { limit: 1, status: 'active', repository: 'acme/many' } as const;
    const first = await store.list(active);
    expect(first).toEqual({ items: [], cursor: expect.any(String) as string });
    const second = await store.list({ ...active, cursor: first.cursor });
    expect(second.items.map(({ playId }) => playId)).toEqual(['many-0']);
  });
});
