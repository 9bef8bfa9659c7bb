import * as z from 'zod';
import { LIMITS } from './limits.ts';

const DEFAULT_PAGE = 100;

const LIMIT = `must be a whole number from 1 to ${LIMITS.page}`;

/** `limit` and `cursor` of every list. */
export const PageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, LIMIT)
    .transform(Number)
    .pipe(z.number().min(1, LIMIT).max(LIMITS.page, LIMIT))
    .default(DEFAULT_PAGE),
  cursor: z.string().optional(),
});
