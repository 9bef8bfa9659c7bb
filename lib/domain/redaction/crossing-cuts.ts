import { URL_RULE } from './credential-rules.ts';
import { type Cut, toCuts } from './cut.ts';
import type { RedactionRule, Sighting } from './rule.ts';
import { continuationOf, isOfOneAlphabet, isStandIn, mayContinue } from './secret-value.ts';
import { holdsPosition, type TextView } from './text-view.ts';

/** Joined lines as a rule sees them, and what the lines show one by one. */
export interface Crossing {
  readonly plain: string;
  readonly reading: TextView;
  readonly rule: RedactionRule;
  /** Where secrets begin that a line shows alone. */
  readonly beginnings: ReadonlySet<number>;
}

/**
 * Of joined lines only what crosses a line end counts. A value runs on over all that is joined to it, other values with their
 * keys among it: these are looked at as well, one for each line that they begin in.
 * @param found sorted by their beginning
 */
export function toCrossingCuts(of: Crossing, found: readonly Sighting[]): readonly (readonly Cut[])[] {
  const taken: (readonly Cut[])[] = [];
  let covered = 0;
  let lineBefore = -1;
  let takenUntil = 0;
  for (const seen of found) {
    const at = of.reading.starts[seen.start] ?? 0;
    const isInside = seen.end <= covered && lineBefore >= 0 && !holdsPosition(joinsOf(of), lineBefore, at);
    covered = Math.max(covered, seen.end);
    if (isInside || at < takenUntil) continue;
    lineBefore = at;
    const cuts = crossingCuts(of, seen);
    takenUntil = Math.max(takenUntil, cuts.at(-1)?.end ?? 0);
    if (cuts.length > 0) taken.push(cuts);
  }
  return taken;
}

const joinsOf = ({ reading }: Crossing): readonly number[] => reading.joins ?? [];

/**
 * Where the first line alone shows the secret, or only its key makes it one, later lines are taken only if they look like
 * the rest of a secret, and only as far as they do.
 */
function crossingCuts(of: Crossing, seen: Sighting): readonly Cut[] {
  const { plain, reading, rule, beginnings } = of;
  const first = reading.starts[seen.from] ?? 0;
  const last = reading.ends[seen.end - 1] ?? 0;
  if (!holdsPosition(joinsOf(of), first, last)) return [];
  const cuts = toCuts(plain, reading, seen, rule.kind);
  const { value: head } = cuts.next();
  if (head === undefined) return [];
  if (rule.shape === 'token' && !beginnings.has(head.start)) return isPort(rule, plain, head) ? [] : [head, ...cuts];
  const isKeyBefore = holdsPosition(joinsOf(of), first, head.start);
  if (isKeyBefore && !isKeyBroken(of, seen)) return isWholeLine(plain, head) ? [head] : [];
  if (isMask(plain.slice(head.start, head.end))) return [];
  const tail = continuationsOf(of, head, cuts);
  return tail.length === 0 && !isKeyBefore ? [] : [head, ...tail];
}

/** Whether the line end is inside the key, so that what separates it from its value stands on the value's line. */
function isKeyBroken(of: Crossing, { from, start }: Sighting): boolean {
  const { starts, text } = of.reading;
  let at = start;
  while (at > from && !holdsPosition(joinsOf(of), starts[at - 1] ?? 0, starts[at] ?? 0)) at -= 1;
  return /[\w"'\]] {0,8}[:=]|\w[\w.-]* /.test(text.slice(at, start));
}

/** So many short lines one after the other are no secret but a list. */
const MAX_SHORT = 8;

/** The lines that go on with a secret. */
function continuationsOf({ plain, rule }: Crossing, head: Cut, cuts: Iterable<Cut>): readonly Cut[] {
  const taken: Cut[] = [];
  let short: Cut[] = [];
  for (const cut of cuts) {
    const text = plain.slice(cut.start, cut.end);
    const word = text.slice(0, continuationOf(text));
    const isRest = rule.shape === 'token' || isOfOneAlphabet(plain.slice(head.start, head.end), word);
    const length = isRest && !goesOn(plain, cut.start + word.length) ? word.length : 0;
    if (length > 0) taken.push(...short, { ...cut, end: cut.start + length });
    short = length > 0 ? [] : [...short, cut];
    if (short.length > MAX_SHORT || (length < text.length && !mayContinue(text))) break;
  }
  return taken;
}

/** Whether a word is the beginning of a longer one, which is a file, an address or a number with its unit. */
const goesOn = (plain: string, at: number): boolean => /^[.:]\w/.test(plain.slice(at, at + 2));

/** One or two letters are the beginning of anything. */
const isMask = (head: string): boolean => head.length > 2 && isStandIn(head);

/** A line that ends in a port, before one that begins with a mail or git address, looks like credentials when joined. */
const isPort = (rule: RedactionRule, plain: string, { start, end }: Cut): boolean =>
  rule === URL_RULE && /^\d{1,5}$/.test(plain.slice(start, end));

/** Whether a line consists of what could be the rest of a secret, and of the quotes around it. */
const isWholeLine = (plain: string, { start, end }: Cut): boolean =>
  continuationOf(plain.slice(start, end)) === end - start &&
  /^["'`,;]{0,3}\s*(?:\n|\\{1,4}[nr]|$)/.test(plain.slice(end, end + 64));
