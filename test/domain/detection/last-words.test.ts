import { describe, expect, it } from 'vitest';
import { aResult, at, detectIn, entriesOf, labels, POD } from './support.ts';

const COMPLAINT = 'Failed to open the workspace';
const running = { ended: {} } as const;

describe('a complaint that is the last word of a stream', () => {
  it('is a failure once the pod or the session has ended', () => {
    const entries = entriesOf([100, 'entrypoint'], [101, COMPLAINT]);
    expect(labels(detectIn(entries))).toEqual(['run.last-complaint runtime high']);
    expect(labels(detectIn(entries, { until: at(110), ended: { pods: new Set([POD]) } }))).toHaveLength(1);
  });

  it('is held while the pod runs, and dropped when it goes on running', () => {
    const entries = entriesOf([100, 'entrypoint'], [101, COMPLAINT]);
    const early = detectIn(entries, { ...running, until: at(110) });
    expect([early.findings.length, early.held.length]).toEqual([0, 1]);
    const late = detectIn(entries, { ...running, until: at(400) });
    expect([late.findings.length, late.held.length]).toEqual([0, 0]);
  });

  it.each<[string, readonly (readonly [number, string])[]]>([
    [
      'work follows',
      [
        [101, COMPLAINT],
        [102, '● Bash(git status)'],
        [103, '  ⎿  clean'],
      ],
    ],
    [
      'success follows',
      [
        [101, COMPLAINT],
        [102, 'workspace ready'],
      ],
    ],
    [
      'the program was asked to stop',
      [
        [101, 'received SIGTERM'],
        [102, COMPLAINT],
      ],
    ],
    [
      'the run was closed well before',
      [
        [101, aResult(false)],
        [102, COMPLAINT],
      ],
    ],
    ['it is a warning', [[101, 'WARN failed to read the cache']]],
    ['it takes itself back', [[101, 'Failed to load the optional theme']]],
    [
      'many lines follow',
      [[101, COMPLAINT], ...Array.from({ length: 20 }, (_, index) => [102 + index, 'tick'] as const)],
    ],
  ])('is none when %s', (_, lines) => {
    expect(labels(detectIn(entriesOf(...lines)))).toEqual([]);
  });
});

describe('an error line without anything after it', () => {
  it('waits for more before it is told', () => {
    const entries = entriesOf([100, 'Error: something is wrong']);
    expect(detectIn(entries, { ...running, until: at(110) }).findings).toEqual([]);
    expect(labels(detectIn(entries, { ...running, until: at(300) }))).toEqual(['run.error-line runtime high']);
  });
});
