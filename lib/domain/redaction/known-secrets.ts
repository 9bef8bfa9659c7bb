import { GuardError } from '../errors.ts';
import type { RedactionRule, Sighting } from './rule.ts';
import { toNarrow } from './text-view.ts';

/** A shorter value cannot be told from ordinary text. */
const SHORTEST = 4;
/** Shorter lines of a value of several lines (the markers' remains of a key) are not looked for on their own. */
const SHORTEST_LINE = 12;

/**
 * Finds secrets that Healer itself holds, by exact match in their usual encodings: as they are, JSON, URL, base64 at each
 * of the three alignments, hexadecimal. A value of several lines (a private key) is also looked for line by line.
 * @throws GuardError when a value is too short to be told from ordinary text.
 */
export function toKnownRule(known: readonly string[]): RedactionRule {
  const needles = [...new Set(known.filter((value) => value.trim() !== '').flatMap(toNeedles))];
  return { kind: 'known', shape: 'token', find: (text) => occurrences(text, needles) };
}

function toNeedles(secret: string): readonly string[] {
  const value = secret.trim();
  if (value.length < SHORTEST) {
    throw new GuardError(
      'redaction',
      `a known secret has ${value.length} characters; at least ${SHORTEST} tell it from text`,
    );
  }
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const parts =
    lines.length === 1 ? [] : lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'));
  return [value, ...parts].flatMap(encodings);
}

function encodings(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(value.toWellFormed());
  return [
    value,
    value.replaceAll('\n', ''),
    JSON.stringify(value).slice(1, -1),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ value }).toString().slice('value='.length),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => toBase64Cores(bytes, shift)),
  ]
    .map(toNarrow)
    .filter((needle) => needle.length >= SHORTEST);
}

/** The part of a base64 text that depends on the value alone when `shift` bytes stand before it. */
function toBase64Cores(bytes: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const from = shift === 0 ? 0 : shift + 1;
  const tail = [0, 2, 3][(shift + bytes.length) % 3] ?? 0;
  const core = text.replace(/=+$/, '').slice(from, tail === 0 ? undefined : -1);
  return core.length < 2 * SHORTEST ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
}

function* occurrences(text: string, needles: readonly string[]): Generator<Sighting> {
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      yield { from: at, start: at, end: at + needle.length };
    }
  }
}
