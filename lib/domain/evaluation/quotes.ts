import type { EvidencePiece } from '../evidence/evidence-pack.ts';

/** Words that a sentence puts in backticks or double quotes: it says that they stand in what it cites. */
export function quotedWords(sentence: string): readonly string[] {
  const inTicks = [...sentence.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
  const rest = sentence.replaceAll(/`[^`]+`/g, ' ');
  const inQuotes = [...rest.matchAll(/["“”]([^"“”]+)["“”]/g)].map(([, word]) => word ?? '');
  return [...inTicks, ...inQuotes].map((word) => word.trim()).filter((word) => word !== '');
}

/** Whether the piece holds the word, in its text or in what is known about it (agent, pod, time). */
export function says(piece: EvidencePiece, word: string): boolean {
  const wanted = toComparable(word);
  return wanted !== '' && comparableOf(piece).includes(wanted);
}

/** Pieces do not change, and one of 64 KB is asked for many words. */
const COMPARABLE = new WeakMap<EvidencePiece, string>();

/** All that the piece says, as it stands and with JSON's escapes undone. */
function comparableOf(piece: EvidencePiece): string {
  const known = COMPARABLE.get(piece);
  if (known !== undefined) return known;
  const text = [piece.text, piece.agent ?? '', piece.pod ?? '', piece.at ?? ''].join('\n');
  const comparable = `${toComparable(text)}\n${toComparable(unescapeJson(text))}`;
  COMPARABLE.set(piece, comparable);
  return comparable;
}

/** Quotation marks of all kinds are one, and so are all runs of white space. */
const toComparable = (text: string): string =>
  text
    .replaceAll(/[`"“”‘’']/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A line that is JSON holds its own quotation marks and line ends escaped; people quote it without. */
const unescapeJson = (text: string): string => text.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\\(["'\\/`])/g, '$1');
