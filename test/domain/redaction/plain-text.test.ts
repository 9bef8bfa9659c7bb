import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripAnsi, toOneLine, toPlainText } from '#lib/domain/redaction/plain-text.ts';

describe('stripAnsi', () => {
  it.each([
    ['colours', '\x1b[1;31mERROR\x1b[0m done', 'ERROR done'],
    ['colours by C1', '\x9b31mred\x9b0m', 'red'],
    ['cursor moves', 'a\x1b[2K\x1b[1Gb', 'ab'],
    ['links', '\x1b]8;;https://example.com\x1b\\text\x1b]8;;\x07', 'text'],
    ['window titles', '\x1b]0;title\x07prompt', 'prompt'],
    ['an unfinished string, of which only the beginning goes', '\x1b]0;title', '0;title'],
    ['keeps newlines, tabs and control characters', 'a\tb\nc\x07', 'a\tb\nc\x07'],
  ])('%s', (_, text, expected) => expect(stripAnsi(text)).toBe(expected));
});

describe('toPlainText', () => {
  it.each([
    ['newlines of all systems', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
    ['zero-width characters', 'gi\u200bt\u2060hub\ufeff', 'github'],
    ['bidirectional controls', 'user\u202e\u2066 nimda\u2069', 'user nimda'],
    ['tag characters', `safe${String.fromCodePoint(0xe0041, 0xe0042)}`, 'safe'],
    ['control characters', 'a\x00b\x07c\x7f', 'abc'],
    ['lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['ordinary text of any script', 'größer 你好 🎉 é', 'größer 你好 🎉 é'],
  ])('%s', (_, text, expected) => expect(toPlainText(text)).toBe(expected));

  it('changes nothing when it runs again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = toPlainText(text);
        expect(toPlainText(once)).toBe(once);
      }),
    );
  });
});

describe('toOneLine', () => {
  it('joins lines with a visible sign', () => {
    expect(toOneLine('  Traceback:\r\n    line 1\n\n\x1b[31mValueError\x1b[0m\n')).toBe(
      'Traceback: ⏎ line 1 ⏎ ValueError',
    );
  });
});
