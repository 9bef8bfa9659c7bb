import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { IncidentStore, ListQuery, Page } from '#lib/app/ports.ts';
import type { IncidentState, IncidentSummary } from '#lib/domain/incident/incident.ts';
import { fromSummaryItem, HEAD_LIST, type Item } from './incident-items.ts';
import { parseCursor, toCursor } from './list-cursor.ts';

type IncidentsQuery = ListQuery & { repository?: string | undefined; state?: IncidentState | undefined };

const SEEN_KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w.-]{1,128}$/;
/** Requests that a filtered page may take; a page that would need more ends early and has a cursor. */
const MAX_REQUESTS = 20;

/** Heads, newest first, by the index of the narrower key; the other one filters. */
export const listIncidents = async (
  client: DynamoDBDocumentClient,
  table: string,
  query: Parameters<IncidentStore['list']>[0],
): Promise<Page<IncidentSummary>> => {
  const before = query.cursor === undefined ? undefined : parseCursor(query.cursor, SEEN_KEY);
  const items: Item[] = [];
  let position: Record<string, unknown> | undefined;
  let lastKey: string | undefined;
  for (let request = 0; request < MAX_REQUESTS && items.length <= query.limit; request += 1) {
    const answer = await client.send(
      new QueryCommand({ ...toInput(table, query, before), ExclusiveStartKey: position }),
    );
    items.push(...(answer.Items ?? []));
    position = answer.LastEvaluatedKey;
    lastKey = position?.seen_key as string | undefined;
    if (position === undefined) break;
  }
  const shown = items.slice(0, query.limit);
  const next = items.length > query.limit ? (shown.at(-1)?.seen_key as string) : lastKey;
  return { items: shown.map(fromSummaryItem), ...(next !== undefined && { cursor: toCursor(next) }) };
};

function toInput(table: string, query: IncidentsQuery, before: string | undefined): QueryCommandInput {
  const { index, key, value } = narrowest(query);
  const filtersState = query.repository !== undefined && query.state !== undefined;
  return {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: before === undefined ? '#key = :key' : '#key = :key AND seen_key < :before',
    ...(filtersState && { FilterExpression: '#state = :state' }),
    ExpressionAttributeNames: { '#key': key, ...(filtersState && { '#state': 'state' }) },
    ExpressionAttributeValues: {
      ':key': value,
      ...(before !== undefined && { ':before': before }),
      ...(filtersState && { ':state': query.state }),
    },
    ScanIndexForward: false,
    // One more than asked tells whether there is a next page.
    Limit: query.limit + 1,
  };
}

function narrowest({ repository, state }: IncidentsQuery) {
  if (repository !== undefined) return { index: 'by-target', key: 'target', value: repository };
  if (state !== undefined) return { index: 'by-state', key: 'state', value: state };
  return { index: 'by-seen', key: 'list', value: HEAD_LIST };
}
