import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { IncidentStore } from '#lib/app/ports.ts';
import { incidentHeads } from './incident-heads.ts';
import { listIncidents } from './incident-list.ts';
import { incidentParts } from './incident-parts.ts';

/** Incidents, occurrences, history, diagnosis and publication intent: one partition an incident, single-item writes only. */
export function dynamoIncidentStore(client: DynamoDBDocumentClient, table: string): IncidentStore {
  return {
    ...incidentHeads(client, table),
    ...incidentParts(client, table),
    list: (query) => listIncidents(client, table, query),
  };
}
