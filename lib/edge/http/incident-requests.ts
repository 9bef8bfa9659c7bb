import * as z from 'zod';
import type { IncidentsQuery } from '#lib/app/show-incident.ts';
import { INCIDENT_STATES } from '#lib/domain/incident/incident.ts';
import { PageQuery } from './page-query.ts';
import { parseWith } from './parse-with.ts';
import type { ApiRequest } from './request.ts';

export const IncidentId = z.object({ id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, 'is no id of an incident') });

export const IncidentsQueryString = PageQuery.extend({
  state: z.enum(INCIDENT_STATES, `must be one of ${INCIDENT_STATES.join(', ')}`).optional(),
  repository: z.string().optional(),
});

/** @throws InputError when the id in the path cannot be the id of an incident. */
export const parseIncidentId = ({ parameters }: ApiRequest): string => parseWith(IncidentId, parameters, 'path').id;

/** @throws InputError when a query parameter is wrong; unknown ones are ignored. */
export const parseIncidentsQuery = ({ query }: ApiRequest): IncidentsQuery =>
  parseWith(IncidentsQueryString, query, 'query');
