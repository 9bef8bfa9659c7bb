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
  const expressionOf = (source: string): Expression => {
    const known = compiled.get(source);
    if (known !== undefined) return known;
    const fresh = compileExpression(source);
    compiled.set(source, fresh);
    return fresh;
  };
  let scanner: LiteralScanner | null = null;
  const always = patterns.map((pattern) => pattern.literals.includes(''));
  const scan = (text: string) =>
    (scanner ??= new LiteralScanner(patterns.map(({ literals }) => literals.filter((literal) => literal !== '')))).scan(
      text,
    );

  const matchOne = (pattern: BuiltPattern, text: string): PatternMatch | null => {
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
      patterns.forEach((pattern, index) => {
        const ends = hits.get(index) ?? (always[index] === true ? [0] : undefined);
        if (ends === undefined || !(pattern.channels ?? DEFAULT_CHANNELS).includes(channel)) return;
        const found = excerpts(text, ends)
          .map((part) => matchOne(pattern, part))
          .find((match) => match !== null);
        if (found !== undefined && found !== null) matches.push(found);
      });
      return matches;
    },
  };
}

let builtIn: PatternRegistry | null = null;

/** The patterns that Healer brings along. */
export const builtInPatterns = (): PatternRegistry => (builtIn ??= toRegistry(BUILT_IN_PATTERNS));
