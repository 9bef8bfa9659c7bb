import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incident, IncidentDetail, SessionDetail, SessionSummary } from '#lib/client/index.ts';
import { toMark, toSegments } from '../../lib/page/model/coverage.ts';
import { createLoader } from '../../lib/page/model/load.ts';
import { afterFailure, afterLook, FRESH, toPause } from '../../lib/page/model/pace.ts';
import { parseRoute, toIncidentHash, toSessionHash } from '../../lib/page/model/route.ts';
import { toAge, toCount, toLine, toSafeLink } from '../../lib/page/model/text.ts';
import { toTimeline } from '../../lib/page/model/timeline.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

describe('the pace of looks', () => {
  it('slows down while nothing changes and is quick again when something does', () => {
    let pace = FRESH;
    const pauses = Array.from({ length: 8 }, () => {
      pace = afterLook(pace, false);
      return toPause(pace);
    });
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect([toPause(FRESH), pauses.at(-1), toPause(afterLook(pace, true))]).toEqual([3_000, 15_000, 3_000]);
  });

  it('backs off while looks fail, and waits as long as the answer asks', () => {
    let pace = FRESH;
    const pauses = Array.from({ length: 7 }, () => {
      pace = afterFailure(pace);
      return toPause(pace);
    });
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect([toPause(pace, 90_000), toPause(afterLook(pace, false))]).toEqual([90_000, 4_500]);
  });
});

describe('text', () => {
  it.each([
    { seconds: -5, age: 'just now' },
    { seconds: 4, age: 'just now' },
    { seconds: 59, age: '59 s ago' },
    { seconds: 60, age: '1 min ago' },
    { seconds: 3599, age: '59 min ago' },
    { seconds: 3600, age: '1 h ago' },
    { seconds: 86_400, age: '1 day ago' },
    { seconds: 200_000, age: '2 days ago' },
  ])('$seconds s is $age', ({ seconds, age }) => {
    expect(toAge(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(age);
  });

  it.each([
    { address: 'https://github.com/acme/widgets/issues/1', link: 'https://github.com/acme/widgets/issues/1' },
    { address: 'javascript:alert(1)', link: null },
    { address: ' java\nscript:alert(1)', link: null },
    { address: 'data:text/html,x', link: null },
    { address: '//evil', link: null },
    { address: '', link: null },
    { address: null, link: null },
  ])('links $address to $link', ({ address, link }) => {
    expect(toSafeLink(address)).toBe(link);
  });

  it('hides nothing from a reader', () => {
    expect(toLine(' a\u202E\u200Bb\n\tc\u0007 ')).toBe('ab c');
    expect([toCount(1, 'line'), toCount(2, 'line')]).toEqual(['1 line', '2 lines']);
  });
});

describe('routes', () => {
  it('come back from the address they go into', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(parseRoute(toSessionHash(id))).toEqual({ name: 'session', id });
        expect(parseRoute(toIncidentHash(id))).toEqual({ name: 'incident', id });
      }),
    );
  });

  it.each(['', '#/', '#/nothing/1', '#/sessions/', '#/sessions/a/b', '#/incidents/%E0%A4%A'])(
    '%s is the overview',
    (hash) => {
      expect(parseRoute(hash)).toEqual({ name: 'overview' });
    },
  );
});

describe('coverage', () => {
  const gap = (from: number, until: number) => ({ from: at(from), until: at(until), reason: 'r' });

  it.each([
    { state: 'proven', gaps: [], mark: 'proven' },
    { state: 'proven', gaps: [gap(-5, -4)], mark: 'gap' },
    { state: 'blind', gaps: [gap(-5, -4)], mark: 'blind' },
  ] as const)('$state with $gaps.length gaps is marked $mark', ({ state, gaps, mark }) => {
    expect(toMark({ state, gaps })).toBe(mark);
  });

  it('is a bar of what was read, what was not, and what is lost', () => {
    const span = { startedAt: at(-10), endedAt: null };
    expect(toSegments(span, { proven_until: at(-5), gaps: [gap(-9, -8)] }, NOW)).toEqual([
      { kind: 'proven', from: 0, until: 0.5 },
      { kind: 'unread', from: 0.5, until: 1 },
      { kind: 'gap', from: 0.1, until: 0.2 },
    ]);
  });

  it('never leaves the bar', () => {
    const moment = fc.integer({ min: -1000, max: 1000 }).map(at);
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.option(moment),
        fc.array(fc.tuple(moment, moment)),
        (startedAt, endedAt, proven, gaps) => {
          const coverage = { proven_until: proven, gaps: gaps.map(([from, until]) => ({ from, until, reason: 'r' })) };
          for (const { from, until } of toSegments({ startedAt, endedAt }, coverage, NOW)) {
            expect(from >= 0 && until <= 1 && from < until).toBe(true);
          }
        },
      ),
    );
  });
});

describe('the timeline', () => {
  it('tells what the logs showed and what Healer did, oldest first', () => {
    const incident = {
      first_seen: at(-8),
      history: [{ at: at(-6), stage: 'publication', event: 'issue #1 created' }],
      occurrences: [
        { play_id: 'p', repository: 'r', agent: null, pod: 'x', first_line_at: at(-9), last_line_at: at(-9), lines: 1 },
      ],
    } as unknown as IncidentDetail;
    expect(toTimeline(incident).map(({ stage, text }) => `${stage}: ${text}`)).toEqual([
      'logs: an agent failed in p (1 line)',
      'detection: incident opened',
      'publication: issue #1 created',
    ]);
  });
});

describe('the loader', () => {
  const summary = (play_id: string, status: SessionSummary['status']): SessionSummary => ({
    play_id,
    status,
    repository: 'acme/widgets',
    started_at: at(-10),
    task_count: 0,
    issue_count: 0,
  });
  const detail = (ended_at: string | null, proven_until: string) =>
    ({ healer: { ended_at, coverage: { state: 'proven', gaps: [], proven_until } } }) as unknown as SessionDetail;

  it('asks again only for what can still change', async () => {
    const asked: string[] = [];
    const incident = { id: 'i', last_updated: at(-1) } as Incident;
    const details: Record<string, SessionDetail> = {
      running: detail(null, at(-1)),
      settled: detail(at(-5), at(-4)),
      unread: detail(at(-5), at(-6)),
    };
    const load = createLoader({
      list: async () => ({
        status: 'ok',
        count: 3,
        sessions: [summary('running', 'active'), summary('settled', 'completed'), summary('unread', 'failed')],
        next_cursor: null,
        healer: { request_id: 'r' },
      }),
      incidents: async () => ({
        status: 'ok',
        count: 1,
        incidents: [incident],
        next_cursor: 'c',
        healer: { request_id: 'r' },
      }),
      get: async (playId) => {
        asked.push(playId);
        return details[playId] as SessionDetail;
      },
      incident: async (id) => {
        asked.push(id);
        return { status: 'ok', incident: incident as IncidentDetail, healer: { request_id: 'r' } };
      },
    });
    expect((await load(15)).hasMore).toBe(true);
    expect(asked.splice(0).toSorted()).toEqual(['i', 'running', 'settled', 'unread']);
    await load(15);
    expect(asked.toSorted()).toEqual(['running', 'unread']);
  });
});
