import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PATTERNS } from '#lib/domain/detection/patterns/built-in.generated.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { detectCase, loadCases, ratio, SETS, scoreCase, scoreSet, sum } from './score.ts';

/** The last measured figures less a small margin; raise them when detection gets better. */
const FLOORS = {
  corpus: {
    casePrecision: 0.98,
    caseRecall: 0.97,
    precision: 0.98,
    recall: 0.97,
    category: 0.98,
    code: 0.98,
    severity: 0.95,
    roots: 0.96,
    links: 1,
  },
  recordings: {
    casePrecision: 0.98,
    caseRecall: 0.97,
    precision: 0.98,
    recall: 0.97,
    category: 0.98,
    code: 0.98,
    severity: 0.97,
  },
  unseen: {
    casePrecision: 0.97,
    caseRecall: 0.97,
    precision: 0.97,
    recall: 0.97,
    category: 0.97,
    code: 0.97,
    severity: 0.9,
  },
} as const;
const MOST_BENIGN_ALARMED = 0.02;

describe.each(SETS)('%s', (set) => {
  const score = sum(scoreSet(set));

  it.each(Object.entries(FLOORS[set]))('%s is at least %d', (figure, floor) => {
    expect(ratio(score[figure as keyof (typeof FLOORS)[typeof set]])).toBeGreaterThanOrEqual(floor);
  });

  it('few benign cases alarm', () => {
    expect(ratio(score.benignAlarmed)).toBeLessThanOrEqual(MOST_BENIGN_ALARMED);
  });

  it('the line filter changes no finding', () => {
    const filter = RE2JS.compile(toLineFilter(BUILT_IN_PATTERNS));
    const ids = (detected: ReturnType<typeof detectCase>) => detected.map(({ finding }) => finding.id).toSorted();
    for (const corpusCase of loadCases(set)) {
      expect([corpusCase.id, ids(detectCase(corpusCase, (line) => filter.test(line)))]).toEqual([
        corpusCase.id,
        ids(detectCase(corpusCase)),
      ]);
    }
  });
});

describe('scoring', () => {
  const [corpusCase] = loadCases('corpus').filter(
    ({ expect: expected }) => expected.length === 1 && (expected[0]?.also ?? []).length > 0,
  );
  const [detected] = corpusCase === undefined ? [] : detectCase(corpusCase);

  it('a detection on an evidence line is right, a second one there is neither gain nor loss, elsewhere it is an alarm', () => {
    if (corpusCase === undefined || detected === undefined) expect.unreachable();
    const also = corpusCase.expect[0]?.also?.[0] ?? -1;
    const here = scoreCase(corpusCase, [{ ...detected, lineIndex: also }, detected]);
    expect([here.found.length, here.missed.length, here.alarms.length]).toEqual([1, 0, 0]);
    const elsewhere = scoreCase(corpusCase, [{ ...detected, lineIndex: 10_000 }]);
    expect([elsewhere.found.length, elsewhere.missed.length, elsewhere.alarms.length]).toEqual([0, 1, 1]);
  });
});
