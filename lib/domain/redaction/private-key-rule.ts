import { contentOf } from './line-content.ts';
import type { RedactionRule, Sighting } from './rule.ts';

const BEGIN = /-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:|Private-Lines: \d{1,4}/;
const END = /-----END[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]{20,64}/;
const HEADER =
  /^(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Key-Derivation|Argon2-\w+):?/;
const BASE64_RUN = /[A-Za-z0-9+/]{16,}={0,2}/g;

/** Lines without key material that a block may hold before it counts as ended (other writers' lines between). */
const MAX_STRANGERS = 12;
/** A 16,384 bit RSA key has about 200 lines. */
const MAX_LINES = 400;

/**
 * Private keys in PEM, OpenSSH, PGP and PuTTY form, whole or cut, also spread over log lines with a time before each. Of a
 * line without markers only the key material is taken.
 */
export const PRIVATE_KEY_RULE: RedactionRule = {
  kind: 'private-key',
  shape: 'lines',
  hints: ['PRIVATE KEY', 'PuTTY-User', 'Private-'],
  find: keyLines,
};

interface Line {
  readonly at: number;
  readonly text: string;
}

function keyLines(text: string): readonly Sighting[] {
  const lines = toLines(text);
  const found: Sighting[] = [];
  const covered = new Uint8Array(lines.length);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    if (line === undefined || covered[i] === 1) continue;
    if (BEGIN.test(line.text)) walk(lines, i, 1, covered, found);
    else if (END.test(line.text)) walk(lines, i, -1, covered, found);
  }
  return found;
}

/** Goes on from a marker, forwards or (when the beginning was cut off) backwards, and takes the key's lines. */
function walk(lines: readonly Line[], from: number, step: 1 | -1, covered: Uint8Array, found: Sighting[]): void {
  const stop = step === 1 ? END : BEGIN;
  let strangers = 0;
  for (let i = from, n = 0; n < MAX_LINES && strangers <= MAX_STRANGERS; i += step, n += 1) {
    const line = lines[i];
    if (line === undefined || covered[i] === 1) return;
    const part = i === from ? markedPart(line.text) : keyPart(line.text);
    strangers = part === undefined ? strangers + 1 : 0;
    if (part !== undefined) {
      covered[i] = 1;
      found.push({ from: line.at + part[0], start: line.at + part[0], end: line.at + part[1] });
    }
    if (stop.test(line.text)) return;
  }
}

/** From the marker (or the line's beginning, when only the end shows) to the end marker or the line's end. */
function markedPart(text: string): readonly [number, number] {
  const begin = BEGIN.exec(text);
  const end = END.exec(text);
  const [contentStart, contentEnd] = contentOf(text);
  const start = begin?.index ?? contentStart;
  return [start, end !== null && end.index >= start ? end.index + end[0].length : Math.max(contentEnd, start)];
}

function keyPart(text: string): readonly [number, number] | undefined {
  if (END.test(text) || BEGIN.test(text)) return markedPart(text);
  const [start, end] = contentOf(text);
  const content = text.slice(start, end);
  if (content !== '' && (HEADER.test(content) || /^[A-Za-z0-9+/]{2,}={0,2}\\?$/.test(content))) return [start, end];
  const runs = [...text.matchAll(BASE64_RUN)].sort((a, b) => b[0].length - a[0].length);
  const run = runs[0];
  return run === undefined ? undefined : [run.index, run.index + run[0].length];
}

function toLines(text: string): readonly Line[] {
  let at = 0;
  return text.split('\n').map((line) => {
    const here = { at, text: line };
    at += line.length + 1;
    return here;
  });
}
