import { quotedSpans } from './spans.ts';

/**
 * Characters that hide or reorder text, or that a terminal obeys: controls, soft hyphen, zero-width marks, bidi marks,
 * variation selectors, tags, lone surrogates. They never reach what Healer publishes.
 */
const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0|[\u{E0000}-\u{E0FFF}]/gu;

/** The text without hidden characters; line ends and tabs become one space. */
export const toVisibleLine = (text: string): string =>
  text
    .replaceAll(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(HIDDEN, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

/** Several lines without hidden characters; tabs become spaces. */
const toVisibleLines = (text: string): readonly string[] =>
  text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => line.replaceAll('\t', '  ').replaceAll(HIDDEN, ''));

/** Cut to a number of characters, saying how many are left out. Never splits a surrogate pair. */
export function toShortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept} … (${text.length - kept.length} characters left out)`;
}

/**
 * Tokens that GitHub turns into something: mentions, references to issues and commits, links, mail addresses, formulas,
 * emoji codes. They are shown as inline code, in which GitHub turns nothing.
 */
const ACTIVE = /[@$]|#\d|\bGH-\d|:\/\/|\bwww\.|\b(?:mailto|xmpp|javascript|data):|:[\w+-]{0,40}[a-z][\w+-]{0,40}:/i;

/** Hashes that GitHub links to a commit. Words such as "feedback" hold seven such letters, so a digit must be among them. */
const isHash = (token: string): boolean =>
  (token.match(/[0-9a-f]{7,}/gi) ?? []).some((run) => /\d/.test(run) || run.length >= 12);

/**
 * A sentence as Markdown that shows exactly its characters: inline code stays inline code, everything else is escaped.
 * The result is one line and holds no HTML, link, image, mention or reference.
 */
export function toMarkdown(sentence: string, length = 2_000): string {
  const spans = quotedSpans(toShortened(toVisibleLine(sentence), length));
  const rendered = spans.map(({ text, isCode }) => (isCode ? toInlineCode(text) : toProse(text)));
  return withoutBlockStart(joinSpans(rendered).trim());
}

/** A line must not begin a heading, list or rule by its first characters. */
const withoutBlockStart = (line: string): string =>
  line.replace(/^([#+=-])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2');

/** Inline code. A backtick inside would end it and becomes an apostrophe. */
export const toInlineCode = (text: string): string => `\`${toVisibleLine(text).replaceAll('`', "'").trim() || '?'}\``;

const toProse = (text: string): string =>
  text
    .replaceAll('`', "'")
    .split(/( +)/)
    .map((token) => (ACTIVE.test(token) || isHash(token) ? toCodeToken(token) : toEscaped(token)))
    .join('');

/** Punctuation around an active token stays outside the code. */
function toCodeToken(token: string): string {
  const [, before = '', core = token, after = ''] = /^([("'[{]*)(.*?)([)"'\]},.;:!?]*)$/.exec(token) ?? [];
  return core === '' ? toEscaped(token) : `${toEscaped(before)}${toInlineCode(core)}${toEscaped(after)}`;
}

const toEscaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\*_[\]|~]/g, '\\$&');

/** Two codes side by side would make one run of backticks: a space keeps them apart. */
const joinSpans = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .reduce((text, part) => (text.endsWith('`') && part.startsWith('`') ? `${text} ${part}` : text + part), '');

/**
 * A block of code that its content cannot end: the fence is longer than any run of backticks inside. `info` is Healer's
 * own word (`text`, `sh`), never a log's.
 */
export function toFence(lines: readonly string[], info: 'text' | 'sh'): string {
  const content = lines.flatMap(toVisibleLines);
  const longest = Math.max(0, ...content.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}${info}`, ...content, fence].join('\n');
}
