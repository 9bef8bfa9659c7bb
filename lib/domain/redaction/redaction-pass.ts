import { GuardError } from '../errors.ts';
import { toCrossingCuts } from './crossing-cuts.ts';
import { type Cut, isAcrossSeam, mergeCuts, toCuts } from './cut.ts';
import { toHintFilter } from './hint-filter.ts';
import { NOT_PLAIN, plainReplacement } from './plain-text.ts';
import { readingsOf } from './readings.ts';
import { type RedactionRule, SENTINEL, type Sighting } from './rule.ts';
import { type Edit, editView, invertView, replaceAll, type TextView, toNarrow, toView } from './text-view.ts';

/** A placeholder of an earlier pass; it is never read again. */
const PLACEHOLDER = /\[redacted:([a-z0-9-]{1,40})\]/g;

/**
 * One reading of consecutive lines: plain text, all readings of it, all rules on each, replacement.
 * @param note told of each value that is taken out
 * @throws GuardError when a rule throws or answers with a range outside the text.
 */
export async function redactOnce(
  lines: readonly string[],
  rules: readonly RedactionRule[],
  note: (value: string) => void,
): Promise<readonly string[]> {
  const raw = lines.join('\n');
  const text = raw.replace(NOT_PLAIN, plainReplacement);
  const base = hidePlaceholders(toView(text), rules);
  const inverse = text === raw ? undefined : toInverse(raw);
  const readings = [...readingsOf(base), ...(inverse === undefined ? [] : [hidePlaceholders(inverse, rules)])];
  const cuts = await findCuts(text, readings, rules, note);
  return applyCuts(text, toBounds(lines, text, inverse), mergeCuts(cuts));
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
  note: (value: string) => void,
): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  for await (const { reading, rule, found } of sightings(readings, rules, false)) {
    for (const seen of outermost(found)) {
      cuts.push(...toCuts(plain, reading, seen, rule.kind));
      note(reading.text.slice(seen.start, seen.end));
    }
  }
  const beginnings = new Set(cuts.map((cut) => cut.start));
  for await (const { reading, rule, found } of sightings(readings, rules, true)) {
    for (const crossing of toCrossingCuts({ plain, reading, rule, beginnings }, found)) {
      cuts.push(...crossing);
      note(crossing.map(({ start, end }) => plain.slice(start, end)).join(''));
    }
  }
  return cuts;
}

/** What each rule sees in the readings of joined lines, or in the others; sorted, the longest of one beginning first. */
async function* sightings(readings: readonly TextView[], rules: readonly RedactionRule[], isJoined: boolean) {
  for (const reading of readings.filter((one) => (one.joins !== undefined) === isJoined)) {
    for (const rule of rulesFor(reading, rules)) {
      const found = (await ask(rule, reading.text)).filter((seen) => isAcrossSeam(reading, seen));
      if (found.length > 0) yield { reading, rule, found };
    }
  }
}

/** The rules that can find anything in a reading. */
function rulesFor(reading: TextView, rules: readonly RedactionRule[]): readonly RedactionRule[] {
  const mayHold = toHintFilter(reading.text);
  return rules.filter(
    ({ hints, shape }) =>
      !(reading.joins !== undefined && shape === 'lines') && (hints === undefined || hints.some(mayHold)),
  );
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
  if (!found.every(({ from, start, end }) => from >= 0 && start >= 0 && start <= end && end <= text.length)) {
    throw new GuardError('redaction', `rule ${rule.kind} answered with a range outside the text`);
  }
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Without sightings inside earlier ones (`password=password=…`), whose mapping would take quadratic time. */
function outermost(found: readonly Sighting[]): readonly Sighting[] {
  let covered = 0;
  return found.filter(({ end }) => {
    const isOuter = end > covered;
    covered = Math.max(covered, end);
    return isOuter;
  });
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
