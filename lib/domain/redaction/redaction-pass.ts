import { GuardError } from '../errors.ts';
import { NOT_PLAIN, plainReplacement } from './plain-text.ts';
import { readingsOf } from './readings.ts';
import { type RedactionRule, SENTINEL, type Sighting } from './rule.ts';
import { isContinuation, isStandIn } from './secret-value.ts';
import { type Edit, editView, invertView, replaceAll, type TextView, toNarrow, toView } from './text-view.ts';

/** Part of the plain text that is to be replaced; holds no newline. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A placeholder of an earlier pass; it is never read again. */
const PLACEHOLDER = /\[redacted:([a-z0-9-]{1,40})\]/g;

/**
 * One reading of consecutive lines: plain text, all readings of it, all rules on each, replacement.
 * @throws GuardError when a rule throws or answers with a range outside the text.
 */
export async function redactOnce(
  lines: readonly string[],
  rules: readonly RedactionRule[],
): Promise<readonly string[]> {
  const raw = lines.join('\n');
  const text = raw.replace(NOT_PLAIN, plainReplacement);
  const base = hidePlaceholders(toView(text), rules);
  const inverse = text === raw ? undefined : toInverse(raw);
  const readings = [...readingsOf(base), ...(inverse === undefined ? [] : [hidePlaceholders(inverse, rules)])];
  const cuts = await findCuts(text, readings, rules);
  return applyCuts(text, toBounds(lines, text, inverse), merge(cuts));
}

/** The text before ANSI codes were taken out, so that a code cannot swallow the beginning of a secret. */
function toInverse(raw: string): TextView {
  const plain = editView(toView(raw), replaceAll(raw, NOT_PLAIN, plainReplacement));
  return { ...invertView(plain, raw), text: toNarrow(raw).replaceAll(SENTINEL, ' ') };
}

/** Reads each placeholder of an earlier pass as one character that no rule takes. */
function hidePlaceholders(view: TextView, rules: readonly RedactionRule[]): TextView {
  const kinds = new Set(['line', ...rules.map(({ kind }) => kind)]);
  return editView(view, placeholders(view.text, kinds));
}

function* placeholders(text: string, kinds: ReadonlySet<string>): Generator<Edit> {
  for (const { 0: match, 1: kind = '', index } of text.matchAll(PLACEHOLDER)) {
    if (kinds.has(kind)) yield { start: index, end: index + match.length, text: SENTINEL };
  }
}

async function findCuts(
  plain: string,
  readings: readonly TextView[],
  rules: readonly RedactionRule[],
): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  for (const reading of readings.filter((view) => !view.isJoined)) {
    for (const rule of rules) {
      for (const sighting of await ask(rule, reading.text)) cuts.push(...toCuts(plain, reading, sighting, rule.kind));
    }
  }
  const beginnings = new Set(cuts.map((cut) => cut.start));
  for (const reading of readings.filter((view) => view.isJoined)) {
    for (const rule of rules.filter(({ shape }) => shape !== 'lines')) {
      for (const sighting of await ask(rule, reading.text))
        cuts.push(...toCrossingCuts(plain, reading, sighting, rule, beginnings));
    }
  }
  return cuts;
}

/** Asks a rule and checks its answer. The cause is not kept: its message may hold the text. */
async function ask(rule: RedactionRule, text: string): Promise<readonly Sighting[]> {
  let found: readonly Sighting[];
  try {
    found = [...(await rule.find(text))];
  } catch (error) {
    throw new GuardError(
      'redaction',
      `rule ${rule.kind} failed (${error instanceof Error ? error.name : typeof error})`,
    );
  }
  if (found.every(({ from, start, end }) => from >= 0 && start >= 0 && start <= end && end <= text.length))
    return found;
  throw new GuardError('redaction', `rule ${rule.kind} answered with a range outside the text`);
}

/** The parts of the plain text that a sighting stands for, line by line, without blanks around. */
function toCuts(plain: string, reading: TextView, { start, end }: Sighting, kind: string): readonly Cut[] {
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
function toCrossingCuts(
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
  if (head === undefined) return [];
  if (rule.shape === 'token' && !beginnings.has(head.start)) return [head, ...tail];
  const saysMore = (cut: Cut): boolean => isContinuation(plain.slice(cut.start, cut.end));
  if (plain.slice(first, head.start).includes('\n')) return isWholeLine(plain, head) && saysMore(head) ? [head] : [];
  if (isStandIn(plain.slice(head.start, head.end)) || !tail.slice(0, 1).some(saysMore)) return [];
  const stop = tail.findIndex((cut) => !saysMore(cut));
  return [head, ...tail.slice(0, stop < 0 ? undefined : stop)];
}

/** Whether nothing but the cut's own quotes follows on its line. */
const isWholeLine = (plain: string, cut: Cut): boolean =>
  /^["'`,;]{0,3}\s*(?:\n|$)/.test(plain.slice(cut.end, cut.end + 64));

/** Sorted and disjoint; the earlier and longer cut gives the kind. */
function merge(cuts: readonly Cut[]): readonly Cut[] {
  const merged: Cut[] = [];
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || cut.start >= last.end) merged.push(cut);
    else if (cut.end > last.end) merged[merged.length - 1] = { ...last, end: cut.end };
  }
  return merged;
}

/** Where each line of the input stands in the plain text. */
function toBounds(
  lines: readonly string[],
  text: string,
  inverse: TextView | undefined,
): readonly (readonly [number, number])[] {
  let at = 0;
  const starts = lines.map((line) => {
    const here = inverse === undefined ? at : (inverse.starts[at] ?? text.length);
    at += line.length + 1;
    return here;
  });
  return starts.map((start, i) => [start, i + 1 < starts.length ? (starts[i + 1] ?? 0) - 1 : text.length]);
}

function applyCuts(
  plain: string,
  bounds: readonly (readonly [number, number])[],
  cuts: readonly Cut[],
): readonly string[] {
  let next = 0;
  return bounds.map(([start, end]) => {
    let line = '';
    let at = start;
    for (let cut = cuts[next]; cut !== undefined && cut.start < end; next += 1, cut = cuts[next]) {
      line += `${plain.slice(at, cut.start)}[redacted:${cut.kind}]`;
      at = cut.end;
    }
    return line + plain.slice(at, end);
  });
}
