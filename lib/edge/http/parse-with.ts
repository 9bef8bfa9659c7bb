import type * as z from 'zod';
import { InputError } from '#lib/domain/errors.ts';
import { sayFault, toFaults } from './faults.ts';

/** @throws InputError that names every fault of the value; `what` is what the caller sent, e.g. `query`. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value, { error: sayFault });
  if (parsed.success) return parsed.data;
  throw new InputError(`The ${what} is not as expected: see errors.`, toFaults(parsed.error));
}
