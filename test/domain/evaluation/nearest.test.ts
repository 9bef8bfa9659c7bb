import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from '#lib/domain/evaluation/nearest.ts';

describe('nearest', () => {
  it.each([
    ['github_create_brnch', ['github_create_branch', 'docs_lookup'], 'github_create_branch'],
    ['github_create_brnch', ['mcp__tools__github_create_branch'], 'github_create_branch'],
    ['github_craete_branch', ['github_create_branch'], 'github_create_branch'],
    ['read_file', ['Read', 'Bash', 'Write'], undefined],
    ['web_search', ['docs_lookup', 'web_fetch'], undefined],
    ['tool_c', ['tool_a', 'tool_b'], undefined],
    ['docs_lookup', ['docs_lookup', 'docs_lookups'], undefined],
    ['x', [], undefined],
  ])('%s among %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });
});

describe('editDistance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), maxLength: 8 });

  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
  ])('of %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('is symmetric, zero only for equal words, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
