/**
 * A reading of a text (decoded, joined, …) that knows for each of its characters (UTF-16 units) which part of the text it
 * comes from: `[starts[i], ends[i])`. Both grow monotonically.
 */
export interface TextView {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /**
   * Positions of the plain text where a line end (or what was written for one) was taken out, ascending: only what goes over
   * one is of interest then. Absent where lines are as they are.
   */
  readonly joins?: readonly number[];
  /** The same for separators that were taken out of words. */
  readonly seams?: readonly number[];
}

/** Whether a sorted list holds a position in `[from, to)`. */
export function holdsPosition(sorted: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] ?? 0) < to;
}

/** Replaces `[start, end)` of a view by `text`, which is never longer. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text itself as a view. Characters beyond Latin-1, which no secret is made of, read as {@link OTHER}: V8 scans text of
 * one byte a character several times faster.
 */
export function toView(text: string): TextView {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { text: toNarrow(text), starts, ends };
}

/** Stands for a character beyond Latin-1. */
export const OTHER = '\u00bf';

/** The same number of UTF-16 units, each of one byte. */
export const toNarrow = (text: string): string =>
  Buffer.from(text.replace(/[^\0-\xff]/g, OTHER), 'latin1').toString('latin1');

/** Applies edits, which come in order and do not overlap. Each replaced character stands for the whole edited part. */
export function editView(view: TextView, edits: Iterable<Edit>): TextView {
  const starts = new Int32Array(view.text.length);
  const ends = new Int32Array(view.text.length);
  const parts: string[] = [];
  let read = 0;
  let written = 0;
  const keepUntil = (end: number): void => {
    parts.push(view.text.slice(read, end));
    starts.set(view.starts.subarray(read, end), written);
    ends.set(view.ends.subarray(read, end), written);
    written += end - read;
    read = end;
  };
  for (const edit of edits) {
    keepUntil(edit.start);
    parts.push(edit.text);
    starts.fill(view.starts[edit.start] ?? 0, written, written + edit.text.length);
    ends.fill(view.ends[edit.end - 1] ?? 0, written, written + edit.text.length);
    written += edit.text.length;
    read = edit.end;
  }
  if (read === 0 && written === 0) return view;
  keepUntil(view.text.length);
  return { ...view, text: parts.join(''), starts: starts.slice(0, written), ends: ends.slice(0, written) };
}

/** Edits that replace each match of a global expression. */
export function* replaceAll(text: string, pattern: RegExp, replace: (match: string) => string): Generator<Edit> {
  for (const match of text.matchAll(pattern)) {
    yield { start: match.index, end: match.index + match[0].length, text: replace(match[0]) };
  }
}

/**
 * Turns a view of an original text into one whose text is the original and whose positions are the view's: characters that
 * the view dropped stand for the empty range at the next one.
 */
export function invertView(view: TextView, original: string): TextView {
  const starts = new Int32Array(original.length).fill(view.text.length);
  const ends = new Int32Array(original.length).fill(view.text.length);
  let from = 0;
  for (let i = 0; i < view.text.length; i += 1) {
    const start = view.starts[i] ?? 0;
    const end = view.ends[i] ?? 0;
    starts.fill(i, from, end);
    ends.fill(i, from, start).fill(i + 1, start, end);
    from = end;
  }
  return { ...view, text: original, starts, ends };
}
