import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IncidentStore } from '#lib/app/ports.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { putIf } from './conditional.ts';
import { ABSENT, fromHistoryItem, fromOccurrenceItem, headKey, itemKey } from './incident-items.ts';
import { countAll, queryAll } from './query.ts';

/** Occurrences of one play that the API shows. */
const PLAY_OCCURRENCES = 200;

type Parts = Pick<
  IncidentStore,
  'occurrences' | 'countOccurrences' | 'history' | 'ofPlay' | 'saveDiagnosis' | 'diagnosis' | 'intend'
>;

/** What hangs on a head: occurrences, history, the diagnosis and the publication intent. */
export function incidentParts(client: DynamoDBDocumentClient, table: string): Parts {
  const query = (id: string, prefix: string) => ({
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': headKey(id).pk, ':prefix': prefix },
  });
  const single = async (id: string, sk: string) =>
    (await client.send(new GetCommand({ TableName: table, Key: itemKey(id, sk), ConsistentRead: true }))).Item;
  return {
    occurrences: async (id, limit) => {
      const newest = { ...query(id, 'occurrence#'), ScanIndexForward: false, Limit: limit };
      return ((await client.send(new QueryCommand(newest))).Items ?? []).map(fromOccurrenceItem);
    },
    countOccurrences: async (id) => countAll(client, query(id, 'occurrence#')),
    history: async (id) => (await queryAll(client, query(id, 'history#'))).map(fromHistoryItem),
    ofPlay: async (playId) => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'by-play',
          KeyConditionExpression: 'play_id = :play',
          ExpressionAttributeValues: { ':play': playId },
          ScanIndexForward: false,
          Limit: PLAY_OCCURRENCES,
        }),
      );
      return Items.map(fromOccurrenceItem);
    },
    saveDiagnosis: async (id, diagnosis) => {
      await client.send(new PutCommand({ TableName: table, Item: { ...itemKey(id, 'diagnosis'), diagnosis } }));
    },
    diagnosis: async (id) => (await single(id, 'diagnosis'))?.diagnosis as Diagnosis | undefined,
    intend: async (id, intent) => {
      const Item = { ...itemKey(id, 'intent'), ...intent };
      if (await putIf(client, { TableName: table, Item, ConditionExpression: ABSENT })) return intent;
      const stored = (await single(id, 'intent')) ?? Item;
      return { marker: stored.marker as string, at: stored.at as number };
    },
  };
}
