import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SeenPod, WindowStore } from '#lib/app/ports.ts';
import { queryAll } from './query.ts';
import { windowCursors } from './window-cursors.ts';
import { coverageSk, fromCoverageItem, fromPodItem, podSk, toPodItem, windowKey } from './window-items.ts';

const SECONDS_PER_DAY = 86_400;
/** Coverage and pods go with the sessions that they tell of. */
export interface WindowRetention {
  readonly days: number;
}
/** Items that one BatchWriteItem takes. */
const BATCH = 25;

/** Cursors, coverage and pods: one partition a (source, namespace), single-item conditional writes only. */
export function dynamoWindowStore(
  client: DynamoDBDocumentClient,
  table: string,
  retention: WindowRetention,
): WindowStore {
  const ttlOf = (at: number): number => Math.floor(at / 1000) + retention.days * SECONDS_PER_DAY;
  return { ...windowCursors({ client, table, ttlOf }), ...traces(client, table, ttlOf) };
}

type Traces = Pick<WindowStore, 'coverage' | 'pods' | 'savePods'>;

function traces(client: DynamoDBDocumentClient, table: string, ttlOf: (at: number) => number): Traces {
  return {
    coverage: async (source, namespace, window) => {
      const items = await queryAll(client, {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': windowKey(source, namespace, '').pk,
          ':from': coverageSk(window.since),
          ':to': 'coverage#~',
        },
      });
      const all = items.map((item) => fromCoverageItem(source, namespace, item));
      return all.filter((coverage) => coverage.window.since < window.until && coverage.window.until > window.since);
    },
    pods: async (source, namespace, playId) => {
      const items = await queryAll(client, {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :pod)',
        ExpressionAttributeValues: { ':pk': windowKey(source, namespace, '').pk, ':pod': podSk(playId, '') },
      });
      return items.map(fromPodItem);
    },
    savePods: async (source, namespace, pods, at) => {
      const items = pods.map((pod: SeenPod) => ({ ...toPodItem(source, namespace, pod), ttl: ttlOf(at) }));
      for (let i = 0; i < items.length; i += BATCH) await writeBatch(client, table, items.slice(i, i + BATCH));
    },
  };
}

/** DynamoDB may leave items of a batch unwritten; they are sent again until all are stored. */
async function writeBatch(client: DynamoDBDocumentClient, table: string, items: readonly Record<string, unknown>[]) {
  let requests: Record<string, unknown>[] = items.map((Item) => ({ PutRequest: { Item } }));
  while (requests.length > 0) {
    const answer = await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    requests = answer.UnprocessedItems?.[table] ?? [];
  }
}
