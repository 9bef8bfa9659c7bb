import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoBudgetStore } from '#lib/adapters/dynamodb/budget-store.ts';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import type { Reservation } from '#lib/app/ports.ts';
import type { BudgetLimits, Spend } from '#lib/domain/model/spend.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const AT = Date.UTC(2026, 10, 30, 23, 59);
const much = { tokens: 1_000_000, microUsd: 1_000_000 };

let server: TestTables;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  server = await startTestTables();
  client = toDocumentClient();
});
afterAll(() => server.stop());

const aStore = (limits: Partial<BudgetLimits> = {}) =>
  dynamoBudgetStore(client, server.tables.Budgets, { incident: much, play: much, day: much, ...limits });

const aReservation = (change: Partial<Reservation> = {}): Reservation => ({
  id: randomUUID(),
  incident: randomUUID(),
  play: randomUUID(),
  at: AT,
  most: { tokens: 100, microUsd: 1_000 },
  ...change,
});

async function account(pk: string): Promise<(Spend & { calls: number; ttl: number }) | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: server.tables.Budgets, Key: { pk } }));
  if (Item === undefined) return undefined;
  const calls = Item['calls'] instanceof Set ? Item['calls'].size : 0;
  return { tokens: Item['tokens'] as number, microUsd: Item['micro_usd'] as number, calls, ttl: Item['ttl'] as number };
}

describe('a reservation', () => {
  it('is held in the accounts of incident, play and day, and replaced by what was used', async () => {
    const at = Date.UTC(2026, 0, 1);
    const one = aReservation({ at });
    expect(await aStore().reserve(one)).toEqual({ granted: true });
    for (const pk of [`incident#${one.incident}`, `play#${one.play}`, 'day#2026-01-01']) {
      expect(await account(pk)).toMatchObject({ tokens: 100, microUsd: 1_000, calls: 1, ttl: expect.any(Number) });
    }
    const store = aStore({ day: { tokens: 1_000, microUsd: 1_000 } });
    // Of the day's money 30 % are used, of its tokens 4 %.
    expect(await store.settle(one, { tokens: 40, microUsd: 300 })).toBe(0.3);
    expect(await store.settle(one, { tokens: 40, microUsd: 300 })).toBeUndefined();
    for (const pk of [`incident#${one.incident}`, `play#${one.play}`, 'day#2026-01-01']) {
      expect(await account(pk)).toMatchObject({ tokens: 40, microUsd: 300, calls: 0 });
    }
  });

  it('counts once when it is sent twice, and settles to more than was held', async () => {
    const one = aReservation();
    const store = aStore({ incident: { tokens: 150, microUsd: 10_000 } });
    expect(await store.reserve(one)).toEqual({ granted: true });
    expect(await store.reserve(one)).toEqual({ granted: true });
    expect(await account(`incident#${one.incident}`)).toMatchObject({ tokens: 100, calls: 1 });
    await store.settle(one, { tokens: 900, microUsd: 9_000 });
    expect(await account(`incident#${one.incident}`)).toMatchObject({ tokens: 900, microUsd: 9_000 });
    expect(await store.reserve(aReservation({ incident: one.incident }))).toEqual({
      granted: false,
      scope: 'incident',
    });
  });

  it.each([
    ['incident', { tokens: 99, microUsd: 9_999 }],
    ['incident', { tokens: 999, microUsd: 999 }],
    ['play', { tokens: 99, microUsd: 9_999 }],
    ['day', { tokens: 999, microUsd: 999 }],
    ['day', { tokens: 0, microUsd: 0 }],
  ] as const)('over the budget of the %s (%j) is refused and leaves nothing behind', async (scope, limit) => {
    const one = aReservation({ at: Date.UTC(2020, 0, 1) });
    expect(await aStore({ [scope]: limit }).reserve(one)).toEqual({ granted: false, scope });
    for (const pk of [`incident#${one.incident}`, `play#${one.play}`, 'day#2020-01-01']) {
      expect((await account(pk)) ?? { tokens: 0, calls: 0 }).toMatchObject({ tokens: 0, calls: 0 });
    }
  });

  it('begins a new account at midnight UTC, and keeps those of plays and incidents', async () => {
    const limits = { day: { tokens: 100, microUsd: 1_000 } };
    const at = Date.UTC(2025, 5, 1, 23, 59, 59, 999);
    const play = randomUUID();
    expect(await aStore(limits).reserve(aReservation({ at, play }))).toEqual({ granted: true });
    expect(await aStore(limits).reserve(aReservation({ at, play }))).toEqual({ granted: false, scope: 'day' });
    expect(await aStore(limits).reserve(aReservation({ at: at + 1, play }))).toEqual({ granted: true });
    expect(await account(`play#${play}`)).toMatchObject({ tokens: 200 });
  });

  it('that is never settled stays counted', async () => {
    const incident = randomUUID();
    const store = aStore({ incident: { tokens: 250, microUsd: 10_000 } });
    const outcomes = [];
    for (let i = 0; i < 4; i += 1) outcomes.push((await store.reserve(aReservation({ incident }))).granted);
    expect(outcomes).toEqual([true, true, false, false]);
  });
});

describe('200 racers for one budget', () => {
  /** Waits long: 200 connections at once are much for an emulator beside other work. */
  const patient = () =>
    DynamoDBDocumentClient.from(
      new DynamoDBClient({ requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 }, maxAttempts: 5 }),
    );

  it.each([
    ['half of what they hold', 0.5],
    ['all that they hold', 1],
  ])('which use %s never spend more than there is', { timeout: 60_000 }, async (_, share) => {
    const incident = randomUUID();
    const limit = { tokens: 2_000, microUsd: 20_000 };
    const limits = { incident: limit, play: much, day: much };
    const store = dynamoBudgetStore(patient(), server.tables.Budgets, limits);
    let used = 0;
    let calls = 0;
    const race = async () => {
      const reservation = aReservation({ incident, at: Date.UTC(2023, 0, 1) });
      if (!(await store.reserve(reservation)).granted) return;
      const spent = { tokens: reservation.most.tokens * share, microUsd: reservation.most.microUsd * share };
      used += spent.tokens;
      calls += 1;
      expect(used).toBeLessThanOrEqual(limit.tokens);
      await store.settle(reservation, spent);
    };
    await Promise.all(Array.from({ length: 200 }, race));
    expect(calls).toBeGreaterThanOrEqual(20);
    expect(await account(`incident#${incident}`)).toMatchObject({ tokens: used, calls: 0 });
  });
});
