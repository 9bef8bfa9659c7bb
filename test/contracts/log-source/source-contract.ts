import { describe, expect, it } from 'vitest';
import { toSelector, withLabelFilters } from '#lib/adapters/loki/logql.ts';
import { NANOS_PER_SECOND } from '#lib/domain/time.ts';
import type { PushedValue } from '#lib/local/loki/push-entries.ts';
import type { LokiPeer } from './peer.ts';
import { caseLabel, pushLines, someMinutesAgo, sourceOn } from './peer.ts';

const MINUTE = 60n * NANOS_PER_SECOND;

const many = (count: number, at: (index: number) => bigint, text = (index: number) => `line ${index}`): PushedValue[] =>
  Array.from({ length: count }, (_, index) => [String(at(index)), text(index)]);

/** What a log source owes its callers, whatever Loki's limits are. */
export function describeLogSource(peer: () => LokiPeer): void {
  const around = (base: bigint) => ({ since: base - MINUTE, until: base + MINUTE });

  describe('read', () => {
    it('returns labels, metadata and line as stored, without the level that Loki derives as a label', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      const line = 'error: <b>&"\\ \u2028 é 🙂\nsecond line';
      await pushLines(peer(), { case: name, pod: 'p1' }, [[String(base), line, { trace: 't' }]]);
      const { entries, proven, gaps } = await sourceOn(peer()).read({
        selector: toSelector({ case: name }),
        window: around(base),
      });
      const labels = { case: name, pod: 'p1', service_name: 'unknown_service' };
      expect(entries).toEqual([{ ns: base, line, labels, metadata: { trace: 't', detected_level: 'error' } }]);
      expect([proven, gaps]).toEqual([around(base), []]);
    });

    it('reads more than one answer may hold, by time over all streams', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      for (let pod = 0; pod < 3; pod += 1) {
        const values = many(
          4000,
          (i) => base + BigInt(i * 3 + pod) * 1000n,
          (i) => `${i * 3 + pod}`,
        );
        await pushLines(peer(), { case: name, pod: `p${pod}` }, values);
      }
      const read = await sourceOn(peer()).read({ selector: toSelector({ case: name }), window: around(base) });
      expect(read.entries.map(({ line }) => Number(line))).toEqual(Array.from({ length: 12_000 }, (_, i) => i));
      expect([read.proven, read.gaps]).toEqual([around(base), []]);
    });

    it('reads a nanosecond that fills an answer stream by stream', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(
        peer(),
        { case: name, pod: 'a' },
        many(3000, () => base),
      );
      await pushLines(
        peer(),
        { case: name, pod: 'b' },
        many(3000, () => base),
      );
      await pushLines(
        peer(),
        { case: name, pod: 'c' },
        many(10, (i) => base - 5n + BigInt(i)),
      );
      const { entries, gaps } = await sourceOn(peer()).read({
        selector: toSelector({ case: name }),
        window: around(base),
      });
      expect(new Set(entries.map(({ ns, line, labels }) => `${ns} ${labels['pod']} ${line}`)).size).toBe(6010);
      expect([entries.length, gaps]).toEqual([6010, []]);
    });

    it('names a gap where one stream holds too much at one nanosecond', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name }, [...many(5100, () => base), [String(base + 1n), 'after']]);
      const { entries, gaps, proven } = await sourceOn(peer()).read({
        selector: toSelector({ case: name }),
        window: around(base),
      });
      expect(gaps).toEqual([
        { window: { since: base, until: base + 1n }, reason: expect.stringContaining('one nanosecond') },
      ]);
      expect([proven, entries.at(-1)?.line, entries.length]).toEqual([around(base), 'after', 5001]);
    });

    it('reads entries that are together larger than one message', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(
        peer(),
        { case: name },
        many(
          40,
          (i) => base + BigInt(i),
          (i) => `${i}`.padEnd(250_000, '.'),
        ),
      );
      const { entries, gaps } = await sourceOn(peer()).read({
        selector: toSelector({ case: name }),
        window: around(base),
      });
      expect(entries.map(({ line }) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 40 }, (_, i) => i));
      expect(gaps).toEqual([]);
    });

    it('reads a window longer than Loki lets a query be', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name }, [[String(base), 'x']]);
      const window = { since: base - 40n * 24n * 60n * MINUTE, until: base + 1n };
      const { entries, proven } = await sourceOn(peer()).read({ selector: toSelector({ case: name }), window });
      expect([entries.length, proven]).toEqual([1, window]);
    });

    it('filters lines and metadata in Loki', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name }, [
        [String(base), 'ERROR "a"', { pod: 'p1' }],
        [String(base + 1n), 'fine', { pod: 'p1' }],
        [String(base + 2n), 'error "a"', { pod: 'p2' }],
      ]);
      const selector = withLabelFilters(toSelector({ case: name }), [{ label: 'pod', op: '=', value: 'p1' }]);
      const { entries } = await sourceOn(peer()).read({ selector, lineFilter: '(?i)error "a"', window: around(base) });
      expect(entries.map(({ line }) => line)).toEqual(['ERROR "a"']);
    });
  });

  describe('countByPod', () => {
    it.each([
      ['whole milliseconds', 0n],
      ['a window that begins inside a millisecond', 123n],
    ])('counts a half-open window: %s', async (_case, cut) => {
      const base = someMinutesAgo();
      const name = caseLabel();
      const since = base + cut;
      const until = base + 2_000_000n;
      const inside = [since, since + 1n, base + 1_000_000n, until - 1n];
      const values = [...inside, since - 1n, until].map((ns): PushedValue => [String(ns), `at ${ns}`]);
      await pushLines(peer(), { case: name, pod: 'a' }, values);
      await pushLines(peer(), { case: name }, [[String(since), 'x', { pod: 'b' }]]);
      const counts = await sourceOn(peer()).countByPod(toSelector({ case: name }), { since, until });
      expect(counts).toEqual(
        new Map([
          ['a', 4],
          ['b', 1],
        ]),
      );
    });

    it('is empty where nothing speaks', async () => {
      const base = someMinutesAgo();
      expect(await sourceOn(peer()).countByPod(toSelector({ case: caseLabel() }), around(base))).toEqual(new Map());
    });
  });

  describe('first and hasStreams', () => {
    it('find the earliest entry of the window, and whether there is any stream', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name, pod: 'a' }, [[String(base + 7n), 'second']]);
      await pushLines(peer(), { case: name, pod: 'b' }, [[String(base + 3n), 'first']]);
      const source = sourceOn(peer());
      const selector = toSelector({ case: name });
      expect((await source.first(selector, around(base)))?.line).toBe('first');
      expect((await source.first(selector, { since: base + 4n, until: base + MINUTE }))?.line).toBe('second');
      expect(await source.first(selector, { since: base - MINUTE, until: base + 3n })).toBeUndefined();
      expect(await source.hasStreams(selector, around(base))).toBe(true);
      expect(await source.hasStreams(toSelector({ case: caseLabel() }), around(base))).toBe(false);
    });
  });
}
