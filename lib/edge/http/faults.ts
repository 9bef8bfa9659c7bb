import type * as z from 'zod';
import type { FieldFault } from '#lib/domain/errors.ts';
import { isSpeakable } from '#lib/domain/spoken-name.ts';
import { NAME_ALPHABET } from './limits.ts';

/** An answer names at most this many faults. */
const MAX_FAULTS = 20;

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);

/** Says what would be right where a schema has no sentence of its own. Values are never repeated. */
export const sayFault: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_key') return `is no name: at most 128 characters, ${NAME_ALPHABET}`;
  if (issue.code !== 'invalid_type') return undefined;
  const expected = ARTICLES[issue.expected] ?? issue.expected;
  if (issue.input === undefined) return `is required: ${expected}`;
  return `must be ${expected}, not ${ARTICLES[kindOf(issue.input)] ?? kindOf(issue.input)}`;
};

/** Faults in the order of the input, e.g. `{ path: 'tasks[0].title', message: 'is required: a string' }`. */
export const toFaults = (error: z.ZodError): readonly FieldFault[] =>
  error.issues.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path: toPath(path), message }));

const toPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${toKey(String(part))}`))
    .join('')
    .replace(/^\./, '');

/** Keys of a map come from the caller: one that is no plain name is not repeated, since it may be anything. */
const toKey = (key: string): string => (isSpeakable(key) ? key : '*');
