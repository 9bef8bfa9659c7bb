import { expect, it } from 'vitest';
import { saySpan } from '#lib/cli/spans.ts';

it.each([
  [-5, '0 s'],
  [400, '0 s'],
  [45_000, '45 s'],
  [60_000, '1 min'],
  [7_805_000, '2 h 10 min'],
  [7_200_000, '2 h'],
  [1_209_600_000, '14 d'],
  [1_213_260_000, '14 d 1 h'],
])('%i ms are %s', (ms, text) => {
  expect(saySpan(ms)).toBe(text);
});
