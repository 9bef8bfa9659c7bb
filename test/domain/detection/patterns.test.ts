import { describe, expect, it } from 'vitest';
import { compileExpression } from '#lib/domain/detection/patterns/expression.ts';
import { LiteralScanner } from '#lib/domain/detection/patterns/literal-scanner.ts';
import { parsePatterns } from '#lib/domain/detection/patterns/parse-patterns.ts';
import { toRegistry } from '#lib/domain/detection/patterns/registry.ts';
import { InputError } from '#lib/domain/errors.ts';

const aPattern = (fields: Record<string, unknown> = {}) => ({
  id: 'my.rule',
  category: 'runtime',
  severity: 'high',
  family: 'mine',
  literals: ['boom'],
  expression: 'boom (?P<what>\\w+)',
  summary: '{what} went off',
  tests: { match: ['boom x'], pass: ['bang'] },
  ...fields,
});

const faultsOf = (content: unknown): string[] => {
  try {
    parsePatterns('mine.yml', content);
    return [];
  } catch (error) {
    return error instanceof InputError ? error.faults.map(({ path }) => path) : [String(error)];
  }
};

describe('parsePatterns', () => {
  it('fills in defaults', () => {
    const { family: _family, ...withoutFamily } = aPattern();
    const [pattern] = parsePatterns('mine.yml', {
      defaults: { severity: 'medium', family: 'x' },
      patterns: [withoutFamily],
    });
    expect(pattern).toMatchObject({ severity: 'high', family: 'x', id: 'my.rule' });
  });

  it.each([
    ['look-around', { expression: 'a(?=b)' }, 'mine.yml: my.rule.expression'],
    ['look-behind', { expression: '(?<!a)b' }, 'mine.yml: my.rule.expression'],
    ['back-references', { expression: '(a)\\1' }, 'mine.yml: my.rule.expression'],
    ['a broken expression', { expression: 'a(' }, 'mine.yml: my.rule.expression'],
    ['a broken exclusion', { unless: '[' }, 'mine.yml: my.rule.unless'],
    ['an unknown severity', { severity: 'awful' }, 'mine.yml: my.rule.severity'],
    ['an unknown field', { colour: 'red' }, 'mine.yml: my.rule'],
    ['a missing test', { tests: { match: ['boom x'], pass: [] } }, 'mine.yml: my.rule.tests.pass'],
    ['an unknown channel', { channels: ['radio'] }, 'mine.yml: my.rule.channels.0'],
  ])('refuses %s and says where', (_, fields, path) => {
    expect(faultsOf({ patterns: [aPattern(fields)] })).toEqual([path]);
  });

  it('says what is wrong with look-around', () => {
    expect(() => compileExpression('a(?!b)')).toThrow(/look-around is not part of RE2 syntax; use `unless`/);
  });

  it('names every fault of a file at once', () => {
    const patterns = [aPattern({ severity: 'x' }), aPattern({ id: 'other', expression: '(' })];
    expect(faultsOf({ patterns })).toEqual(['mine.yml: my.rule.severity', 'mine.yml: other.expression']);
  });
});

describe('LiteralScanner', () => {
  it('finds overlapping literals whatever their case', () => {
    const scanner = new LiteralScanner([['she', 'hers'], ['he'], ['HERS']]);
    const found = scanner.scan('uSHErs é');
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(found.get(1)).toEqual([4]);
    expect(new LiteralScanner([['x']]).scan('abc').size).toBe(0);
  });
});

describe('toRegistry', () => {
  const { tests: _tests, ...pattern } =
    parsePatterns('mine.yml', { patterns: [aPattern({ unless: 'drill' })] })[0] ?? expect.unreachable();
  const registry = toRegistry([pattern]);

  it('matches in the channels of the pattern, with identity fields', () => {
    expect(registry.match('BOOM server', 'stderr').map(({ groups }) => groups)).toEqual([{ what: 'server' }]);
    expect(registry.match('boom server', 'prose')).toEqual([]);
    expect(registry.match('boom server (drill)', 'stderr')).toEqual([]);
  });

  it('finds a match in the middle of a very long line', () => {
    const long = 'x '.repeat(60_000);
    expect(registry.match(`${long}boom server ${long}`, 'stderr')).toHaveLength(1);
  });
});
