import * as z from 'zod';
import { ConfigError } from './domain/errors.ts';

/** One environment variable: its name, what it must hold (a sentence for operators), and how its text becomes a value. */
export interface Setting<T> {
  readonly variable: string;
  readonly expected: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

type Values<S extends Record<string, Setting<unknown>>> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/**
 * Reads a function's settings from the environment, once, at cold start. An empty variable counts as not set. This is the
 * only place of the deployed functions that reads `process.env`.
 *
 * @throws ConfigError that lists every fault with the variable's name and what would be right; never a value.
 */
export function readConfig<S extends Record<string, Setting<unknown>>>(
  settings: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Values<S> {
  const faults: string[] = [];
  const values = Object.entries(settings).map(([key, { variable, expected, schema }]) => {
    const parsed = schema.safeParse(env[variable]?.trim() || undefined);
    if (!parsed.success) faults.push(`${variable} must be ${expected} (it is ${env[variable] ? 'not' : 'not set'})`);
    return [key, parsed.data];
  });
  if (faults.length > 0)
    throw new ConfigError(`The configuration has ${faults.length} fault(s): ${faults.join('; ')}.`);
  return Object.fromEntries(values) as Values<S>;
}

/** Text that must be set, e.g. `required('SESSIONS_TABLE', 'the name of the sessions table')`. */
export const required = (variable: string, expected: string): Setting<string> => ({
  variable,
  expected,
  schema: z.string(),
});

/** Text that may be left out. */
export const optional = <T extends string | undefined>(variable: string, expected: string, fallback: T) =>
  ({
    variable,
    expected,
    schema: z
      .string()
      .optional()
      .transform((text) => text ?? fallback),
  }) as Setting<string | T>;

/** A whole number between `min` and `max`, both included. */
export const integer = (variable: string, range: { min: number; max: number; fallback: number }): Setting<number> => ({
  variable,
  expected: `a whole number from ${range.min} to ${range.max}`,
  schema: z
    .string()
    .regex(/^-?\d+$/)
    .optional()
    .transform((text) => (text === undefined ? range.fallback : Number(text)))
    .pipe(z.number().min(range.min).max(range.max)),
});

/** One of a few words. */
export const oneOf = <const T extends string>(variable: string, words: readonly T[], fallback: T): Setting<T> => ({
  variable,
  expected: `one of ${words.join(', ')}`,
  schema: z
    .enum(words)
    .optional()
    .transform((word) => word ?? fallback) as z.ZodType<T, string | undefined>,
});

/** Values separated by commas; blanks around them and empty ones are dropped. */
export const list = (variable: string, expected: string): Setting<readonly string[]> => ({
  variable,
  expected: `a comma-separated list of ${expected}`,
  schema: z
    .string()
    .optional()
    .transform((text) =>
      (text ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
});

/** A text that a domain rule parses; an error that the rule throws is a fault of the variable. */
export const parsed = <T>(variable: string, expected: string, parse: (text: string) => T): Setting<T> => ({
  variable,
  expected,
  schema: z
    .string()
    .optional()
    .transform((text, context) => {
      try {
        return parse(text ?? '');
      } catch {
        context.addIssue({ code: 'custom', message: expected });
        return z.NEVER;
      }
    }),
});
