import { expect, it } from 'vitest';
import { lookAtSources } from '#lib/app/look-at-sources.ts';
import type { Cursor } from '#lib/app/ports.ts';
import { toIso, toNanos } from '#lib/domain/time.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');

/** Sixty namespaces, of which every tenth has not been read for ten minutes, and one session in each but the last. */
it('sums up all namespaces, and reads each cursor once', async () => {
  const namespaces = Array.from({ length: 60 }, (_, index) => `ns-${index}`);
  const asked: string[] = [];
  const windows = {
    cursor: async (source: string, namespace: string): Promise<Cursor> => {
      asked.push(namespace);
      const seconds = namespaces.indexOf(namespace) % 10 === 9 ? 600 : 60;
      const until = toNanos(NOW - seconds * 1000);
      return { source, namespace, until, plays: [], provenAt: NOW, failure: null, lease: null, version: 1 };
    },
  };
  const active = namespaces.slice(0, -1).map((namespace) => ({
    playId: namespace,
    repository: 'acme/widgets',
    namespace,
    status: 'active' as const,
    taskCount: 0,
    startedAt: toIso(NOW - 3_600_000),
    lastUpdated: toIso(NOW - 3_600_000),
  }));
  const sight = await lookAtSources(windows, 'loki', new Set(namespaces), active, NOW);
  expect(sight).toEqual({ blindSessions: 5, blindSources: 6, unprovenMs: 600_000 });
  expect(asked.toSorted()).toEqual(namespaces.toSorted());
});
