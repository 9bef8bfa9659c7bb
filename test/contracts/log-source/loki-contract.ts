import { describe, expect, it } from 'vitest';
import { NANOS_PER_SECOND, toNanos } from '#lib/domain/time.ts';
import type { PushedValue } from '#lib/local/loki/push-entries.ts';
import type { LokiPeer, Reply } from './peer.ts';
import { ask, CATEGORIZE, caseLabel, linesOf, push, pushLines, QUERY_RANGE, someMinutesAgo } from './peer.ts';

const MINUTE = 60n * NANOS_PER_SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

const at = (ns: bigint, line: string, metadata?: Record<string, string>): PushedValue =>
  metadata ? [String(ns), line, metadata] : [String(ns), line];

/** What Loki's HTTP API does: seen on a running Loki, and what the adapter relies on. */
export function describeLoki(peer: () => LokiPeer): void {
  const query = (params: Record<string, string | bigint>, headers = {}): Promise<Reply> => {
    const text = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
    return ask(peer(), QUERY_RANGE, text, { headers });
  };

  /** A fresh stream with lines, and the parameters that ask for a minute around them. */
  async function given(values: readonly PushedValue[], more: Record<string, string> = {}) {
    const name = caseLabel();
    await pushLines(peer(), { case: name, ...more }, values);
    const base = BigInt(values[0]?.[0] ?? 0);
    return { name, selector: `{case="${name}"}`, window: { start: base - MINUTE, end: base + MINUTE } };
  }

  describe('window, limit and direction', () => {
    it('includes the start and excludes the end', async () => {
      const base = someMinutesAgo();
      const { selector } = await given([at(base, 'at start'), at(base + 1n, 'inside'), at(base + 2n, 'at end')]);
      const reply = await query({ query: selector, start: base, end: base + 2n, direction: 'forward' });
      expect(linesOf(reply)).toEqual(['at start', 'inside']);
    });

    it('answers an empty window with 200 and nothing', async () => {
      const base = someMinutesAgo();
      const { selector } = await given([at(base, 'x')]);
      const reply = await query({ query: selector, start: base, end: base });
      expect([reply.status, linesOf(reply)]).toEqual([200, []]);
    });

    it.each([
      ['an end before the start', { start: 2n, end: 1n }, 'end timestamp must not be before or equal to start time'],
      ['a limit of 0', { limit: '0' }, 'limit must be a positive value'],
      ['a negative limit', { limit: '-1' }, 'limit must be a positive value'],
      [
        'a limit above 5000',
        { limit: '10000' },
        'max entries limit per query exceeded, limit > max_entries_limit_per_query (10000 > 5000)',
      ],
      [
        'a range over 30d1h',
        { start: 0n, end: 31n * DAY },
        'the query time range exceeds the limit (query length: 744h0m0s, limit: 30d1h)',
      ],
    ])('refuses %s with 400 in plain text', async (_case, wrong, text) => {
      const base = someMinutesAgo();
      const shifted = Object.entries(wrong).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? base - 31n * DAY + value : value,
      ]);
      const reply = await query({ query: '{case="any"}', start: base, end: base + 1n, ...Object.fromEntries(shifted) });
      expect([reply.status, reply.text.trim()]).toEqual([400, text]);
      expect(reply.type).toContain('text/plain');
    });

    it('returns the newest 100 entries when neither limit nor direction is given', async () => {
      const base = someMinutesAgo();
      const { selector, window } = await given(
        Array.from({ length: 120 }, (_, i) => at(base + BigInt(i), `line ${i}`)),
      );
      const lines = linesOf(await query({ query: selector, ...window }));
      expect([lines.length, lines[0], lines.at(-1)]).toEqual([100, 'line 119', 'line 20']);
    });

    it('counts the limit over all streams', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name, pod: 'a' }, [at(base, 'a0'), at(base + 2n, 'a2')]);
      await pushLines(peer(), { case: name, pod: 'b' }, [at(base + 1n, 'b1'), at(base + 3n, 'b3')]);
      const asked = { query: `{case="${name}"}`, start: base, end: base + 9n, limit: '3' };
      expect(linesOf(await query({ ...asked, direction: 'forward' })).sort()).toEqual(['a0', 'a2', 'b1']);
      expect(linesOf(await query({ ...asked, direction: 'backward' })).sort()).toEqual(['a2', 'b1', 'b3']);
    });

    it.each(['forward', 'backward'])(
      'returns %s pages that hold the first entries of 12,000 over six streams',
      async (direction) => {
        const base = someMinutesAgo();
        const name = caseLabel();
        for (let pod = 0; pod < 6; pod += 1) {
          const values = Array.from({ length: 2000 }, (_, i) => at(base + BigInt(i * 6 + pod), `${i * 6 + pod}`));
          await pushLines(peer(), { case: name, pod: `p${pod}` }, values);
        }
        const reply = await query({
          query: `{case="${name}"}`,
          start: base,
          end: base + 12_000n,
          limit: '5000',
          direction,
        });
        const found = linesOf(reply)
          .map(Number)
          .sort((a, b) => a - b);
        const first = direction === 'forward' ? 0 : 7000;
        expect(found).toEqual(Array.from({ length: 5000 }, (_, i) => first + i));
      },
    );
  });

  describe('entries', () => {
    it('drops exact duplicates of a stream, adjacent or not, in one push or two', async () => {
      const base = someMinutesAgo();
      const { name, selector, window } = await given(['x', 'x', 'y', 'x'].map((line) => at(base, line)));
      await pushLines(peer(), { case: name }, [at(base, 'y')]);
      await pushLines(peer(), { case: name, pod: 'other' }, [at(base, 'x')]);
      expect(linesOf(await query({ query: selector, ...window, direction: 'forward' })).sort()).toEqual([
        'x',
        'x',
        'y',
      ]);
    });

    it('keeps equal lines with different structured metadata', async () => {
      const base = someMinutesAgo();
      const { selector, window } = await given([at(base, 'x', { trace: '1' }), at(base, 'x', { trace: '2' })]);
      expect(linesOf(await query({ query: selector, ...window }))).toEqual(['x', 'x']);
    });

    it('merges structured metadata into the labels without categorize-labels', async () => {
      const base = someMinutesAgo();
      const { selector, window } = await given([
        at(base, 'error: x', { 'k8s.pod': 'p1' }),
        at(base + 1n, 'error: y', { 'k8s.pod': 'p2' }),
      ]);
      const { data } = await query({ query: selector, ...window });
      expect(data.encodingFlags).toBeUndefined();
      const found = data.result.map(({ stream }) => `${stream['k8s_pod']} ${stream['detected_level']}`);
      expect(found.sort()).toEqual(['p1 error', 'p2 error']);
    });

    it('keeps them apart with categorize-labels', async () => {
      const base = someMinutesAgo();
      const { name, selector, window } = await given([at(base, 'error: x', { 'k8s.pod': 'p1' })]);
      const { data } = await query({ query: selector, ...window }, CATEGORIZE);
      expect(data.encodingFlags).toEqual(['categorize-labels']);
      expect(data.result[0]?.stream).toEqual({ case: name, service_name: 'unknown_service' });
      const [, , extra] = data.result[0]?.values[0] ?? [];
      expect(extra).toEqual({ structuredMetadata: { k8s_pod: 'p1', detected_level: 'error' } });
    });

    it('finds a key of metadata behind the selector only', async () => {
      const base = someMinutesAgo();
      const { name, selector, window } = await given([at(base, 'x', { pod: 'p1' })]);
      expect(linesOf(await query({ query: `{case="${name}",pod="p1"}`, ...window }))).toEqual([]);
      expect(linesOf(await query({ query: `${selector} | pod="p1"`, ...window }))).toEqual(['x']);
    });
  });

  describe('what is taken', () => {
    it.each([
      ['59 min behind the newest of its stream', 59n * MINUTE, true, ''],
      ['61 min behind the newest of its stream', 61n * MINUTE, false, 'entry too far behind'],
    ])('a line %s', async (_case, behind, isTaken, text) => {
      const now = toNanos(Date.now());
      const { name } = await given([at(now, 'newest')]);
      const reply = await push(peer(), [{ stream: { case: name }, values: [at(now - behind, 'late')] }]);
      expect(reply.status).toBe(isTaken ? 204 : 400);
      expect(reply.text).toContain(text);
    });

    it.each([
      ['3 d old, in a new stream', -3n * DAY, 'taken', ''],
      ['8 d old, in a new stream', -8n * DAY, 'refused', 'too old'],
      ['9 min ahead', 9n * MINUTE, 'taken', ''],
      ['11 min ahead', 11n * MINUTE, 'refused', 'too new'],
    ])('a line $0 is $2', async (_case, offset, verdict, text) => {
      const values = [at(toNanos(Date.now()) + offset, 'x')];
      const reply = await push(peer(), [{ stream: { case: caseLabel() }, values }]);
      expect(reply.status).toBe(verdict === 'taken' ? 204 : 400);
      expect(reply.text).toContain(text);
    });

    it.each([
      [262_144, 204],
      [262_145, 400],
    ])('a line of %i bytes: %i', async (bytes, status) => {
      const values = [at(someMinutesAgo(), 'x'.repeat(bytes))];
      expect((await push(peer(), [{ stream: { case: caseLabel() }, values }])).status).toBe(status);
    });

    it('keeps the good lines of a push with a bad one', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      const values = [at(base, 'good'), at(base - 8n * DAY, 'bad'), at(base + 1n, 'good too')];
      expect((await push(peer(), [{ stream: { case: name }, values }])).status).toBe(400);
      const reply = await query({ query: `{case="${name}"}`, start: base - 1n, end: base + 9n, direction: 'forward' });
      expect(linesOf(reply)).toEqual(['good', 'good too']);
    });
  });

  describe('answers', () => {
    it('refuses an answer above the message size with 500', async () => {
      const base = someMinutesAgo();
      const { selector, window } = await given(
        Array.from({ length: 24 }, (_, i) => at(base + BigInt(i), `${i}`.padEnd(250_000, 'x'))),
      );
      const reply = await query({ query: selector, ...window });
      expect(reply.status).toBe(500);
      expect(reply.text).toMatch(
        /ResourceExhausted desc = trying to send message larger than max \(\d+ vs\. 4194304\)/,
      );
    });

    it('escapes as Go does: markup and U+2028, not emoji and accents', async () => {
      const base = someMinutesAgo();
      const { selector, window } = await given([at(base, '<a> & \u2028 é 🙂')]);
      const { text } = await query({ query: selector, ...window });
      expect(text).toContain('\\u003ca\\u003e \\u0026 \\u2028 é 🙂');
    });

    it('obeys Accept-Encoding, a form in a POST, and times as float seconds', async () => {
      const base = someMinutesAgo();
      const { selector } = await given([at(base, 'x'.repeat(4000))]);
      const seconds = Number(base / 1_000_000n) / 1000;
      const params = { query: selector, start: (seconds - 60).toFixed(3), end: (seconds + 60).toFixed(3) };
      const reply = await ask(peer(), QUERY_RANGE, params, { isForm: true, headers: { 'accept-encoding': 'gzip' } });
      expect([reply.status, reply.encoding, linesOf(reply).length]).toEqual([200, 'gzip', 1]);
    });

    it('asks for a tenant at the limits, even where tenants are off', async () => {
      const response = await fetch(`${peer().url}/loki/api/v1/drilldown-limits`);
      expect([response.status, (await response.text()).trim()]).toEqual([401, 'no org id']);
    });

    it('names streams, labels and values', async () => {
      const base = someMinutesAgo();
      const { name, selector, window } = await given([at(base, 'x')], { pod: 'p1', container: 'agent' });
      const params = { start: String(window.start), end: String(window.end) };
      const series = await ask(peer(), '/loki/api/v1/series', { ...params, 'match[]': selector }, { isForm: true });
      expect(series.data).toEqual([{ case: name, pod: 'p1', container: 'agent', service_name: 'agent' }]);
      expect((await ask(peer(), '/loki/api/v1/labels', params)).data).toEqual(expect.arrayContaining(['case', 'pod']));
      expect((await ask(peer(), '/loki/api/v1/label/case/values', params)).data).toContain(name);
    });
  });

  describe('queries', () => {
    it.each([
      ['{case=~".*"}', 'parse error : queries require at least one regexp or equality matcher'],
      ['{}', 'parse error : queries require at least one regexp or equality matcher'],
      ['{case="a"} |~ "(?=x)"', 'invalid or unsupported Perl syntax'],
      ['{case="a"', 'parse error'],
      ['sum(count_over_time({case="a"}[5ns]))', 'parse error'],
    ])('refuses %s', async (text, message) => {
      const base = someMinutesAgo();
      const reply = await query({ query: text, start: base, end: base + 1n });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain(message);
    });

    it.each([
      ['|= "Error"', ['Error: a.b', 'Error:\nmore']],
      ['!= "Error"', ['error: aXb']],
      ['|~ "(?i)error"', ['Error: a.b', 'error: aXb', 'Error:\nmore']],
      ['|~ "a.b" !~ "X"', ['Error: a.b']],
      ['|~ "Error:.more"', ['Error:\nmore']],
    ])('filters lines with %s', async (filter, expected) => {
      const base = someMinutesAgo();
      const { selector, window } = await given([
        at(base, 'Error: a.b'),
        at(base + 1n, 'error: aXb'),
        at(base + 2n, 'Error:\nmore'),
      ]);
      expect(linesOf(await query({ query: `${selector} ${filter}`, ...window })).sort()).toEqual([...expected].sort());
    });

    it('compares labels whole, missing ones as empty', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name, pod: 'agent-1' }, [at(base, 'one')]);
      await pushLines(peer(), { case: name }, [at(base, 'none')]);
      const lines = async (matcher: string) =>
        linesOf(await query({ query: `{case="${name}",${matcher}}`, start: base - 1n, end: base + 1n }));
      expect(await lines('pod=~"agent"')).toEqual([]);
      expect(await lines('pod=~"agent-.*"')).toEqual(['one']);
      expect(await lines('pod!~"agent-.*"')).toEqual(['none']);
      expect(await lines('pod=""')).toEqual(['none']);
      expect(await lines('pod!=""')).toEqual(['one']);
    });

    it('counts over a range that is open on the left and closed on the right', async () => {
      const base = someMinutesAgo();
      const name = caseLabel();
      await pushLines(peer(), { case: name, pod: 'a' }, [
        at(base, 'left edge'),
        at(base + 1n, 'in'),
        at(base + 1_000_000n, 'right edge'),
      ]);
      await pushLines(peer(), { case: name }, [at(base + 5n, 'in', { pod: 'b' }), at(base + 6n, 'no pod')]);
      const params = {
        query: `sum by (pod) (count_over_time({case="${name}"}[1ms]))`,
        time: String(base + 1_000_000n),
      };
      const { data } = await ask(peer(), '/loki/api/v1/query', params);
      expect(data.resultType).toBe('vector');
      const counts = data.result.map(({ metric, value }) => `${metric['pod'] ?? 'none'} ${value[1]}`);
      expect(counts.sort()).toEqual(['a 2', 'b 1', 'none 1']);
    });

    it('refuses a log query as an instant query', async () => {
      const reply = await ask(peer(), '/loki/api/v1/query', { query: '{case="a"}' });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('log queries are not supported as an instant query type');
    });

    it('counts at each step of a range query', async () => {
      const base = (someMinutesAgo() / (60n * NANOS_PER_SECOND)) * 60n * NANOS_PER_SECOND;
      const { selector } = await given([
        at(base + 1n, 'x'),
        at(base + NANOS_PER_SECOND + 1n, 'y'),
        at(base + NANOS_PER_SECOND + 2n, 'z'),
      ]);
      const asked = { start: base + NANOS_PER_SECOND, end: base + 2n * NANOS_PER_SECOND, step: '1' };
      const { data } = await query({ query: `sum(count_over_time(${selector}[1s]))`, ...asked });
      expect(data.resultType).toBe('matrix');
      expect(data.result[0]?.values.map(([, count]) => count)).toEqual(['1', '2']);
    });
  });
}
