import type { FieldFault } from '../../errors.ts';
import { InputError } from '../../errors.ts';
import { compileExpression } from './expression.ts';
import type { Pattern } from './pattern.ts';
import { patternFileSchema, patternSchema } from './pattern.ts';

const nameOf = (value: Readonly<Record<string, unknown>>, index: number): string =>
  typeof value['id'] === 'string' ? value['id'] : `patterns[${index}]`;

function faultsOf(
  error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] },
  prefix: string,
): FieldFault[] {
  return error.issues.map((issue) => ({ path: [prefix, ...issue.path].map(String).join('.'), message: issue.message }));
}

function expressionFault(source: string | undefined, path: string): FieldFault[] {
  if (source === undefined) return [];
  try {
    compileExpression(source);
    return [];
  } catch (error) {
    return [{ path, message: error instanceof Error ? error.message : String(error) }];
  }
}

/**
 * Patterns of one file, already parsed from YAML. Built-in and users' files have the same shape.
 * @throws InputError that names file, pattern and field of every fault.
 */
export function parsePatterns(file: string, content: unknown): readonly Pattern[] {
  const outer = patternFileSchema.safeParse(content);
  if (!outer.success) throw new InputError(`${file} is not a pattern file`, faultsOf(outer.error, file));
  const faults: FieldFault[] = [];
  const patterns: Pattern[] = [];
  outer.data.patterns.forEach((raw, index) => {
    const prefix = `${file}: ${nameOf(raw, index)}`;
    const parsed = patternSchema.safeParse({ ...outer.data.defaults, ...raw });
    if (!parsed.success) {
      faults.push(...faultsOf(parsed.error, prefix));
      return;
    }
    const { expression, unless } = parsed.data;
    faults.push(...expressionFault(expression, `${prefix}.expression`), ...expressionFault(unless, `${prefix}.unless`));
    patterns.push(parsed.data);
  });
  if (faults.length > 0) {
    const text = faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ');
    throw new InputError(`patterns are not usable: ${text}`, faults);
  }
  return patterns;
}
