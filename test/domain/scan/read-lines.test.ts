import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileClock } from '#lib/domain/scan/file-clock.ts';
import { sniffFormat } from '#lib/domain/scan/formats.ts';
import { lineTime, parseMoment } from '#lib/domain/scan/line-time.ts';
import { namePod } from '#lib/domain/scan/name-pod.ts';
import { unwrapLine } from '#lib/domain/scan/unwrap-line.ts';

const iso = (ns: bigint | null): string | null =>
  ns === null ? null : new Date(Number(ns / 1_000_000n)).toISOString();

describe('the moment of a line', () => {
  it.each([
    ['2026-01-08T16:04:11.123456789Z text', '2026-01-08T16:04:11.123Z'],
    ['2026-01-08 16:04:11,500 - INFO - text', '2026-01-08T16:04:11.500Z'],
    ['[2026-01-08T18:04:11+02:00] text', '2026-01-08T16:04:11.000Z'],
    ['\u001b[2m2026-01-08T16:04:11Z\u001b[0m INFO text', '2026-01-08T16:04:11.000Z'],
    ['2026/01/08 16:04:11 text', '2026-01-08T16:04:11.000Z'],
    ['{"level":30,"time":1767888251000,"msg":"x"}', '2026-01-08T16:04:11.000Z'],
    ['{"ts":"2026-01-08T16:04:11Z","msg":"at 2020-01-01T00:00:00Z"}', '2026-01-08T16:04:11.000Z'],
    [`{"content":"${'x'.repeat(900)}","timestamp":"2026-01-08T16:04:11Z"}`, '2026-01-08T16:04:11.000Z'],
    ['failed at 2026-01-08T16:04:11Z', null],
    ['2026-13-08T16:04:11Z no month', null],
    ['plain', null],
  ])('%s', (line, moment) => expect(iso(lineTime(line))).toBe(moment));

  it('reads every RFC 3339 moment to the nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }), (ns) => {
        const seconds = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
        expect(parseMoment(`${seconds}.${String(ns % 1_000_000_000n).padStart(9, '0')}Z`)).toBe(ns);
      }),
    );
  });

  it.each([
    ['1767888251', '2026-01-08T16:04:11.000Z'],
    ['1767888251.5', '2026-01-08T16:04:11.500Z'],
    ['1767888251000000000', '2026-01-08T16:04:11.000Z'],
    ['17', null],
  ])('epoch %s', (text, moment) => expect(iso(parseMoment(text))).toBe(moment));
});

describe('the format of a content', () => {
  it.each([
    ['plain', '2026-01-08T16:04:11.123456Z  INFO codex: x\n2026-01-08T16:04:11.123456Z  INFO codex: y\n'],
    ['plain', '{"type":"system","subtype":"init","tools":[]}\n'],
    ['plain', '2026-01-08T16:04:11.123456789Z stdout F text\n'],
    ['kubectl', '2026-01-08T16:04:11.123456789Z text\n2026-01-08T16:04:11.123456789Z \n'],
    ['kubectl', '[pod/play-1-rex-abc12/agent] text\n'],
    ['jsonl', '{"time":"2026-01-08T16:04:11Z","pod":"p","container":"c","line":"x"}\n{"time":'],
    ['jsonl', '{"labels":{"pod":"p"},"line":"x","timestamp":"2026-01-08T16:04:11Z"}\n'],
    ['loki', '{"status":"success","data":{"resultType":"streams","result":[]}}'],
    ['loki', '{\n  "status": "success",\n  "data": {\n    "resultType": "streams"'],
  ])('%s: %j', (format, head) => expect(sniffFormat(head)).toBe(format));
});

describe('the wrapping of a line', () => {
  it.each([
    ['[pod/p/c] 2026-01-08T16:04:11Z text', { pod: 'p', container: 'c', text: 'text' }],
    ['2026-01-08T16:04:11Z [pod/p/c] text', { pod: 'p', container: 'c', text: 'text' }],
    ['[pod/p/c] 2026-01-08T16:04:11.000000000Z ', { pod: 'p', container: 'c', text: '' }],
    ['2026-01-08T16:04:11Z  indented', { pod: null, text: ' indented' }],
  ])('%s', (line, expected) => {
    expect(unwrapLine('kubectl', line)).toMatchObject({ ...expected, ns: parseMoment('2026-01-08T16:04:11Z') });
  });

  it('what does not have it is not taken', () => {
    expect([unwrapLine('kubectl', 'text'), unwrapLine('jsonl', '[]'), unwrapLine('jsonl', '{"line":1}')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('the clock of a file', () => {
  it('never runs backwards within a stream, and continues lines without a moment', () => {
    const clock = new FileClock(5n);
    const at = (told: bigint | null, text = 'x') => clock.at('p/c', told, text).ns;
    expect([at(null), at(10n), at(null), at(7n), at(null, '{"a":1}')]).toEqual([5n, 10n, 10n, 10n, 1010n]);
  });

  it('a moment an hour back begins another log', () => {
    const clock = new FileClock(null);
    const hour = 3_600_000_000_000n;
    expect([clock.at('p/c', 3n * hour, 'x').ns, clock.at('p/c', hour, 'x').ns]).toEqual([3n * hour, hour]);
  });

  it('without any moment only the order is kept', () => {
    const clock = new FileClock(null);
    const [a, b] = [clock.at('p/c', null, 'x'), clock.at('p/c', null, 'y')];
    expect([a.isTimed, b.isTimed, a.ns < b.ns]).toEqual([false, false, true]);
  });
});

describe('the name of a pod', () => {
  it.each([
    ['play-101-rex-3fa9c', 'play-101', 'rex'],
    ['play-0001-agent-1-abcde', 'play-0001', 'agent-1'],
    ['play-7-code-review-x2k4q', 'play-7', 'code-review'],
    ['play-101-blaze', 'play-101', 'blaze'],
    ['play-9', 'play-9', null],
    ['tools-server-0', 'tools-server-0', null],
  ])('%s', (pod, playId, agent) => expect(namePod(pod)).toEqual({ playId, agent }));
});
