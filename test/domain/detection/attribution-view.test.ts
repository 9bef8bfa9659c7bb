import { describe, expect, it } from 'vitest';
import { toAttributionView } from '#lib/domain/detection/attribution-view.ts';

describe('toAttributionView', () => {
  it('adds up pods and lines by rule', () => {
    const pods = [
      { rule: 'pod-name', lines: 3 },
      { rule: 'pod-name', lines: 4 },
      { rule: 'owner', lines: 1 },
      { rule: 'pod-name' },
      {},
    ] as const;
    const { rules, unclaimed, advice } = toAttributionView(pods, null);
    expect(rules).toEqual([
      { rule: 'pod-name', pods: 3, lines: 7 },
      { rule: 'owner', pods: 1, lines: 1 },
    ]);
    expect(unclaimed).toEqual({ count: 0, pods: [] });
    expect(advice).toBeNull();
  });

  it.each([
    [0, 1, true],
    [0, 0, false],
    [1, 1, false],
  ])('with %d pods of the play and %d of nobody, advice: %s', (own, others, isGiven) => {
    const pods = Array.from({ length: own }, () => ({ rule: 'pod-name', lines: 1 }) as const);
    const { advice } = toAttributionView(pods, { count: others, pods: [] });
    expect(advice !== null).toBe(isGiven);
  });
});
