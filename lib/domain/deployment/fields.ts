import * as z from 'zod';

/** Kinds of fields of a deployment's file. Each refuses with a sentence that says what to write; values are never repeated. */

/** Text for which `holds` is true. `expected` goes on from "must be". */
export const text = (expected: string, example: string, holds: (text: string) => boolean) =>
  z.string({ error: () => `must be ${expected}, e.g. ${example}` }).refine(holds, {
    error: () => `must be ${expected}, e.g. ${example}`,
  });

/** For {@link text}: text of that form. */
export const isLike =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

/** Text that a domain rule reads; what it throws is a fault. */
export const parsedText = <T>(expected: string, example: string, parse: (text: string) => T) =>
  z.string({ error: () => `must be ${expected}, e.g. ${example}` }).transform((value, context): T => {
    try {
      return parse(value.trim());
    } catch {
      context.addIssue({ code: 'custom', message: `must be ${expected}, e.g. ${example}` });
      return z.NEVER;
    }
  });

/** `none`, nothing at all, or what the schema says; null stands for none. */
export const orNone = <S extends z.ZodType>(schema: S) => {
  const optional = z.preprocess((value) => (value === 'none' ? null : value), schema.nullable()).prefault(null);
  // A union with the word `none` would say so in its types, but not tell the faults inside the block.
  return optional as unknown as z.ZodPrefault<z.ZodType<z.output<S> | null, z.input<S> | 'none' | null>>;
};

export const oneOf = <const T extends string>(...words: readonly [T, ...T[]]) =>
  z.enum(words, { error: () => `must be ${words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ')}` });

export const whole = (min: number, max: number) => {
  const error = () => `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const MAX_USD = 999_999;

/** An amount of US dollars, exact to the millionth. */
export const usd = () => {
  const error = () => `must be an amount in USD from 0 to ${MAX_USD}, e.g. 0.75`;
  return z
    .number({ error })
    .min(0, { error })
    .max(MAX_USD, { error })
    .refine((value) => Number(value.toFixed(6)) === value, { error });
};

/**
 * A block of fields. One that is missing, or holds nothing, counts as an empty one, so that what is told is which of its
 * fields must be set.
 */
export function section<S extends z.core.$ZodShape>(shape: S) {
  const block = toBlock(shape);
  return z.preprocess((value) => value ?? {}, block).prefault({}) as unknown as z.ZodPrefault<typeof block>;
}

/** A block of fields; another field in it is a fault that names those that there are. */
export function toBlock<S extends z.core.$ZodShape>(shape: S) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is no field; there are ${names}` : `must be a block with ${names}`,
  });
}

/**
 * Lambda refuses a function whose settings take more than 4 KB together (quotas of AWS Lambda): what can grow has its share.
 */
export const short = <S extends z.ZodType<string | readonly string[]>>(most: number, schema: S) =>
  schema.refine((value) => value.toString().length <= most, {
    error: () => `must be shorter: at most ${most} characters, since a function's settings hold no more`,
  });

const isHttp = (protocol: string, isPlainAllowed: boolean): boolean =>
  protocol === 'https:' || (isPlainAllowed && protocol === 'http:');

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** An address without user and password. Plain HTTP counts on loopback alone, unless it is allowed. */
export const address = (what: string, example: string, { isPlainAllowed = false } = {}) =>
  text(
    `${what}, with ${isPlainAllowed ? 'http or https' : 'https'} and without user and password`,
    example,
    (value) => {
      if (!URL.canParse(value)) return false;
      const { protocol, hostname, username, password } = new URL(value);
      return isHttp(protocol, isPlainAllowed || LOOPBACK.test(hostname)) && username === '' && password === '';
    },
  );
