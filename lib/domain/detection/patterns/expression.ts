import { RE2JS } from 're2js';
import { InputError } from '../../errors.ts';

/** An expression in RE2 syntax, run in linear time whatever the text. */
export interface Expression {
  /** Named groups of the first match, empty when there are none; null when nothing matches. */
  match(text: string): Readonly<Record<string, string>> | null;
  test(text: string): boolean;
}

const FLAGS = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;
const LOOK_AROUND = /\(\?(?:<?[=!])/;
const BACK_REFERENCE = /\\(?:[1-9]|k<)/;

/**
 * Compiles an expression without regard to case, with `^` and `$` at line ends.
 * @throws InputError when it is not RE2 syntax; look-around and back-references are named as such.
 */
export function compileExpression(source: string): Expression {
  if (LOOK_AROUND.test(source)) {
    throw new InputError('look-around is not part of RE2 syntax; use `unless` for what must not stand in the line');
  }
  if (BACK_REFERENCE.test(source))
    throw new InputError('back-references are not part of RE2 syntax; write the text out');
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source, FLAGS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`the expression is not RE2 syntax: ${reason}`);
  }
  const names = Object.keys(compiled.namedGroups());
  return {
    test: (text) => compiled.test(text),
    match(text) {
      if (!compiled.test(text)) return null;
      if (names.length === 0) return {};
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return null;
      const groups = names.map((name) => [name, matcher.group(name) ?? ''] as const);
      return Object.fromEntries(groups.filter(([, value]) => value !== ''));
    },
  };
}
