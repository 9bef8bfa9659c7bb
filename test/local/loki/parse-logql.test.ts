import { describe, expect, it } from 'vitest';
import { parseLogql, parseSelector } from '#lib/local/loki/parse-logql.ts';
import { parseRange, parseTime } from '#lib/local/loki/query-params.ts';
import { LokiHttpError } from '#lib/local/loki/refusal.ts';
import { unquote } from '#lib/local/loki/unquote.ts';

describe('parseLogql', () => {
  it.each([
    ['{a="b"} | json', 'json'],
    ['{a="b"} |= "x" or "y"', 'Or'],
    ['{a="b"} | c="d" or e="f"', 'Or'],
    ['{a="b"} | c > 5', 'NumberFilter'],
    ['{a="b"} | decolorize', 'Decolorize'],
    ['{a="b"} | line_format "{{.x}}"', 'LineFormat'],
    ['rate({a="b"}[5m])', 'Rate'],
    ['count_over_time({a="b"}[5m])', 'without sum'],
    ['sum without (pod) (count_over_time({a="b"}[5m]))', 'Without'],
    ['max(count_over_time({a="b"}[5m]))', 'Max'],
    ['sum(count_over_time({a="b"}[5m] offset 1m))', 'Offset'],
    ['sum(count_over_time({a="b"}[5m])) > 3', ''],
    ['{a="b"} |~ "("', 'missing closing )'],
    ['{a="b\\q"}', 'invalid char escape'],
    ['', ''],
  ])('refuses %s with a sentence', (query, text) => {
    expect(() => parseLogql(query)).toThrow(LokiHttpError);
    expect(() => parseLogql(query)).toThrow(/parse error/);
    expect(() => parseLogql(query)).toThrow(text);
  });

  it.each([
    'sum by (pod) (count_over_time({a="b"} |~ "x" [5m]))',
    'sum(count_over_time({a="b"} |~ "x" [5m])) by (pod)',
  ])('reads %s', (query) => {
    const parsed = parseLogql(query);
    expect(parsed).toMatchObject({ kind: 'count', by: ['pod'], range: 300_000_000_000n });
    expect(parsed.selection.lineFilters.map((filter) => [filter('axb'), filter('y')])).toEqual([[true, false]]);
  });

  it('keeps selector and label filters apart', () => {
    const { matchers, labelFilters } = parseLogql('{a="b",c=~"d|e"} | f!="g"').selection;
    expect([matchers.map(({ label }) => label), labelFilters.map(({ label }) => label)]).toEqual([['a', 'c'], ['f']]);
    expect(() => parseSelector('{a="b"} | f="g"')).toThrow(/label matchers/);
  });
});

describe('unquote', () => {
  it.each([
    ['"a\\n\\t\\"\\\\b"', 'a\n\t"\\b'],
    ['"\\x41\\u00e9\\U0001F642\\101"', 'Aé🙂A'],
    ['`a\\n"b`', 'a\\n"b'],
    ['"\\q"', undefined],
    ['"\\ud800"', undefined],
    ['"\\\'"', undefined],
    ['"', undefined],
  ])('%s', (literal, value) => {
    expect(unquote(literal)).toBe(value);
  });
});

describe('times and ranges', () => {
  it.each([
    ['1800000000123456789', 1_800_000_000_123_456_789n],
    ['1800000000', 1_800_000_000_000_000_000n],
    ['1800000000.5', 1_800_000_000_500_000_000n],
    ['2027-01-15T08:00:00.123456789Z', 1_800_000_000_123_456_789n],
    ['2027-01-15T09:00:00+01:00', 1_800_000_000_000_000_000n],
  ])('reads the time %s', (text, ns) => {
    expect(parseTime('start', text)).toBe(ns);
  });

  it.each(['yesterday', '2027-13-01T00:00:00Z', '-5', ''])('refuses the time %j', (text) => {
    expect(() => parseTime('start', text)).toThrow(/could not parse 'start'/);
  });

  it.each([
    ['1h30m', 5_400_000_000_000n],
    ['1500ms', 1_500_000_000n],
    ['1d', 86_400_000_000_000n],
    ['5m10ms', 300_010_000_000n],
  ])('reads the range %s', (text, ns) => {
    expect(parseRange(text)).toBe(ns);
  });

  it.each(['5ns', '5us', '1.5h', '5', '', '5m1h'])('refuses the range %j', (text) => {
    expect(() => parseRange(text)).toThrow(/not a valid duration/);
  });
});
