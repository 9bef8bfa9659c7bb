import * as z from 'zod';
import type { SessionsQuery } from '#lib/app/list-sessions.ts';
import { InputError } from '#lib/domain/errors.ts';
import { END_STATUSES, type EndStatus } from '#lib/domain/session/life.ts';
import { SESSION_STATUSES } from '#lib/domain/session/session.ts';
import { sayFault, toFaults } from './faults.ts';
import { LIMITS, NAME_ALPHABET, PLAY_ID } from './limits.ts';
import type { ApiRequest } from './request.ts';

const DEFAULT_PAGE = 100;

const PlayId = z.object({
  play_id: z.string().regex(PLAY_ID, `must have 1 to 253 characters: ${NAME_ALPHABET}`),
});

const EndRequest = z.object({ status: z.enum(END_STATUSES, `must be one of ${END_STATUSES.join(', ')}`) });

const LIMIT = `must be a whole number from 1 to ${LIMITS.page}`;

const ListRequest = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, LIMIT)
    .transform(Number)
    .pipe(z.number().min(1, LIMIT).max(LIMITS.page, LIMIT))
    .default(DEFAULT_PAGE),
  cursor: z.string().optional(),
  status: z.enum(SESSION_STATUSES, `must be one of ${SESSION_STATUSES.join(', ')}`).optional(),
  repository: z.string().optional(),
});

/** @throws InputError when the id in the path cannot be the id of a play. */
export const parsePlayId = ({ parameters }: ApiRequest): string => parse(PlayId, parameters, 'path').play_id;

/** @throws InputError when the body does not say how the play ended. */
export const parseEndStatus = (body: unknown): EndStatus => parse(EndRequest, body, 'end request').status;

/** @throws InputError when a query parameter is wrong; unknown ones are ignored. */
export const parseSessionsQuery = ({ query }: ApiRequest): SessionsQuery => parse(ListRequest, query, 'query');

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value, { error: sayFault });
  if (parsed.success) return parsed.data;
  throw new InputError(`The ${what} is not as expected: see errors.`, toFaults(parsed.error));
}
