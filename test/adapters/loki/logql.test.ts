import { parser } from '@grafana/lezer-logql';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  quoteRegex,
  splitSelector,
  toCountQuery,
  toLogQuery,
  toSelector,
  withLabelFilters,
} from '#lib/adapters/loki/logql.ts';
import { InputError } from '#lib/domain/errors.ts';
import { parseLogql } from '#lib/local/loki/parse-logql.ts';
import { unquote } from '#lib/local/loki/unquote.ts';

/** Names of all nodes, and the values of all string literals, as the grammar reads the query. */
function readBack(query: string): { names: string[]; strings: (string | undefined)[] } {
  const names: string[] = [];
  const strings: (string | undefined)[] = [];
  parser.parse(query).iterate({
    enter(node) {
      names.push(node.type.isError ? 'error' : node.name);
      if (node.name === 'String') strings.push(unquote(query.slice(node.from, node.to)));
    },
  });
  return { names, strings };
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '`',
      '\n',
      '{',
      '}',
      '|',
      '=',
      '~',
      '#',
      '/',
      '*',
      '\u2028',
      '\ud800',
      'a',
      ' ',
      '\0',
    ),
  }),
  fc.constantFrom('"} |= "x', '\\"} or {a="b', '# comment', '/* x */', '`', '\\', '"', '\\u0041', '${x}'),
);

describe('the escaper', () => {
  it('no text can change the query', () => {
    const build = (label: string, other: string, filter: string, behind: string) => {
      const selector = toSelector({ namespace: label }, [{ label: 'app', op: '!=', value: other }]);
      return toLogQuery(withLabelFilters(selector, [{ label: 'pod', op: '=', value: behind }]), filter);
    };
    const expected = readBack(build('a', 'b', 'c', 'd')).names;
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (label, other, filter, behind) => {
        fc.pre(filter !== '');
        const { names, strings } = readBack(build(label, other, filter, behind));
        expect(names).toEqual(expected);
        expect(strings).toEqual([label, other, filter, behind].map((text) => text.toWellFormed()));
      }),
      { numRuns: 500 },
    );
  });

  it('quotes text for a regular expression', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const [matcher] = parseLogql(
          toSelector({ always: 'x' }, [{ label: 'pod', op: '=~', value: quoteRegex(text) }]),
        ).selection.matchers.slice(1);
        expect(matcher?.test(text)).toBe(true);
        expect(matcher?.test(other)).toBe(other === text);
      }),
    );
  });

  it('counts by a label over a range in milliseconds', () => {
    const query = toCountQuery('{namespace="cto"} | pod="p"', 'pod', 90n);
    expect(query).toBe('sum by (pod) (count_over_time({namespace="cto"} | pod="p" [90ms]))');
    expect(parseLogql(query)).toMatchObject({ kind: 'count', range: 90_000_000n, by: ['pod'] });
  });

  it.each(['', '0a', 'a-b', 'a"', 'é', 'a b'])('refuses the label name %j', (name) => {
    expect(() => toSelector({ [name]: 'x' })).toThrow(InputError);
  });

  it('refuses a selector that asks for nothing', () => {
    expect(() => toSelector({})).toThrow(InputError);
  });

  it.each([
    ['{a="b"}', '{a="b"}', ''],
    ['{a="}|{"} | pod="x"', '{a="}|{"}', ' | pod="x"'],
    ['{a="\\"}"}|="x"', '{a="\\"}"}', ' |="x"'],
    ['{a=`}`} ', '{a=`}`}', ''],
  ])('cuts %s behind its brace', (selector, stream, pipeline) => {
    expect(splitSelector(selector)).toEqual({ stream, pipeline });
  });

  it.each(['', 'a="b"', '{a="b"', '{a="b"} or {c="d"}', 'sum(count_over_time({a="b"}[5m]))', '{a="b"}{c="d"}'])(
    'refuses the selector %j',
    (selector) => {
      expect(() => splitSelector(selector)).toThrow(InputError);
    },
  );
});
