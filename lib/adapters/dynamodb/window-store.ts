import { BatchWriteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cursor, SeenPod, WindowStore } from '#lib/app/ports.ts';
import { toUpdate, updateIf } from './conditional.ts';
import { DUE_LIST, overdueItems, queryAll } from './query.ts';
import {
  coverageSk,
  fromCoverageItem,
  fromCursorItem,
  fromPodItem,
  fromWindowKey,
  padNs,
  podSk,
  toCoverageItem,
  toHeard,
  toPodItem,
  windowKey,
} from './window-items.ts';

const SECONDS_PER_DAY = 86_400;
/** Coverage and pods go with the sessions that they tell of. */
export interface WindowRetention {
  readonly days: number;
}
/** Items that one BatchWriteItem takes. */
const BATCH = 25;

const ttlOf = (at: number, retention: WindowRetention): number =>
  Math.floor(at / 1000) + retention.days * SECONDS_PER_DAY;

/** Cursors, coverage and pods: one partition a (source, namespace), single-item conditional writes only. */
export function dynamoWindowStore(
  client: DynamoDBDocumentClient,
  table: string,
  retention: WindowRetention,
): WindowStore {
  return { ...cursors(client, table, retention), ...traces(client, table, retention) };
}

type Cursors = Pick<WindowStore, 'cursor' | 'claim' | 'advance' | 'fail' | 'release' | 'rest' | 'overdue'>;

function cursors(client: DynamoDBDocumentClient, table: string, retention: WindowRetention): Cursors {
  const release = async (cursor: Cursor, values: Record<string, unknown>): Promise<boolean> => {
    const update = toUpdate({ ...values, lease_owner: null, lease_until: null });
    const changed = await updateIf(client, {
      TableName: table,
      Key: windowKey(cursor.source, cursor.namespace, 'cursor'),
      UpdateExpression: update.expression,
      ConditionExpression: 'lease_owner = :held AND until_ns = :read',
      ExpressionAttributeNames: update.names,
      ExpressionAttributeValues: { ...update.values, ':held': cursor.lease?.owner, ':read': padNs(cursor.until) },
    });
    return changed !== undefined;
  };
  return {
    cursor: async (source, namespace) => {
      const Key = windowKey(source, namespace, 'cursor');
      const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item === undefined ? undefined : fromCursorItem(source, namespace, Item);
    },
    claim: (claim) => claimCursor(client, table, claim),
    advance: async (cursor, { until, coverage, plays, at, due, ...told }) => {
      const item = { ...toCoverageItem(coverage), ttl: ttlOf(at, retention) };
      await client.send(new PutCommand({ TableName: table, Item: item }));
      const { cluster = null, isAstray = false, heard = {}, looksAskedAt = null } = told;
      const seen = { proven_at: at, failure: null, cluster, astray: isAstray || null };
      const noted = { heard: toHeard(plays, heard), looks_asked_at: looksAskedAt };
      const values = { until_ns: padNs(until), plays, ...seen, ...noted, ...toDue(due) };
      return release(cursor, values);
    },
    fail: async (cursor, { due, ...failure }) => {
      await release(cursor, { failure, ...toDue(due) });
    },
    release: async (cursor) => {
      await release(cursor, {});
    },
    rest: async (source, namespace, now) => {
      await updateIf(client, {
        TableName: table,
        Key: windowKey(source, namespace, 'cursor'),
        UpdateExpression: 'REMOVE due, due_list',
        ConditionExpression: 'attribute_exists(due) AND (attribute_not_exists(lease_until) OR lease_until <= :now)',
        ExpressionAttributeValues: { ':now': now },
      });
    },
    overdue: async (now, limit) =>
      (await overdueItems(client, table, now, limit)).map((item) => fromWindowKey(item.pk as string)),
  };
}

/** Attributes of the sparse index `by-due`: absent while nothing is owed. */
const toDue = (due: number) => ({ due, due_list: DUE_LIST });

async function claimCursor(
  client: DynamoDBDocumentClient,
  table: string,
  claim: Parameters<WindowStore['claim']>[0],
): Promise<Cursor | undefined> {
  const item = await updateIf(client, {
    TableName: table,
    Key: windowKey(claim.source, claim.namespace, 'cursor'),
    // Until the read is done the cursor is due when the lease ends: a reader that dies is followed by another.
    UpdateExpression:
      'SET until_ns = if_not_exists(until_ns, :from), lease_owner = :owner, lease_until = :until, ' +
      'due = :until, due_list = :list',
    ConditionExpression: 'attribute_not_exists(lease_until) OR lease_until <= :now',
    ExpressionAttributeValues: {
      ':from': padNs(claim.from),
      ':owner': claim.owner,
      ':until': claim.until,
      ':now': claim.now,
      ':list': DUE_LIST,
    },
  });
  return item === undefined ? undefined : fromCursorItem(claim.source, claim.namespace, item);
}

type Traces = Pick<WindowStore, 'coverage' | 'pods' | 'savePods'>;

function traces(client: DynamoDBDocumentClient, table: string, retention: WindowRetention): Traces {
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
      const items = pods.map((pod: SeenPod) => ({ ...toPodItem(source, namespace, pod), ttl: ttlOf(at, retention) }));
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
