import { BUILT_IN_PATTERNS } from './built-in.generated.ts';
import type { Channel } from './channel.ts';
import { DEFAULT_CHANNELS } from './channel.ts';
import type { Expression } from './expression.ts';
import { compileExpression } from './expression.ts';
import { LiteralScanner } from './literal-scanner.ts';
import type { BuiltPattern } from './pattern.ts';

/** One pattern that a text matches, with its identity fields. */
export interface PatternMatch {
  readonly pattern: BuiltPattern;
  readonly groups: Readonly<Record<string, string>>;
}

/** A set of patterns ready to run; expressions are compiled at their first use. */
export interface PatternRegistry {
  readonly patterns: readonly BuiltPattern[];
  /** Patterns of that channel that the text matches, in the order of the set. */
  match(text: string, channel: Channel): readonly PatternMatch[];
}

/** Texts up to this length are matched whole; of longer ones only what lies around the literals. */
const WHOLE = 4096;
const AROUND = 400;

/**
 * Characters after which expressions are compiled anew. An expression remembers the states that texts have led it through,
 * up to 8 MB each: over a long log, or a hostile one, that would be hundreds of megabytes.
 */
const FRESH_AFTER = 8_000_000;

/** The parts of a long text that a pattern has to see; overlapping ones are joined. */
function excerpts(text: string, ends: readonly number[]): readonly string[] {
  if (text.length <= WHOLE) return [text];
  const parts: { from: number; to: number }[] = [];
  for (const end of ends) {
    const from = Math.max(0, end - AROUND);
    const to = Math.min(text.length, end + AROUND);
    const last = parts.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else parts.push({ from, to });
  }
  return parts.map((part) => text.slice(part.from, part.to));
}

/** @throws InputError on first use of a pattern whose expression is not RE2 syntax. */
export function toRegistry(patterns: readonly BuiltPattern[]): PatternRegistry {
  const compiled = new Map<string, Expression>();
  let spent = 0;
  const expressionOf = (source: string): Expression => {
    const known = compiled.get(source);
    if (known !== undefined) return known;
    const fresh = compileExpression(source);
    compiled.set(source, fresh);
    return fresh;
  };
  let scanner: LiteralScanner | null = null;
  const always = patterns.flatMap((pattern, index) => (pattern.literals.includes('') ? [index] : []));
  const scan = (text: string) =>
    (scanner ??= new LiteralScanner(patterns.map(({ literals }) => literals.filter((literal) => literal !== '')))).scan(
      text,
    );

  const matchOne = (pattern: BuiltPattern, text: string): PatternMatch | null => {
    spent += text.length;
    if (spent > FRESH_AFTER) {
      compiled.clear();
      spent = 0;
    }
    if (pattern.unless !== undefined && expressionOf(pattern.unless).test(text)) return null;
    const groups = expressionOf(pattern.expression).match(text);
    return groups === null ? null : { pattern, groups };
  };

  return {
    patterns,
    match(text, channel) {
      if (text === '') return [];
      const hits = scan(text);
      const matches: PatternMatch[] = [];
      const due = hits.size === 0 ? always : [...new Set([...hits.keys(), ...always])].toSorted((a, b) => a - b);
      for (const index of due) {
        const pattern = patterns[index];
        if (pattern === undefined || !(pattern.channels ?? DEFAULT_CHANNELS).includes(channel)) continue;
        const found = excerpts(text, hits.get(index) ?? [0])
          .map((part) => matchOne(pattern, part))
          .find((match) => match !== null);
        if (found !== undefined && found !== null) matches.push(found);
      }
      return matches;
    },
  };
}

let builtIn: PatternRegistry | null = null;

/** The patterns that Healer brings along. */
export const builtInPatterns = (): PatternRegistry => (builtIn ??= toRegistry(BUILT_IN_PATTERNS));
