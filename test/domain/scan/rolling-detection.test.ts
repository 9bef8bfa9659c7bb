import { describe, expect, it } from 'vitest';
import type { Attribution } from '#lib/domain/detection/attribution.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { RollingDetection, type ScanFinding } from '#lib/domain/scan/rolling-detection.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';

const SECOND = 1_000_000_000n;
const LABELS = { pod: 'play-1-rex-abc12' };
const OWNER: Attribution = { playId: 'play-1', agent: 'rex', pod: LABELS.pod, container: null, rule: 'pod-name' };
const PANIC = "thread 'main' panicked at src/main.rs:1:1: boom";
const RETRY = 'ERROR: Reconnecting... 1/5 (error sending request for url)';
const FIXED = 'Reconnected, request succeeded';
const TEMPLATE = 'ERROR template not found: agents/rex/coder.md.hbs';

/** One line every 0.2 s, the given ones at their places. */
const aLog = (length: number, lines: Readonly<Record<number, string>>, step = SECOND / 5n): ScanEntry[] =>
  Array.from({ length }, (_, i) => ({
    ns: 1_760_000_000n * SECOND + BigInt(i) * step,
    line: lines[i] ?? `step ${i}`,
    labels: LABELS,
    isTimed: true,
  }));

function roll(log: readonly ScanEntry[], most = 1_000_000): ScanFinding[] {
  const play = new RollingDetection({ session: null, attribute: () => OWNER });
  const found: ScanFinding[] = [];
  for (const entry of log) {
    play.push(entry, OWNER);
    if (play.isFull) found.push(...play.pass({ kind: 'goes-on' }, most).findings);
    expect(play.size).toBeLessThan(3 * most);
  }
  return [...found, ...play.pass({ kind: 'ended', pods: false }, most).findings];
}

function whole(log: readonly ScanEntry[]): Finding[] {
  const starts = new Map([[OWNER.pod, log[0]?.ns ?? 0n]]);
  const until = (log.at(-1)?.ns ?? 0n) + 1n;
  const input = { entries: log, session: null, attribute: () => OWNER, podStarts: starts, until };
  return [...detect({ ...input, ended: { session: true } }).findings];
}

/** What becomes an incident, and every entry that is told as its sign. */
function told(findings: readonly Finding[]) {
  const signs = findings.flatMap(({ anchor, also }) => [anchor, ...also]).map(({ ns }) => ns);
  return {
    incidents: [...new Set(findings.map(({ fingerprint }) => fingerprint))].toSorted(),
    signs: [...new Set(signs)].toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

describe('detection over windows', () => {
  const everywhere = Array.from({ length: 24 }, (_, i) => i * 389);

  it.each([
    ['a failure at every place', Object.fromEntries(everywhere.map((at) => [at, at % 2 === 0 ? PANIC : TEMPLATE]))],
    [
      'a retry that recovers, at every place',
      Object.fromEntries(
        everywhere.flatMap((at) => [
          [at, RETRY],
          [at + 150, FIXED],
        ]),
      ),
    ],
    ['a retry that nothing follows', { 1500: RETRY, 2399: RETRY, 5000: PANIC }],
    [
      'a trace at the edge of a window',
      {
        2398: 'Traceback (most recent call last):',
        2399: '  File "a.py", line 1, in f',
        2400: 'jinja2.exceptions.TemplateNotFound: system.j2',
      },
    ],
    ['nothing', {}],
  ])('%s: tells what the whole log tells, each failure once', (_name, lines) => {
    const log = aLog(9500, lines);
    const findings = roll(log).map(({ finding }) => finding);
    expect(told(findings)).toEqual(told(whole(log)));
    const first = roll(log).filter(({ goesOn }) => !goesOn);
    expect(new Set(first.map(({ finding }) => finding.id)).size).toBe(first.length);
  });

  it('keeps to its bounds where a minute holds more lines than a window', () => {
    const log = aLog(30_000, { 10: PANIC, 15_000: TEMPLATE, 29_000: PANIC }, SECOND / 1000n);
    expect(roll(log, 20_000).map(({ finding }) => finding.pattern)).toEqual(
      expect.arrayContaining(['crash.panic', expect.stringMatching(/template/)]),
    );
  });

  it('the start of a pod is remembered: what comes late is no pre-flight', () => {
    const log = aLog(5000, { 4990: 'ERROR tools-server unreachable: ECONNREFUSED' });
    expect(roll(log).map(({ finding }) => [finding.category, finding.code])).toEqual([['runtime', null]]);
  });

  it('two failures that one entry shows are told both', () => {
    const init = JSON.stringify({
      type: 'system',
      subtype: 'init',
      tools: [],
      mcp_servers: [
        { name: 'docs', status: 'failed' },
        { name: 'tools', status: 'failed' },
      ],
    });
    expect(roll(aLog(3000, { 0: init })).map(({ finding }) => finding.identity['server'])).toEqual(['docs', 'tools']);
  });

  it('what may still recover is not told while the run goes on', () => {
    const play = new RollingDetection({ session: null, attribute: () => OWNER });
    const log = aLog(10, { 9: RETRY });
    for (const entry of log) play.push(entry, OWNER);
    const until = (log.at(-1)?.ns ?? 0n) + 1n;
    expect(play.pass({ kind: 'until', until }, 1e6).findings).toEqual([]);
  });
});
