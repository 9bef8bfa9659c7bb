import { ESCAPES, INVISIBLE_BYTES, unescape } from './escapes.ts';
import { joinLines } from './joined-lines.ts';
import { NOT_PLAIN, plainReplacement } from './plain-text.ts';
import { SENTINEL } from './rule.ts';
import { sewWords } from './separators.ts';
import { editView, holdsPosition, replaceAll, type TextView } from './text-view.ts';

/** Colour codes whose escape character was written out or lost; one that is still to be decoded stays with its code. */
const WORN_ANSI =
  /(?<!\\(?:u001b|x1b|033|e))(?:\^\[|#033|\u241b)?\[[0-9]{1,3}(?:;[0-9]{1,3}){0,8}m|(?:\^\[|#033|\u241b)\[[0-9;]{0,24}[A-Za-z]/gi;

/** Base64 in both alphabets, long enough to hold a secret. */
const BASE64_RUN = /(?<![\w+/-])[\w+/-]{16,}/g;
/** Base64 of text has capitals, and small letters or digits; a name, a path or a hexadecimal number has no capitals. */
const isMixed = (run: string): boolean => /[A-Z]/.test(run) && /[a-z\d]/.test(run);
/** Text, with terminal codes and with the bytes of characters that nobody sees. */
const PRINTABLE = new RegExp(`(?:[\\x07-\\x0d\\x1b\\x20-\\x7e]|${INVISIBLE_BYTES}){8,}`, 'g');

const MAX_DECODINGS = 4;
const MAX_BASE64_DEPTH = 2;

/**
 * All readings of a text in which secrets are looked for: itself, its consecutive lines joined without what loggers put
 * before them, each with escapes decoded until nothing changes, without what separates the parts of words, and what base64
 * in any of them says.
 */
export function readingsOf(view: TextView): readonly TextView[] {
  const found = new Map<string, TextView>();
  const add = (reading: TextView): boolean => {
    const key = `${reading.joins === undefined ? 'd' : 'j'}${reading.seams === undefined ? '' : 's'}${reading.text}`;
    if (reading.text === '' || found.has(key)) return false;
    found.set(key, reading);
    return true;
  };
  const plain = decodings(view);
  const [first = [], ...others] = plain.map((reading) => joinLines(reading).map(decodings));
  const again = (first[0] ?? []).slice(1).flatMap(joinLines).flatMap(decodings);
  for (const reading of [...plain, ...first.flat(), ...others.flat(2), ...again]) add(reading);
  sewAll([...found.values()], add);
  addBase64([...found.values()], add, MAX_BASE64_DEPTH);
  return [...found.values()];
}

function sewAll(readings: readonly TextView[], add: (reading: TextView) => boolean): void {
  for (const reading of readings) {
    const sewn = sewWords(reading);
    if (sewn !== undefined) add(sewn);
  }
}

function addBase64(readings: readonly TextView[], add: (reading: TextView) => boolean, depth: number): void {
  if (depth === 0) return;
  const decoded = readings.flatMap((reading) => decodings(decodeBase64(reading))).filter(add);
  // What is packed together belongs together: its lines count as one wherever a secret stands in it.
  const joined = decoded.flatMap(joinLines).map(({ text, starts, ends }) => ({ text, starts, ends }));
  sewAll([...decoded, ...joined.filter(add)], add);
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

/**
 * What base64 runs of the view say, one readable piece after the other, with what no secret holds between them. Runs are
 * read at each of four beginnings, and what they say is a text of its own.
 */
function decodeBase64(view: TextView): TextView {
  const texts: string[] = [];
  const places: number[] = [];
  for (const run of view.text.matchAll(BASE64_RUN)) {
    const isRead = isMixed(run[0]) && isPutTogether(view, run.index, run.index + run[0].length);
    for (const shift of isRead ? [0, 1, 2, 3] : []) {
      const bytes = Buffer.from(run[0].slice(shift), 'base64').toString('latin1');
      for (const piece of bytes.matchAll(PRINTABLE)) {
        texts.push(piece[0]);
        places.push(run.index + shift, piece.index);
      }
    }
  }
  return toDecodedView(view, texts, places);
}

/** Of lines that are one and of words without separators, only the runs are read that no other reading has as a whole. */
const isPutTogether = ({ seams, joins, starts, ends }: TextView, from: number, to: number): boolean =>
  [seams, joins].every((gaps) => gaps === undefined || holdsPosition(gaps, starts[from] ?? 0, ends[to - 1] ?? 0));

/** Between two pieces. */
const BETWEEN = `${SENTINEL}\n`;

function toDecodedView(view: TextView, texts: readonly string[], places: readonly number[]): TextView {
  const text = texts.map((piece) => `${piece}${BETWEEN}`).join('');
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let at = 0;
  texts.forEach((piece, n) => {
    const run = places[2 * n] ?? 0;
    const first = places[2 * n + 1] ?? 0;
    for (let i = 0; i < piece.length + BETWEEN.length; i += 1, at += 1) {
      // Six bits a character: byte k lies in characters ⌊8k/6⌋ to ⌈8(k+1)/6⌉.
      const from = run + Math.floor((4 * (first + i)) / 3);
      const to = i >= piece.length ? from : run + Math.ceil((4 * (first + i + 1)) / 3);
      starts[at] = view.starts[from] ?? view.ends[from - 1] ?? 0;
      ends[at] = i >= piece.length ? (starts[at] ?? 0) : (view.ends[to - 1] ?? starts[at] ?? 0);
    }
  });
  return { text, starts, ends };
}
