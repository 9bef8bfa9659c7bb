import type { Sighting } from './rule.ts';
import { holdsPosition, type TextView } from './text-view.ts';

/** Part of the plain text that is to be replaced; holds no newline. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * The parts of the plain text that a sighting stands for, line by line, without blanks around. One after the other, since a
 * reading of joined lines is followed only as far as it goes on.
 */
export function* toCuts(plain: string, reading: TextView, { start, end }: Sighting, kind: string): Generator<Cut> {
  if (/^[\s\0]*$/.test(reading.text.slice(start, end))) return;
  let from = -1;
  let to = -1;
  for (let i = start; i < end; i += 1) {
    const at = reading.starts[i] ?? 0;
    if (from < 0 || (at > to && isLineEnd(plain, reading, to, at))) {
      if (from >= 0) yield* splitLines(plain, from, to, kind);
      from = at;
      to = at;
    }
    to = Math.max(to, reading.ends[i] ?? 0);
  }
  if (from >= 0) yield* splitLines(plain, from, to, kind);
}

const isLineEnd = (plain: string, { joins = [] }: TextView, from: number, to: number): boolean =>
  plain.slice(from, to).includes('\n') || holdsPosition(joins, from, to);

function* splitLines(plain: string, from: number, to: number, kind: string): Generator<Cut> {
  let at = from;
  for (const part of plain.slice(from, to).split('\n')) {
    const start = at + part.length - part.trimStart().length;
    const end = at + part.trimEnd().length;
    if (end > start) yield { start, end, kind };
    at += part.length + 1;
  }
}

/** Whether a sighting goes over a place where a separator was taken out; readings without such places ask for none. */
export const isAcrossSeam = ({ seams, starts, ends }: TextView, { from, end }: Sighting): boolean =>
  seams === undefined || holdsPosition(seams, starts[from] ?? 0, ends[end - 1] ?? 0);

/** Sorted and disjoint; the earlier and longer cut gives the kind. */
export function mergeCuts(cuts: readonly Cut[]): readonly Cut[] {
  const merged: Cut[] = [];
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || cut.start >= last.end) merged.push(cut);
    else if (cut.end > last.end) merged[merged.length - 1] = { ...last, end: cut.end };
  }
  return merged;
}
