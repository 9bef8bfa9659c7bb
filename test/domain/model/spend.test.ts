import { describe, expect, it } from 'vitest';
import { estimateTokens, mostSpend, toSpend } from '#lib/domain/model/spend.ts';

const prices = { inputUsd: 2.5, outputUsd: 15 };

describe('what a call costs', () => {
  it.each([
    [
      { inputTokens: 0, outputTokens: 0 },
      { tokens: 0, microUsd: 0 },
    ],
    [
      { inputTokens: 1_000_000, outputTokens: 0 },
      { tokens: 1_000_000, microUsd: 2_500_000 },
    ],
    [
      { inputTokens: 12_000, outputTokens: 1_500 },
      { tokens: 13_500, microUsd: 52_500 },
    ],
    [
      { inputTokens: 1, outputTokens: 0 },
      { tokens: 1, microUsd: 3 },
    ],
  ])('of %j is %j', (usage, spend) => {
    expect(toSpend(usage, prices)).toEqual(spend);
  });

  it.each(['plain English prose', '{"a":[1,2,3]}', '漢字かな交じり文', '🙂🙂🙂', '0f9a1c'.repeat(50), ''])(
    'at most is not below the bytes of %j',
    (text) => {
      const most = mostSpend({ texts: [text, text], maxOutputTokens: 100 }, prices);
      expect(most.tokens).toBeGreaterThanOrEqual(2 * Buffer.byteLength(text) + 100);
      expect(most.tokens).toBeGreaterThanOrEqual(estimateTokens(text));
      expect(Number.isInteger(most.microUsd)).toBe(true);
    },
  );
});
