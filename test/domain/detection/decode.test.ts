import { describe, expect, it } from 'vitest';
import { decodeLine, MAX_LINE, toMessages } from '#lib/domain/detection/decode.ts';
import { anEntry } from './support.ts';

describe('decodeLine', () => {
  it.each([
    ['F ERROR: x', 'ERROR: x'],
    ['2026-01-08T16:04:11.123456789Z stdout F hello', 'hello'],
    ['2026-01-08T16:04:11.1+02:00 stderr F hello', 'hello'],
    ['\u001b[91m\u001b[1mError: \u001b[0mx', 'Error: x'],
    ['\u001b]0;title\u0007text', 'text'],
    ['Body: Str({"level":"info"})', '{"level":"info"}'],
    ['{"log":"a line\\n","stream":"stderr"}', 'a line'],
    ['{"log":"broken', '{"log":"broken'],
    ['Failed to start', 'Failed to start'],
    ['P', 'P'],
    ['', ''],
  ])('%j is %j', (line, text) => {
    expect(decodeLine(line).text).toBe(text);
  });

  it('reads no more than the longest line', () => {
    expect(decodeLine('x'.repeat(MAX_LINE + 10)).text).toHaveLength(MAX_LINE);
  });
});

describe('toMessages', () => {
  const messages = (...lines: string[]) => {
    const entries = lines.map((line, index) => anEntry(index, line));
    return toMessages(
      entries,
      entries.map((_, index) => index),
    ).map(({ text, entries: parts }) => [text, parts]);
  };

  it('joins what the container runtime has cut', () => {
    expect(messages('P {"a":', 'P 1', 'F }', 'F next')).toEqual([
      ['{"a":1}', [0, 1, 2]],
      ['next', [3]],
    ]);
  });

  it('does not wait for a last part that never comes', () => {
    expect(messages('P half', 'untagged')).toEqual([
      ['half', [0]],
      ['untagged', [1]],
    ]);
    expect(messages('P half')).toEqual([['half', [0]]]);
  });
});
