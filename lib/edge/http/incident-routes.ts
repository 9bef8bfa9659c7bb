import type { Page } from '#lib/app/ports.ts';
import type { IncidentsQuery, IncidentView } from '#lib/app/show-incident.ts';
import type { IncidentSummary } from '#lib/domain/incident/incident.ts';
import type { Route } from './http-api.ts';
import { parseIncidentId, parseIncidentsQuery } from './incident-requests.ts';
import { toIncidentReply, toIncidentsReply } from './incident-wire.ts';
import { failingWith } from './reply.ts';

/** `GET /api/v1/incidents` */
export const listIncidentsRoute =
  (list: (query: IncidentsQuery) => Promise<Page<IncidentSummary>>): Route =>
  async (request) =>
    toIncidentsReply(await list(parseIncidentsQuery(request)));

/** `GET /api/v1/incidents/{id}` */
export const getIncidentRoute =
  (show: (id: string) => Promise<IncidentView>): Route =>
  async (request) =>
    toIncidentReply(await failingWith({ incident: null }, show(parseIncidentId(request))));
