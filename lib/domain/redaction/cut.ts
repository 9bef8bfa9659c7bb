import type { RedactionRule, Sighting } from './rule.ts';
import { isContinuation, isStandIn } from './secret-value.ts';
import type { TextView } from './text-view.ts';

/** Part of the plain text that is to be replaced; holds no newline. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** The parts of the plain text that a sighting stands for, line by line, without blanks around. */
export function toCuts(plain: string, reading: TextView, { start, end }: Sighting, kind: string): readonly Cut[] {
  if (/^[\s\0]*$/.test(reading.text.slice(start, end))) return [];
  const cuts: Cut[] = [];
  let from = -1;
  let to = -1;
  const close = (): void => {
    if (from >= 0) cuts.push(...splitLines(plain, from, to, kind));
  };
  for (let i = start; i < end; i += 1) {
    const at = reading.starts[i] ?? 0;
    if (from < 0 || (at > to && plain.slice(to, at).includes('\n'))) {
      close();
      from = at;
      to = at;
    }
    to = Math.max(to, reading.ends[i] ?? 0);
  }
  close();
  return cuts;
}

function splitLines(plain: string, from: number, to: number, kind: string): readonly Cut[] {
  const cuts: Cut[] = [];
  let at = from;
  for (const part of plain.slice(from, to).split('\n')) {
    const start = at + part.length - part.trimStart().length;
    const end = at + part.trimEnd().length;
    if (end > start) cuts.push({ start, end, kind });
    at += part.length + 1;
  }
  return cuts;
}

/**
 * Of joined lines only what crosses a line end counts. Where the first line alone shows the secret, or only its key makes it
 * one, later lines are taken only if they look like the rest of a secret.
 */
export function toCrossingCuts(
  plain: string,
  reading: TextView,
  seen: Sighting,
  rule: RedactionRule,
  beginnings: ReadonlySet<number>,
): readonly Cut[] {
  const first = reading.starts[seen.from] ?? 0;
  const last = reading.ends[seen.end - 1] ?? 0;
  if (!plain.slice(first, last).includes('\n')) return [];
  const [head, ...tail] = toCuts(plain, reading, seen, rule.kind);
  if (head === undefined || isPort(plain, head)) return [];
  if (rule.shape === 'token' && !beginnings.has(head.start)) return [head, ...tail];
  const saysMore = (cut: Cut): boolean => isContinuation(plain.slice(cut.start, cut.end));
  if (plain.slice(first, head.start).includes('\n')) return isWholeLine(plain, head) && saysMore(head) ? [head] : [];
  if (isStandIn(plain.slice(head.start, head.end)) || !tail.slice(0, 1).some(saysMore)) return [];
  const stop = tail.findIndex((cut) => !saysMore(cut));
  return [head, ...tail.slice(0, stop < 0 ? undefined : stop)];
}

/** A line that ends in a port, before one that begins with a mail or git address, looks like credentials when joined. */
const isPort = (plain: string, { start, end }: Cut): boolean => /^\d{1,5}$/.test(plain.slice(start, end));

/** Whether nothing but the cut's own quotes follows on its line. */
const isWholeLine = (plain: string, cut: Cut): boolean =>
  /^["'`,;]{0,3}\s*(?:\n|$)/.test(plain.slice(cut.end, cut.end + 64));

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
