import { toOneLine } from '../redaction/plain-text.ts';

/** The longest text of a piece, in characters. */
export const MAX_PIECE_TEXT = 2000;

/** Room for a sentence that says how much was left out. */
const NOTE_ROOM = 48;

/** A name is also looked for by its beginning, since what is misspelt differs at its end. */
const SHORTEST_BEGINNING = 6;

/**
 * One line of at most `limit` characters. Of a longer text the beginning stays, then the part around the first of the
 * `focus` words (or around what begins like one), else its end; the cuts say how many characters are missing.
 */
export function toPieceText(text: string, limit: number, focus: readonly string[] = []): string {
  const line = toOneLine(text);
  if (line.length <= limit) return line;
  const room = limit - 2 * NOTE_ROOM;
  const head = Math.floor(room * 0.4);
  const at = findFocus(line, head, focus);
  const from = at === undefined ? line.length - (room - head) : Math.max(head, at - Math.floor(room * 0.2));
  const to = Math.min(line.length, from + room - head);
  return `${line.slice(0, head)}${leftOut(from - head)}${line.slice(from, to)}${leftOut(line.length - to)}`.toWellFormed();
}

const leftOut = (characters: number): string => (characters <= 0 ? '' : ` … ${characters} characters left out … `);

/** Where a focus word, or the longest beginning of one, stands behind the head. */
function findFocus(line: string, head: number, focus: readonly string[]): number | undefined {
  for (const word of focus) {
    for (let length = word.length; length >= SHORTEST_BEGINNING; length -= 1) {
      const at = line.indexOf(word.slice(0, length));
      if (at >= 0) return at < head ? undefined : at;
    }
  }
  return undefined;
}
