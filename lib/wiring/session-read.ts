import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { listSessions, type SessionsQuery } from '#lib/app/list-sessions.ts';
import { type IncidentsQuery, listIncidents, showIncident } from '#lib/app/show-incident.ts';
import { showSession } from '#lib/app/show-session.ts';
import { readConfig } from '#lib/config.ts';
import { LOG_SOURCE, retentionSetting, tableSetting } from './settings.ts';

const settings = {
  sessions: tableSetting('sessions'),
  windows: tableSetting('windows'),
  incidents: tableSetting('incidents'),
  retentionDays: retentionSetting,
};

/** @throws ConfigError at cold start: Lambda logs it with all its faults and API Gateway answers 500 without them. */
export function wireSessionRead() {
  const config = readConfig(settings);
  const client = toDocumentClient();
  const ports = {
    sessions: sessionStore({ client, table: config.sessions, clock: systemClock }),
    windows: dynamoWindowStore(client, config.windows, { days: config.retentionDays }),
    incidents: dynamoIncidentStore(client, config.incidents),
    clock: systemClock,
  };
  return {
    showSession: (playId: string) => showSession(ports, LOG_SOURCE, playId),
    listSessions: (query: SessionsQuery) => listSessions(ports, query),
    showIncident: (id: string) => showIncident(ports.incidents, id),
    listIncidents: (query: IncidentsQuery) => listIncidents(ports.incidents, query),
  };
}
