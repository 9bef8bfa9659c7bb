import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import type { SessionStore } from '#lib/app/ports.ts';
import { hashDeclaration } from '#lib/domain/session/declaration.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const MAX_AGE = 48 * MILLIS_PER_HOUR;
const times = { expiresAt: NOON + MAX_AGE, removeAt: NOON + MAX_AGE + 30 * MILLIS_PER_DAY };

let server: TestTables;
let store: SessionStore;
let now = NOON;
let count = 0;

beforeAll(async () => {
  server = await startTestTables();
  store = sessionStore({ client: toDocumentClient(), table: server.tables.Sessions, clock: { now: () => now } });
});
afterAll(() => server.stop());
beforeEach(() => {
  now = NOON;
});

const freshId = () => `play-${(count += 1)}`;
const startedAt = (at: number) => ({ startedAt: toIso(at), lastUpdated: toIso(at) });

describe('start', () => {
  it('stores all that was declared', async () => {
    const session = aSession({ playId: freshId(), service: null });
    expect(await store.start(session, times)).toEqual({ kind: 'started', session });
    expect(await store.get(session.playId)).toEqual(session);
  });

  it('knows the same declaration again and answers what is stored', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    const later = { ...session, ...startedAt(NOON + 5_000) };
    expect(await store.start(later, times)).toEqual({ kind: 'repeated', session });
  });

  it('tells another declaration and keeps the first', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    const other = aSession({ playId: session.playId, service: 'other' });
    expect(await store.start(other, times)).toEqual({ kind: 'differs', session });
    expect(await store.get(session.playId)).toEqual(session);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('begins anew after %s', async (status) => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    await store.end(session.playId, status, NOON + 1_000);
    const again = aSession({ playId: session.playId, service: 'other', ...startedAt(NOON + 2_000) });
    expect(await store.start(again, times)).toEqual({ kind: 'started', session: again });
    expect(await store.get(session.playId)).toEqual(again);
  });

  it.each([
    { when: 'just before its time is over', at: NOON + MAX_AGE - 1, kind: 'repeated' },
    { when: 'when its time is over', at: NOON + MAX_AGE, kind: 'started' },
    { when: 'when its record should be gone', at: times.removeAt, kind: 'started' },
  ])('is $kind $when', async ({ at, kind }) => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    now = at;
    expect(await store.start({ ...session, ...startedAt(at) }, times)).toMatchObject({ kind });
  });

  it('leaves one record of fifty racing equal starts, and tells all of them the same', async () => {
    const playId = freshId();
    const racers = Array.from({ length: 50 }, (_, index) => aSession({ playId, ...startedAt(NOON + index) }));
    const outcomes = await Promise.all(racers.map((session) => store.start(session, times)));
    const kinds = outcomes.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array.from({ length: 49 }, () => 'repeated'), 'started']);
    expect(new Set(outcomes.map(({ session }) => session.startedAt)).size).toBe(1);
  });

  it('has exactly one winner of fifty racing different starts', async () => {
    const playId = freshId();
    const racers = Array.from({ length: 50 }, (_, index) => aSession({ playId, service: `service-${index}` }));
    const outcomes = await Promise.all(racers.map((session) => store.start(session, times)));
    const winners = outcomes.filter(({ kind }) => kind === 'started');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'differs')).toHaveLength(49);
    expect(await store.get(playId)).toEqual(winners[0]?.session);
  });
});

describe('get', () => {
  it('knows no session that was never started', async () => {
    expect(await store.get('never-started')).toBeUndefined();
  });

  it('shows a session whose time is over as ended, and none when its retention has passed', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    now = times.expiresAt;
    expect(await store.get(session.playId)).toMatchObject({
      status: 'cancelled',
      endedAt: toIso(times.expiresAt),
      endedBy: 'expiry',
    });
    now = times.removeAt;
    expect(await store.get(session.playId)).toBeUndefined();
  });
});

describe('end', () => {
  it('ends once: the first end stands', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    const end = { status: 'failed', endedAt: toIso(NOON + 1), lastUpdated: toIso(NOON + 1), endedBy: 'call' };
    const ended = { ...session, ...end };
    expect(await store.end(session.playId, 'failed', NOON + 1)).toEqual(ended);
    expect(await store.end(session.playId, 'completed', NOON + 2)).toEqual(ended);
    expect(await store.get(session.playId)).toEqual(ended);
  });

  it('has one end of many that race', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    const statuses = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? ('completed' as const) : ('failed' as const),
    );
    const ends = await Promise.all(statuses.map((status, at) => store.end(session.playId, status, NOON + at)));
    expect(new Set(ends.map((end) => `${end?.status} ${end?.endedAt}`)).size).toBe(1);
  });

  it('says who ended it', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    await store.end(session.playId, 'cancelled', NOON + 1, 'idle');
    expect(await store.get(session.playId)).toMatchObject({ status: 'cancelled', endedBy: 'idle' });
  });

  it('keeps the record for its retention from the end on', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    await store.end(session.playId, 'completed', NOON + 1_000);
    const removedAt = NOON + 1_000 + 30 * MILLIS_PER_DAY;
    now = removedAt - 1;
    expect(await store.get(session.playId)).toMatchObject({ status: 'completed' });
    now = removedAt;
    expect(await store.get(session.playId)).toBeUndefined();
  });

  it('ends nothing that does not exist', async () => {
    expect(await store.end('never-started', 'failed', NOON)).toBeUndefined();
    expect(await store.get('never-started')).toBeUndefined();
  });

  it('leaves an expired session as it expired', async () => {
    const session = aSession({ playId: freshId() });
    await store.start(session, times);
    const ended = await store.end(session.playId, 'completed', times.expiresAt + 1);
    expect(ended).toMatchObject({ status: 'cancelled', endedAt: toIso(times.expiresAt) });
  });
});

it('hashes the declaration that it stores', async () => {
  const session = aSession({ playId: freshId() });
  await store.start(session, times);
  const stored = await store.get(session.playId);
  expect(stored && hashDeclaration(stored)).toBe(session.declarationHash);
});
