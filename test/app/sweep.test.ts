import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { sweep } from '#lib/app/sweep.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso, toNanos } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const clock = { now: () => NOW };

let server: TestTables;
beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

it('ends what is over and what is silent, and asks for a look at what goes on', async () => {
  const client = toDocumentClient();
  const { tables } = server;
  const sessions = sessionStore({ client, table: tables.Sessions, clock });
  // No cursor owes a read: what is asked for is asked for by sessions.
  const windows = { ...dynamoWindowStore(client, tables.Windows, { days: 30 }), overdue: async () => [] };
  const sent: unknown[] = [];
  const queues = { send: async (...message: unknown[]) => void sent.push(message) };

  const start = async (playId: string, hours: number) => {
    const startedAt = NOW - hours * MILLIS_PER_HOUR;
    const session = aSession({ playId, namespace: playId, startedAt: toIso(startedAt), lastUpdated: toIso(startedAt) });
    const expiresAt = startedAt + 48 * MILLIS_PER_HOUR;
    await sessions.start(session, { expiresAt, removeAt: expiresAt + MILLIS_PER_DAY });
    // The log of its namespace has been read until this moment.
    const lease = { owner: 'test', now: NOW, until: NOW };
    await windows.claim({ source: 'loki', namespace: playId, from: toNanos(NOW), ...lease });
  };
  await start('over', 48);
  await start('silent', 7);
  await start('speaking', 7);
  await start('young', 1);
  const ns = toNanos(NOW - MILLIS_PER_HOUR);
  const pod = { pod: 'p', playId: 'speaking', agent: null, firstNs: ns, lastNs: ns, preflight: 'passed' as const };
  await windows.savePods('loki', 'speaking', [pod], NOW);

  const incidents = dynamoIncidentStore(client, tables.Incidents);
  const options = { source: 'loki', idleAfter: 6 * MILLIS_PER_HOUR, consumed: [] };
  const result = await sweep({ sessions, windows, incidents, queues, clock }, options);

  expect(result).toMatchObject({ expired: 1, idle: 1, active: 2 });
  expect(result).toMatchObject({ namespaces: 2, blindSessions: 0, blindSources: 0, unprovenMs: 0 });
  expect(await sessions.get('over')).toMatchObject({ status: 'cancelled', endedBy: 'expiry' });
  expect(await sessions.get('silent')).toMatchObject({ status: 'cancelled', endedBy: 'idle', endedAt: toIso(NOW) });
  expect(await sessions.get('speaking')).toMatchObject({ status: 'active', endedBy: null });
  expect(sent).toEqual(
    expect.arrayContaining(['speaking', 'young'].map((namespace) => ['window', { source: 'loki', namespace }])),
  );
  expect(sent).toHaveLength(2);
});
