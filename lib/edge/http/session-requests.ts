import * as z from 'zod';
import type { SessionsQuery } from '#lib/app/list-sessions.ts';
import { END_STATUSES, type EndStatus } from '#lib/domain/session/life.ts';
import { SESSION_STATUSES } from '#lib/domain/session/session.ts';
import { NAME_ALPHABET, PLAY_ID } from './limits.ts';
import { PageQuery } from './page-query.ts';
import { parseWith } from './parse-with.ts';
import type { ApiRequest } from './request.ts';

export const PlayId = z.object({
  play_id: z.string().regex(PLAY_ID, `must have 1 to 253 characters: ${NAME_ALPHABET}`),
});

export const EndRequest = z.object({ status: z.enum(END_STATUSES, `must be one of ${END_STATUSES.join(', ')}`) });

export const SessionsQueryString = PageQuery.extend({
  status: z.enum(SESSION_STATUSES, `must be one of ${SESSION_STATUSES.join(', ')}`).optional(),
  repository: z.string().optional(),
});

/** @throws InputError when the id in the path cannot be the id of a play. */
export const parsePlayId = ({ parameters }: ApiRequest): string => parseWith(PlayId, parameters, 'path').play_id;

/** @throws InputError when the body does not say how the play ended. */
export const parseEndStatus = (body: unknown): EndStatus => parseWith(EndRequest, body, 'end request').status;

/** @throws InputError when a query parameter is wrong; unknown ones are ignored. */
export const parseSessionsQuery = ({ query }: ApiRequest): SessionsQuery =>
  parseWith(SessionsQueryString, query, 'query');
