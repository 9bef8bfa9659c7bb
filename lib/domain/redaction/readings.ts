import { contentOf } from './line-content.ts';
import { NOT_PLAIN, plainReplacement } from './plain-text.ts';
import { SENTINEL } from './rule.ts';
import { type Edit, editView, replaceAll, type TextView } from './text-view.ts';

/** Escapes of JSON and programming languages, percent codes, character references. */
const ESCAPES =
  /\\(?:u\{[0-9a-f]{1,6}\}|u[0-9a-f]{4}|x[0-9a-f]{2}|033|[nrtbfe0"'/\\])|%[0-9a-f]{2}|&(?:quot|amp|lt|gt|apos|#\d{2,4}|#x[0-9a-f]{2,4});/gi;

/** Colour codes whose escape character was written out or lost. */
const WORN_ANSI = /(?:\^\[|#033|\u241b)?\[[0-9]{1,3}(?:;[0-9]{1,3}){0,8}m|(?:\^\[|#033|\u241b)\[[0-9;]{0,24}[A-Za-z]/g;

const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ', e: '\x1b', '0': ' ' };

/** Base64 in both alphabets, long enough to hold a secret. */
const BASE64_RUN = /(?<![\w+/-])[\w+/-]{16,}/g;
/** Base64 of text has capitals, and small letters or digits; a name, a path or a hexadecimal number has no capitals. */
const isMixed = (run: string): boolean => /[A-Z]/.test(run) && /[a-z\d]/.test(run);
const PRINTABLE = /[\t\n\r\x20-\x7e]{8,}/g;

const MAX_DECODINGS = 4;
const MAX_BASE64_DEPTH = 2;

/**
 * All readings of a text in which secrets are looked for: itself, its consecutive lines joined without what loggers put
 * before them, each with escapes decoded until nothing changes, and what base64 in any of them says.
 */
export function readingsOf(view: TextView): readonly TextView[] {
  const found = new Map<string, TextView>();
  const add = (reading: TextView): boolean => {
    const key = `${reading.isJoined ? 'j' : 'd'}${reading.text}`;
    if (reading.text === '' || found.has(key)) return false;
    found.set(key, reading);
    return true;
  };
  for (const chain of [decodings(view), decodings(joinLines(view))]) {
    for (const reading of chain) {
      add(reading);
      if (reading !== chain[0] && reading.text.includes('\n')) decodings(joinLines(reading)).forEach(add);
    }
  }
  addBase64([...found.values()], add, MAX_BASE64_DEPTH);
  return [...found.values()];
}

function addBase64(readings: readonly TextView[], add: (reading: TextView) => boolean, depth: number): void {
  if (depth === 0) return;
  const decoded = readings.flatMap((reading) => decodings(decodeBase64(reading))).filter(add);
  if (decoded.length > 0) addBase64(decoded, add, depth - 1);
}

/** The view and what it says decoded once, twice, …; at most four times. */
function decodings(view: TextView): readonly TextView[] {
  const chain = [view];
  for (let last = view; chain.length <= MAX_DECODINGS; chain.push(last)) {
    const next = decode(last);
    if (next === last) break;
    last = next;
  }
  return chain;
}

function decode(view: TextView): TextView {
  const unescaped = editView(view, replaceAll(view.text, ESCAPES, unescape));
  const plain = editView(unescaped, replaceAll(unescaped.text, NOT_PLAIN, plainOrSentinel));
  return editView(
    plain,
    replaceAll(plain.text, WORN_ANSI, () => ''),
  );
}

const plainOrSentinel = (match: string): string => (match === SENTINEL ? match : plainReplacement(match));

function unescape(code: string): string {
  if (code.startsWith('&')) return fromReference(code.slice(1, -1));
  if (code.startsWith('%')) return fromCodePoint(Number.parseInt(code.slice(1), 16));
  const letter = code[1] ?? '';
  if (code === '\\033') return '\x1b';
  if (/[ux]/i.test(letter)) return fromCodePoint(Number.parseInt(code.slice(2).replace(/[{}]/g, ''), 16));
  return LETTERS[letter.toLowerCase()] ?? letter;
}

function fromReference(name: string): string {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? '';
  return fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** NUL is kept for the sentinel; what lies beyond Latin-1 is no part of a secret. */
const fromCodePoint = (code: number): string => (code === 0 || code > 0xff ? ' ' : String.fromCharCode(code));

/** One line of all: newlines, what stands before each later line's message, and trailing blanks go. */
function joinLines(view: TextView): TextView {
  if (!view.text.includes('\n')) return { ...view, text: '', isJoined: true };
  return editView({ ...view, isJoined: true }, seams(view.text));
}

function* seams(text: string): Generator<Edit> {
  let at = 0;
  let seam = -1;
  for (const line of text.split('\n')) {
    const [start, end] = contentOf(line);
    if (seam >= 0) yield { start: seam, end: at + start, text: '' };
    seam = at + withoutContinuation(line, start, end);
    at += line.length + 1;
  }
}

/** End of a line's content, without the backslash that announces a continuation. */
const withoutContinuation = (line: string, start: number, end: number): number =>
  end > start && line[end - 1] === '\\' ? Math.max(start, end - 1) : end;

/** What base64 runs of the view say, one readable piece a line. Runs are read at each of four beginnings. */
function decodeBase64(view: TextView): TextView {
  const texts: string[] = [];
  const places: number[] = [];
  for (const run of view.text.matchAll(BASE64_RUN)) {
    for (const shift of isMixed(run[0]) ? [0, 1, 2, 3] : []) {
      const bytes = Buffer.from(run[0].slice(shift), 'base64').toString('latin1');
      for (const piece of bytes.matchAll(PRINTABLE)) {
        texts.push(piece[0]);
        places.push(run.index + shift, piece.index);
      }
    }
  }
  return toDecodedView(view, texts, places);
}

function toDecodedView(view: TextView, texts: readonly string[], places: readonly number[]): TextView {
  const text = texts.map((piece) => `${piece}\n`).join('');
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let at = 0;
  texts.forEach((piece, n) => {
    const run = places[2 * n] ?? 0;
    const first = places[2 * n + 1] ?? 0;
    for (let i = 0; i <= piece.length; i += 1, at += 1) {
      // Six bits a character: byte k lies in characters ⌊8k/6⌋ to ⌈8(k+1)/6⌉.
      const from = run + Math.floor((4 * (first + i)) / 3);
      const to = i === piece.length ? from : run + Math.ceil((4 * (first + i + 1)) / 3);
      starts[at] = view.starts[from] ?? view.ends[from - 1] ?? 0;
      ends[at] = i === piece.length ? (starts[at] ?? 0) : (view.ends[to - 1] ?? starts[at] ?? 0);
    }
  });
  return { text, starts, ends, isJoined: view.isJoined };
}
