import type * as z from 'zod';
import { IncidentId, IncidentsQueryString } from './incident-requests.ts';
import { IncidentReply, IncidentsReply } from './incident-schema.ts';
import { ErrorReply, HealthReply, IncidentErrorReply, SessionErrorReply, StartErrorReply } from './reply-schema.ts';
import { EndRequest, PlayId, SessionsQueryString } from './session-requests.ts';
import { EndReply, SessionReply, SessionsReply, StartReply } from './session-schema.ts';
import { StartRequest } from './start-request.ts';

/** One route as callers see it; `document` marks an answer that is no JSON of the API. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly isOpen?: boolean;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | 'html' | 'openapi';
  /** Shape of its errors, and the statuses that it answers beside those of every route. */
  readonly error?: z.ZodType;
  readonly errors?: readonly number[];
}

/** Every route but GitHub's webhook, whose contract is GitHub's. Keys are API Gateway's route keys. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /health': { id: 'getHealth', summary: 'Says which version is up.', isOpen: true, answer: HealthReply },
  'POST /api/v1/session/start': {
    id: 'startSession',
    summary:
      'Announces a play. Sending the same body again while the session is active changes nothing and answers 200.',
    body: StartRequest,
    answer: StartReply,
    error: StartErrorReply,
    errors: [400, 409, 413, 415],
  },
  'POST /api/v1/session/{play_id}/end': {
    id: 'endSession',
    summary: 'Says how a play ended. The first end stands.',
    path: PlayId,
    body: EndRequest,
    answer: EndReply,
    error: SessionErrorReply,
    errors: [400, 404, 409, 413, 415],
  },
  'GET /api/v1/session/{play_id}': {
    id: 'getSession',
    summary: 'One session: what was declared, how well its logs are covered, and its incidents.',
    path: PlayId,
    answer: SessionReply,
    error: SessionErrorReply,
    errors: [400, 404],
  },
  'GET /api/v1/sessions': {
    id: 'listSessions',
    summary: 'Sessions, newest first.',
    query: SessionsQueryString,
    answer: SessionsReply,
    errors: [400],
  },
  'GET /api/v1/sessions/active': {
    id: 'listActiveSessions',
    summary: 'Active sessions, newest first.',
    query: SessionsQueryString.omit({ status: true }),
    answer: SessionsReply,
    errors: [400],
  },
  'GET /api/v1/incidents': {
    id: 'listIncidents',
    summary: 'Incidents, newest first.',
    query: IncidentsQueryString,
    answer: IncidentsReply,
    errors: [400],
  },
  'GET /api/v1/incidents/{id}': {
    id: 'getIncident',
    summary: 'One incident: diagnosis, history, occurrences and links.',
    path: IncidentId,
    answer: IncidentReply,
    error: IncidentErrorReply,
    errors: [400, 404],
  },
  'GET /openapi.json': { id: 'getOpenApi', summary: 'This document.', answer: 'openapi', error: ErrorReply },
  'GET /': { id: 'getPage', summary: 'A page for people; it holds no data.', isOpen: true, answer: 'html' },
};
