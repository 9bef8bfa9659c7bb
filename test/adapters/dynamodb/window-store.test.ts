import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import type { Coverage, Cursor, SeenPod, WindowStore } from '#lib/app/ports.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOW = 1_780_000_000_000;
const NS = BigInt(NOW) * 1_000_000n;

let server: TestTables;
let store: WindowStore;
let count = 0;

beforeAll(async () => {
  server = await startTestTables();
  store = dynamoWindowStore(toDocumentClient(), server.tables.Windows, { days: 30 });
});
afterAll(() => server.stop());

const aNamespace = () => `ns-${(count += 1)}`;
const claim = (namespace: string, owner = 'reader-1', now = NOW) =>
  store.claim({ source: 'loki', namespace, from: NS, owner, now, until: now + 90_000 });
const aClaimed = async (namespace = aNamespace()) => (await claim(namespace)) ?? expect.fail('not claimed');

const aCoverage = (cursor: Cursor, change: Partial<Coverage> = {}): Coverage => ({
  source: cursor.source,
  namespace: cursor.namespace,
  window: { since: cursor.until, until: cursor.until + 60n },
  lines: 3,
  bytes: 400,
  pages: 1,
  gaps: [],
  hasStreams: true,
  ...change,
});

const advance = (cursor: Cursor, until: bigint, due = NOW + 60_000) =>
  store.advance(cursor, { until, coverage: aCoverage(cursor), plays: ['play-1'], at: NOW + 1, due });

describe('a cursor', () => {
  it('begins where the first claim says, and one of twenty readers has it', async () => {
    const namespace = aNamespace();
    const readers = Array.from({ length: 20 }, (_, index) => claim(namespace, `reader-${index}`));
    const [won, ...others] = (await Promise.all(readers)).filter((cursor) => cursor !== undefined);
    expect([won?.until, others]).toEqual([NS, []]);
  });

  it('moves under the lease, and remembers which plays have been read', async () => {
    const cursor = await aClaimed();
    expect(await advance(cursor, NS + 60n)).toBe(true);
    const after = await store.cursor('loki', cursor.namespace);
    expect(after).toMatchObject({ until: NS + 60n, plays: ['play-1'], provenAt: NOW + 1, failure: null, lease: null });
  });

  it('is astray until a read finds a stream', async () => {
    const cursor = await aClaimed();
    const proven = { coverage: aCoverage(cursor), plays: [], at: NOW, due: NOW };
    await store.advance(cursor, { ...proven, until: NS + 60n, isAstray: true });
    expect(await store.cursor('loki', cursor.namespace)).toMatchObject({ isAstray: true });
    await advance((await claim(cursor.namespace)) ?? expect.fail('not claimed'), NS + 120n);
    expect(await store.cursor('loki', cursor.namespace)).not.toHaveProperty('isAstray');
  });

  it('is not moved by a reader that lost the lease: a stale message does nothing', async () => {
    const namespace = aNamespace();
    const stale = await aClaimed(namespace);
    const fresh = (await claim(namespace, 'reader-2', NOW + 90_000)) ?? expect.fail('not claimed');
    expect(await advance(stale, NS + 999n)).toBe(false);
    expect(await advance(fresh, NS + 60n)).toBe(true);
    expect(await advance(fresh, NS + 120n)).toBe(false);
  });

  it('is not moved by who claimed it as it was before somebody else moved it', async () => {
    const first = await aClaimed();
    const known = (await store.cursor('loki', first.namespace)) ?? expect.fail('not stored');
    await advance(first, NS + 60n);
    const place = { source: 'loki', namespace: first.namespace, from: NS, known };
    const late = await store.claim({ ...place, owner: 'reader-2', now: NOW + 1, until: NOW + 90_001 });
    expect(late).toMatchObject({ until: NS, lease: { owner: 'reader-2' } });
    expect(await advance(late ?? expect.fail('not claimed'), NS + 999n)).toBe(false);
    expect(await store.cursor('loki', first.namespace)).toMatchObject({ until: NS + 60n, lease: null });
  });

  it('stays where it is when the source failed, and says why until a read succeeds', async () => {
    const cursor = await aClaimed();
    await store.fail(cursor, { reason: 'Loki is away.', advice: 'Look at Loki.', at: NOW, due: NOW + 60_000 });
    const failed = await store.cursor('loki', cursor.namespace);
    expect(failed).toMatchObject({ until: NS, provenAt: null, failure: { reason: 'Loki is away.', at: NOW } });
    await advance((await claim(cursor.namespace)) ?? expect.fail('not claimed'), NS + 60n);
    expect((await store.cursor('loki', cursor.namespace))?.failure).toBeNull();
  });
});

describe('what is owed', () => {
  const owed = async (namespace: string, now: number) =>
    (await store.overdue(now, 1000)).some((cursor) => cursor.namespace === namespace && cursor.source === 'loki');

  it('is read again after a failure, after a reader died, and while a session drains', async () => {
    const died = await aClaimed();
    expect([await owed(died.namespace, NOW + 89_999), await owed(died.namespace, NOW + 90_000)]).toEqual([false, true]);
    const failed = await aClaimed();
    await store.fail(failed, { reason: 'r', advice: 'a', at: NOW, due: NOW + 60_000 });
    expect(await owed(failed.namespace, NOW + 60_000)).toBe(true);
    const drains = await aClaimed();
    await advance(drains, NS + 60n, NOW + 60_000);
    expect(await owed(drains.namespace, NOW + 60_000)).toBe(true);
  });

  it('is nothing once nothing is watched, unless a reader is at it', async () => {
    const cursor = await aClaimed();
    await store.rest('loki', cursor.namespace, NOW);
    expect(await owed(cursor.namespace, NOW * 2)).toBe(true);
    await advance(cursor, NS + 60n);
    await store.rest('loki', cursor.namespace, NOW);
    expect(await owed(cursor.namespace, NOW * 2)).toBe(false);
    await store.rest('loki', 'unknown', NOW);
    expect(await store.cursor('loki', 'unknown')).toBeUndefined();
  });
});

describe('coverage', () => {
  it('is told for the windows that overlap, gaps included', async () => {
    const namespace = aNamespace();
    const gap = { window: { since: NS + 70n, until: NS + 71n }, reason: 'one nanosecond holds too many lines' };
    for (const [index, gaps] of [[], [gap], []].entries()) {
      const cursor = await aClaimed(namespace);
      const window = { since: NS + BigInt(index) * 60n, until: NS + BigInt(index + 1) * 60n };
      await store.advance(cursor, {
        until: window.until,
        coverage: aCoverage(cursor, { window, gaps }),
        plays: [],
        at: NOW,
        due: NOW,
      });
    }
    const told = await store.coverage('loki', namespace, { since: NS + 60n, until: NS + 121n });
    expect(told.map(({ window, gaps }) => [window.since - NS, gaps])).toEqual([
      [60n, [gap]],
      [120n, []],
    ]);
  });
});

describe('pods', () => {
  it('are kept per play, more than one batch of them', async () => {
    const namespace = aNamespace();
    const pods = Array.from(
      { length: 30 },
      (_, index): SeenPod => ({
        pod: `play-1-rex-${String(index).padStart(2, '0')}`,
        playId: 'play-1',
        agent: index === 0 ? null : 'rex',
        firstNs: NS,
        lastNs: NS + BigInt(index),
        preflight: 'pending',
      }),
    );
    await store.savePods('loki', namespace, pods, NOW);
    await store.savePods('loki', namespace, [{ ...pods[0], playId: 'play-11', pod: 'play-11-rex' } as SeenPod], NOW);
    expect(await store.pods('loki', namespace, 'play-1')).toMatchObject(pods);
    expect(await store.pods('loki', namespace, 'play-11')).toHaveLength(1);
  });
});
