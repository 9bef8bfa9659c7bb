import { NOT_PLAIN, plainReplacement } from './plain-text.ts';

/** UTF-8 of characters that nobody sees, each byte read as a character: soft hyphen, zero-width, bidirectional, line ends, tags. */
export const INVISIBLE_BYTES =
  '(?:\\xc2[\\x85\\xad]|\\xcd\\x8f|\\xe2\\x80[\\x8b-\\x8f\\xa8-\\xae]|\\xe2\\x81[\\xa0-\\xaf]|\\xef\\xb8[\\x80-\\x8f]|\\xef\\xbb\\xbf|\\xf3\\xa0[\\x80-\\x87][\\x80-\\xbf])';

/** Signs that a secret, its key or what separates its parts may be written with, each behind the name of its reference. */
const SIGNS =
  'quot" amp& lt< gt> apos\' equals= colon: period. lowbar_ plus+ sol/ bsol\\ hyphen- dash- commat@ num# dollar$ percnt% comma, semi; excl! ast* quest?';
/** Names of references to characters that nobody sees. */
const UNSEEN = 'shy zwj zwnj lrm rlm zerowidthspace nobreak invisiblecomma invisibletimes applyfunction';

const NAMED: ReadonlyMap<string, string> = new Map([
  ...SIGNS.split(' ').map((sign) => [sign.slice(0, -1), sign.slice(-1)] as const),
  ...UNSEEN.split(' ').map((name) => [name, ''] as const),
  ['nbsp', ' '],
  ['tab', '\t'],
  ['newline', '\n'],
]);
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ', e: '\x1b', '0': ' ' };

/**
 * Escapes of JSON and programming languages, percent codes (of a whole character beyond ASCII at once), character
 * references, and the bytes of characters that nobody sees.
 */
export const ESCAPES = new RegExp(
  [
    '\\\\(?:u\\{[0-9a-f]{1,6}\\}|u[0-9a-f]{4}|(?:x[c-f][0-9a-f](?:\\\\x[89ab][0-9a-f]){1,3})|x[0-9a-f]{2}|033|[nrtbfe0"\'/\\\\])',
    '%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|%[0-9a-f]{2}',
    `&(?:${[...NAMED.keys()].join('|')}|#\\d{2,7}|#x[0-9a-f]{2,6});`,
    INVISIBLE_BYTES,
  ].join('|'),
  'gi',
);

/** What an escape stands for; a character that nobody sees for nothing. Never longer than the escape. */
export function unescape(code: string): string {
  if (code.startsWith('&')) return fromReference(code.slice(1, -1));
  if (code.startsWith('%')) return fromBytes(code.replaceAll('%', ''));
  if (!code.startsWith('\\')) return fromBytes(Buffer.from(code, 'latin1').toString('hex'));
  const letter = code[1] ?? '';
  if (code === '\\033') return '\x1b';
  if (/x/i.test(letter)) return fromBytes(code.replaceAll(/\\x/gi, ''));
  if (/u/i.test(letter)) return fromCodePoint(Number.parseInt(code.slice(2).replace(/[{}]/g, ''), 16));
  return LETTERS[letter.toLowerCase()] ?? letter;
}

function fromReference(name: string): string {
  if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? '';
  return fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** One byte is a character of Latin-1; several are one character in UTF-8. */
function fromBytes(hex: string): string {
  if (hex.length === 2) return fromCodePoint(Number.parseInt(hex, 16));
  return fromCodePoint(Buffer.from(hex, 'hex').toString('utf8').codePointAt(0) ?? 0);
}

/** Halves of the pairs by which JSON writes tags and variation selectors. */
const isHidden = (code: number): boolean => code === 0xdb40 || (code >= 0xdc00 && code <= 0xddff);

/** NUL is kept for the sentinel; what lies beyond Latin-1 is no part of a secret. */
function fromCodePoint(code: number): string {
  if (code === 0 || code > 0x10ffff) return ' ';
  if (code <= 0xff) return String.fromCharCode(code);
  if (isHidden(code)) return '';
  const text = String.fromCodePoint(code);
  const plain = text.replace(NOT_PLAIN, plainReplacement);
  return plain === text ? ' ' : plain;
}
