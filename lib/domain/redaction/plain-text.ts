/**
 * Terminal sequences of ECMA-48: CSI (also by the single C1 byte), terminated strings (OSC, DCS, SOS, PM, APC), and any
 * other escape. Every alternative begins with its introducer and stops at the next one, so matching is linear.
 */
const ANSI_SOURCE =
  '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)|\\x1b[ -/]*[0-~]?';

/** Line ends of every system, as one match each. */
const NEWLINE_SOURCE = '\\r\\n?|[\\x85\\u2028\\u2029]';

/**
 * Control characters, soft hyphen, zero-width, bidirectional (Trojan Source, CVE-2021-42574), variation selectors and tag
 * characters (used to smuggle text past readers). Tab and newline stay.
 */
const INVISIBLE_SOURCE =
  '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]';

const ANSI = new RegExp(ANSI_SOURCE, 'g');

/** What {@link toPlainText} replaces; `plainReplacement` says by what. */
export const NOT_PLAIN = new RegExp(`${ANSI_SOURCE}|${NEWLINE_SOURCE}|${INVISIBLE_SOURCE}`, 'gu');

/** A newline for a line end, nothing for the rest. */
export const plainReplacement = (match: string): string => (/^[\r\x85\u2028\u2029]/.test(match) ? '\n' : '');

/** Removes terminal sequences (colours, cursor moves, links), nothing else. */
export const stripAnsi = (text: string): string => text.replace(ANSI, '');

/**
 * Text as a reader sees it: without terminal sequences, control, bidirectional and zero-width characters, newlines as
 * `\n`, lone surrogates as U+FFFD. Tabs and newlines stay. Idempotent, linear.
 */
export const toPlainText = (text: string): string => text.toWellFormed().replace(NOT_PLAIN, plainReplacement);

/** Plain text on one line: runs of white space with a newline in them become ` ⏎ `, ends are trimmed. */
export const toOneLine = (text: string): string =>
  toPlainText(text)
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ⏎ ');
