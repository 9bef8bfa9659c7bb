import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSelector } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import type { LogRead } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Nanos, Window } from '#lib/domain/time.ts';
import { toNanos } from '#lib/domain/time.ts';
import { mergeWindows } from '#lib/domain/window/spans.ts';
import type { PushedStream } from '#lib/local/loki/push-entries.ts';
import type { EmbeddedLoki, LokiOptions } from '#lib/local/loki/server.ts';
import { startLoki } from '#lib/local/loki/server.ts';

const SPAN = 40_000n;
const FAULTS = ['unavailable', 'busy', 'truncated', 'html', 'down'] as const;

interface PlannedLine {
  readonly pod: string;
  readonly offset: number;
  readonly text: string;
  /** The read after whose end it is pushed; 0 is before all. */
  readonly late: number;
}

/** Offsets cluster at few moments, so that ties fill whole answers, also within one microsecond. */
const line: fc.Arbitrary<PlannedLine> = fc.record({
  pod: fc.constantFrom('a', 'b', 'c'),
  offset: fc.oneof(
    { arbitrary: fc.constantFrom(5, 6, 7), weight: 3 },
    { arbitrary: fc.constantFrom(0, 700, 20_000, 39_999), weight: 1 },
    { arbitrary: fc.integer({ min: 0, max: Number(SPAN) - 1 }), weight: 1 },
  ),
  text: fc.constantFrom('error 1', 'error 2', 'error 3', 'info 4', 'info 5', 'info 6'),
  late: fc.nat({ max: 3 }),
});

const history = fc.record({
  lines: fc.array(line, { maxLength: 60, size: 'max' }),
  maxEntries: fc.integer({ min: 2, max: 9 }),
  budget: fc.constantFrom(4, 15, 1000),
  faults: fc.array(fc.option(fc.constantFrom(...FAULTS)), { minLength: 12, maxLength: 12 }),
  after: fc.integer({ min: 0, max: 4 }),
  times: fc.integer({ min: 1, max: 6 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** What the store holds: a stream keeps exact duplicates once. */
class Oracle {
  readonly held = new Map<string, { ns: Nanos; key: string }>();

  add({ pod, text }: PlannedLine, ns: Nanos): void {
    const key = `${ns} ${pod} ${text}`;
    this.held.set(key, { ns, key });
  }

  keysIn(window: Window, except: readonly Window[]): string[] {
    const within = ({ since, until }: Window, ns: Nanos) => ns >= since && ns < until;
    const fits = [...this.held.values()].filter(
      ({ ns }) => within(window, ns) && !except.some((gap) => within(gap, ns)),
    );
    return fits.map(({ key }) => key).sort();
  }
}

const keysOf = ({ entries }: LogRead): string[] =>
  entries.map(({ ns, labels, line }) => `${ns} ${labels['pod']} ${line}`);

function pushDue(loki: EmbeddedLoki, oracle: Oracle, base: Nanos, lines: readonly PlannedLine[], turn: number): void {
  for (const planned of lines.filter(({ late }) => late === turn)) {
    const ns = base + BigInt(planned.offset);
    const stream: PushedStream = { stream: { app: 'play', pod: planned.pod }, values: [[String(ns), planned.text]] };
    expect(loki.push([stream]).refusals).toEqual([]);
    oracle.add(planned, ns);
  }
}

/** Each proven range holds exactly what was stored when it was read; a gap may hold less, never something else. */
function checkRead(read: LogRead, oracle: Oracle): void {
  const gaps = read.gaps.map(({ window }) => window);
  const keys = keysOf(read);
  expect(new Set(keys).size).toBe(keys.length);
  const inGaps = keys.filter((key) =>
    gaps.some(({ since, until }) => BigInt(key.split(' ')[0] ?? 0) >= since && BigInt(key.split(' ')[0] ?? 0) < until),
  );
  expect(keys.filter((key) => !inGaps.includes(key)).sort()).toEqual(oracle.keysIn(read.proven, gaps));
  expect(inGaps.every((key) => oracle.held.has(key))).toBe(true);
  const times = read.entries.map(({ ns }) => ns);
  expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
}

async function play({ lines, maxEntries, budget, faults, after, times }: History): Promise<void> {
  const options: LokiOptions = { maxEntries };
  const loki = await startLoki(options);
  try {
    const base = toNanos(Date.now()) - 60_000_000_000n;
    const window = { since: base, until: base + SPAN };
    const time = { clock: { now: () => Date.now() }, sleep: () => Promise.resolve() };
    const source = lokiSource({ url: loki.url, budget: { entries: budget } }, time);
    const oracle = new Oracle();
    const proven: Window[] = [];
    let cursor = base;
    for (let turn = 0; cursor < window.until || turn <= 3; turn += 1) {
      pushDue(loki, oracle, base, lines, turn);
      const fault = faults[turn];
      if (fault) loki.faults.use(fault, { after, times, retryAfter: 0 });
      // An overlap is read again as long as it is not the whole of what a budget lets be read.
      const asked = { since: turn % 2 === 0 || cursor === base ? cursor : cursor - 1n, until: window.until };
      const read = await source.read({ selector: toSelector({ app: 'play' }), window: asked }).catch(forgive);
      if (!read) continue;
      checkRead(read, oracle);
      proven.push(read.proven);
      cursor = read.proven.until > cursor ? read.proven.until : cursor;
    }
    expect(mergeWindows(proven)).toEqual([window]);
    loki.faults.clear();
    const all = await readAll(source, window);
    all.forEach((read) => checkRead(read, oracle));
  } finally {
    await loki.stop();
  }
}

async function readAll(source: ReturnType<typeof lokiSource>, window: Window): Promise<LogRead[]> {
  const reads: LogRead[] = [];
  for (let since = window.since; since < window.until; ) {
    const read = await source.read({ selector: toSelector({ app: 'play' }), window: { since, until: window.until } });
    reads.push(read);
    since = read.proven.until;
  }
  return reads;
}

function forgive(error: unknown): undefined {
  expect(error).toBeInstanceOf(SourceError);
  return undefined;
}

describe('successive reads', () => {
  it('prove the whole span, and return every line of a proven range exactly once', async () => {
    await fc.assert(fc.asyncProperty(history, play), { numRuns: 40 });
  }, 60_000);
});
