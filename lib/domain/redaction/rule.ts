/** Where a rule saw a secret in a view: `[start, end)`; `from` is where what makes it one (its key, its prefix) begins. */
export interface Sighting {
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** Knows one kind of secret. `find` is linear in the text and has no memory. */
export interface RedactionRule {
  /** Shown in the placeholder; `a-z`, digits and hyphens. */
  readonly kind: string;
  find(text: string): Iterable<Sighting> | Promise<Iterable<Sighting>>;
  /** Literals of which one must occur where the rule finds anything; absent: the rule is always asked. */
  readonly hints?: readonly string[];
  /**
   * What the value looks like: `token` has a shape of its own; `value` is known by its key alone, so a continuation on the
   * next line must look like a secret too; `lines` reads lines itself and is not asked about joined ones.
   */
  readonly shape: 'token' | 'value' | 'lines';
}

/** Stands for an earlier placeholder in a view. Plain text never holds it, and no rule takes it for part of a secret. */
export const SENTINEL = '\0';

/** A row of a token table: kind, literals of which one must occur, and the expression (its group `secret`, else all of it). */
export type TokenRow = readonly [kind: string, hints: readonly string[], source: string];

/** Rule for a token that is known by its shape. The expression's quantifiers are bounded or anchored at the run's start. */
export function toTokenRule([kind, hints, source]: TokenRow): RedactionRule {
  const pattern = new RegExp(source, 'dg');
  return { kind, hints, shape: 'token', find: (text) => sightingsOf(text, pattern) };
}

function* sightingsOf(text: string, pattern: RegExp): Generator<Sighting> {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    if (new Set(text.slice(start, end).slice(-16)).size > 3) yield { from: match.index, start, end };
  }
}
