import { describe, expect, it } from 'vitest';
import { BUILT_IN_PATTERNS } from '#lib/domain/detection/patterns/built-in.generated.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';

/** Loki before 3.0 refuses a query of more than 5,120 bytes (grafana/loki#3471, #11701); the selector needs some of them. */
const LONGEST_QUERY = 5120;
const FOR_THE_SELECTOR = 256;

describe('the line filter of the built-in patterns', () => {
  it('fits into a query of any Loki', () => {
    const quoted = JSON.stringify(toLineFilter(BUILT_IN_PATTERNS));
    expect(Buffer.byteLength(quoted)).toBeLessThanOrEqual(LONGEST_QUERY - FOR_THE_SELECTOR);
  });

  it.each([
    'FailedMount',
    'git: x is not a git command',
    'model not found',
    'the tools server gave no answer: unreachable',
  ])('lets %s through', (line) => {
    const [insensitive = ''] = toLineFilter(BUILT_IN_PATTERNS).replace('(?i)', '').split('|(?-i:');
    expect(new RegExp(insensitive, 'i').test(line)).toBe(true);
  });

  it('keeps ordinary work out', () => {
    const [insensitive = ''] = toLineFilter(BUILT_IN_PATTERNS).replace('(?i)', '').split('|(?-i:');
    expect(new RegExp(insensitive, 'i').test('reading src/cart.ts, 120 lines')).toBe(false);
  });
});
