import { describe, expect, it } from 'vitest';
import { listUnclaimed } from '#lib/app/list-unclaimed.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';

const claimed = (pod: string) =>
  ({ pod, playId: 'play-1', agent: null, firstNs: 1n, lastNs: 1n, preflight: 'pending' }) as const;

const list = (spoke: readonly string[], own: readonly string[]) =>
  listUnclaimed(new Map(spoke.map((pod) => [pod, 1])), own.map(claimed), DEFAULT_ATTRIBUTION);

describe('listUnclaimed', () => {
  it('leaves out what is claimed, and what is excluded on purpose', () => {
    const spoke = ['shop-b', 'shop-a', 'play-1-rex-x', 'promtail-1', 'healer-detect'];
    expect(list(spoke, ['play-1-rex-x'])).toEqual({ count: 2, pods: ['shop-a', 'shop-b'] });
  });

  it('counts all and names twenty', () => {
    const spoke = Array.from({ length: 50 }, (_, i) => `shop-${i}`);
    const { count, pods } = list(spoke, []);
    expect([count, pods.length]).toEqual([50, 20]);
  });
});
