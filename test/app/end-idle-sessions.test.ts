import { describe, expect, it } from 'vitest';
import { type EndIdlePorts, endIdleSessions } from '#lib/app/end-idle-sessions.ts';
import type { Cursor, SeenPod } from '#lib/app/ports.ts';
import type { SessionSummary } from '#lib/domain/session/session.ts';
import { MILLIS_PER_HOUR, toIso, toNanos } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const hoursAgo = (hours: number) => NOW - hours * MILLIS_PER_HOUR;

const aSummary = (playId: string, startedAt: number, namespace = 'cto'): SessionSummary => ({
  playId,
  repository: 'acme/widgets',
  namespace,
  status: 'active',
  taskCount: 1,
  startedAt: toIso(startedAt),
  lastUpdated: toIso(startedAt),
});

const aPod = (playId: string, lastAt: number): SeenPod => ({
  pod: `${playId}-pod`,
  playId,
  agent: 'rex',
  firstNs: toNanos(lastAt),
  lastNs: toNanos(lastAt),
  preflight: 'passed',
});

interface Scene {
  /** Until when the log has been read; absent: it never was. */
  readonly provenUntil?: number;
  /** When each play's pods spoke last. */
  readonly spoke?: Readonly<Record<string, readonly number[]>>;
  /** When each play spoke last, as the cursor knows it. */
  readonly heard?: Readonly<Record<string, number>>;
}

function aScene({ provenUntil, spoke = {}, heard = {} }: Scene) {
  const [ends, looked]: [unknown[], string[]] = [[], []];
  const ports: EndIdlePorts = {
    sessions: {
      end: async (playId, status, at, by) => {
        ends.push([playId, status, at, by]);
        return aSession({ playId, status, endedBy: by ?? null });
      },
    },
    windows: {
      cursor: async () => (provenUntil === undefined ? undefined : ({ until: toNanos(provenUntil), heard } as Cursor)),
      pods: async (_source, _namespace, playId) => {
        looked.push(playId);
        return (spoke[playId] ?? []).map((at) => aPod(playId, at));
      },
    },
  };
  const run = (active: readonly SessionSummary[], { now = NOW, lookAtMost = 100 } = {}) =>
    endIdleSessions(ports, { source: 'loki', idleAfter: 6 * MILLIS_PER_HOUR, lookAtMost }, active, now);
  return { ends, looked, run };
}

describe('endIdleSessions', () => {
  it('believes the cursor where the stored pods are behind', async () => {
    const spoke = { speaking: [hoursAgo(7)], silent: [hoursAgo(7)] };
    const heard = { speaking: hoursAgo(1), silent: hoursAgo(6.5) };
    const { ends, looked, run } = aScene({ provenUntil: NOW, spoke, heard });
    await run([aSummary('speaking', hoursAgo(8)), aSummary('silent', hoursAgo(8))]);
    expect(ends).toMatchObject([['silent', 'cancelled', NOW, 'idle']]);
    expect(looked).toEqual(['silent']);
  });

  it.each([
    ['no pod ever spoke', { provenUntil: NOW }, true],
    ['the last line is six hours old', { provenUntil: NOW, spoke: { a: [hoursAgo(9), hoursAgo(6)] } }, true],
    ['a pod spoke within six hours', { provenUntil: NOW, spoke: { a: [hoursAgo(9), hoursAgo(5.9)] } }, false],
    ['the log was read until an hour ago only', { provenUntil: hoursAgo(1), spoke: { a: [hoursAgo(6)] } }, false],
    ['the log was never read', {}, false],
  ])('when %s: ended is %o', async (_case, scene, isEnded) => {
    const { run, ends } = aScene(scene);
    expect(await run([aSummary('a', hoursAgo(10))])).toEqual(isEnded ? ['a'] : []);
    expect(ends).toEqual(isEnded ? [['a', 'cancelled', NOW, 'idle']] : []);
  });

  it('looks at no session that is younger than the idle time', async () => {
    const { run, looked } = aScene({ provenUntil: NOW });
    await run([aSummary('young', hoursAgo(5)), aSummary('old', hoursAgo(7))]);
    expect(looked).toEqual(['old']);
  });

  it('looks at a bounded number a pass, and at every one in turn', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `p${index}`);
    const spoke = Object.fromEntries(names.map((name) => [name, [NOW]]));
    const { run, looked } = aScene({ provenUntil: NOW, spoke });
    const active = names.map((name) => aSummary(name, hoursAgo(10)));
    for (let minute = 0; minute < 3; minute += 1) {
      const before = looked.length;
      await run(active, { now: NOW + minute * 60_000, lookAtMost: 3 });
      expect(looked.length - before).toBeLessThanOrEqual(3);
    }
    expect(looked.toSorted()).toEqual(names);
  });

  it('counts no session that another end came before', async () => {
    const { run } = aScene({ provenUntil: NOW });
    const ports: EndIdlePorts = {
      sessions: { end: async () => aSession({ status: 'completed', endedBy: 'call' }) },
      windows: { cursor: async () => ({ until: toNanos(NOW) }) as Cursor, pods: async () => [] },
    };
    const options = { source: 'loki', idleAfter: MILLIS_PER_HOUR, lookAtMost: 10 };
    expect(await endIdleSessions(ports, options, [aSummary('a', hoursAgo(10))], NOW)).toEqual([]);
    expect(await run([])).toEqual([]);
  });
});
