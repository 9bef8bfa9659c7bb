import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IncidentStore, PublicationIntent } from '#lib/app/ports.ts';
import { toFindingJson } from '#lib/domain/detection/finding-json.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { ABSENT, putIf, updateIf } from './conditional.ts';
import {
  fromHistoryItem,
  fromOccurrenceItem,
  headKey,
  type Item,
  itemKey,
  occurrenceKey,
  toOccurrenceItem,
} from './incident-items.ts';
import { countAll, queryAll } from './query.ts';

/** Occurrences of one play that the API shows. */
const PLAY_OCCURRENCES = 200;

type Parts = Pick<
  IncidentStore,
  | 'recordConsequence'
  | 'addCause'
  | 'noteAsked'
  | 'occurrences'
  | 'countOccurrences'
  | 'history'
  | 'ofPlay'
  | 'saveDiagnosis'
  | 'diagnosis'
  | 'intend'
  | 'intent'
  | 'notePublished'
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
    recordConsequence: (occurrence) =>
      putIf(client, {
        TableName: table,
        Item: toOccurrenceItem(occurrence, 'consequence'),
        ConditionExpression: ABSENT,
      }),
    addCause: async (occurrence) => {
      const changed = await updateIf(client, {
        TableName: table,
        Key: occurrenceKey(occurrence),
        UpdateExpression: 'SET finding.cause = :cause, untold = :untold',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(finding.cause)',
        ExpressionAttributeValues: { ':cause': toFindingJson(occurrence.finding).cause, ':untold': 'cause' },
      });
      return changed !== undefined;
    },
    noteAsked: async (occurrence) => {
      await updateIf(client, {
        TableName: table,
        Key: occurrenceKey(occurrence, occurrence.untold === 'consequence' ? 'consequence' : 'occurrence'),
        UpdateExpression: 'REMOVE untold',
        ConditionExpression: 'attribute_exists(pk)',
      });
    },
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
    ...intents(client, table, single),
  };
}

const toIntent = (item: Item): PublicationIntent => ({
  marker: item.marker as string,
  at: item.at as number,
  ...(item.body_hash !== undefined && { bodyHash: item.body_hash as string }),
  ...(item.title !== undefined && { title: item.title as string }),
});

type Single = (id: string, sk: string) => Promise<Item | undefined>;

/** What is about to be published, and the hash of what was. */
function intents(
  client: DynamoDBDocumentClient,
  table: string,
  single: Single,
): Pick<Parts, 'intend' | 'intent' | 'notePublished'> {
  return {
    intend: async (id, intent) => {
      const Item = { ...itemKey(id, 'intent'), ...intent };
      if (await putIf(client, { TableName: table, Item, ConditionExpression: ABSENT })) return intent;
      return toIntent((await single(id, 'intent')) ?? Item);
    },
    intent: async (id) => {
      const stored = await single(id, 'intent');
      return stored === undefined ? undefined : toIntent(stored);
    },
    notePublished: async (id, { bodyHash, title }) => {
      await updateIf(client, {
        TableName: table,
        Key: itemKey(id, 'intent'),
        UpdateExpression: 'SET body_hash = :hash, title = :title',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':hash': bodyHash, ':title': title },
      });
    },
  };
}
