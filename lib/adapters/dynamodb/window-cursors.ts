import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cursor, WindowStore } from '#lib/app/ports.ts';
import { ABSENT, putIf, toUpdate, updateIf } from './conditional.ts';
import { DUE_LIST, overdueItems, queryAll } from './query.ts';
import { fromCursorItems, fromWindowKey, padNs, toCoverageItem, toHeard, windowKey } from './window-items.ts';

type Cursors = Pick<WindowStore, 'cursor' | 'claim' | 'advance' | 'fail' | 'release' | 'rest' | 'overdue'>;
type Place = Pick<Cursor, 'source' | 'namespace'>;

interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  /** When an item of the moment `at` may go, in epoch seconds. */
  readonly ttlOf: (at: number) => number;
}

/**
 * A cursor is two items, since each write is billed by the size of its item: `lease` says who reads and when a read is
 * owed, in a few bytes that each look writes twice; `cursor` says how far reading came and of which plays, and is written
 * once a look. `version` makes each write of the cursor conditional on the one that was read.
 */
export function windowCursors(given: Table): Cursors {
  const { client, table } = given;
  const find = ({ source, namespace }: Place) => findCursor(given, source, namespace);
  return {
    cursor: (source, namespace) => find({ source, namespace }),
    claim: async (claim) => {
      if (!(await takeLease(given, claim))) return undefined;
      const lease = { owner: claim.owner, until: claim.until };
      const known = claim.known ?? (await find(claim));
      if (known !== undefined) return { ...known, lease };
      const Item = { ...windowKey(claim.source, claim.namespace, 'cursor'), until_ns: padNs(claim.from) };
      await putIf(client, { TableName: table, Item, ConditionExpression: ABSENT });
      return find(claim);
    },
    advance: async (cursor, { coverage, due, ...told }) => {
      const Item = { ...toCoverageItem(coverage), ttl: given.ttlOf(told.at) };
      await client.send(new PutCommand({ TableName: table, Item }));
      return (await giveBack(given, cursor, due)) && writeCursor(given, cursor, toProgress(told));
    },
    fail: async (cursor, { due, ...failure }) => {
      if (await giveBack(given, cursor, due)) await writeCursor(given, cursor, { failure });
    },
    release: async (cursor) => {
      await giveBack(given, cursor);
    },
    rest: (source, namespace, now) => rest(given, { source, namespace }, now),
    overdue: async (now, limit) =>
      (await overdueItems(client, table, now, limit)).map((item) => fromWindowKey(item.pk as string)),
  };
}

/** Both items in one request: no other key of the partition lies between `cursor` and `lease`. */
async function findCursor({ client, table }: Table, source: string, namespace: string): Promise<Cursor | undefined> {
  const items = await queryAll(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :cursor AND :lease',
    ExpressionAttributeValues: { ':pk': windowKey(source, namespace, '').pk, ':cursor': 'cursor', ':lease': 'lease' },
    ConsistentRead: true,
  });
  return fromCursorItems(source, namespace, items);
}

/**
 * False: somebody else reads. `due` stays where it is, or begins at the lease's end: a reader that dies is followed by another.
 */
async function takeLease({ client, table }: Table, claim: Parameters<Cursors['claim']>[0]): Promise<boolean> {
  const taken = await updateIf(client, {
    TableName: table,
    Key: windowKey(claim.source, claim.namespace, 'lease'),
    UpdateExpression:
      'SET lease_owner = :owner, lease_until = :until, due = if_not_exists(due, :until), due_list = :list',
    ConditionExpression: 'attribute_not_exists(lease_until) OR lease_until <= :now',
    ExpressionAttributeValues: {
      ':owner': claim.owner,
      ':until': claim.until,
      ':now': claim.now,
      ':list': DUE_LIST,
    },
  });
  return taken !== undefined;
}

function toProgress(told: Omit<Parameters<Cursors['advance']>[1], 'coverage' | 'due'>): Record<string, unknown> {
  const { until, plays, at, cluster = null, isAstray = false, heard = {}, looksAskedAt = null } = told;
  const seen = { proven_at: at, failure: null, cluster, astray: isAstray || null };
  return { until_ns: padNs(until), plays, ...seen, heard: toHeard(plays, heard), looks_asked_at: looksAskedAt };
}

/** False: somebody else has written the cursor since it was read. */
async function writeCursor({ client, table }: Table, cursor: Cursor, values: Record<string, unknown>) {
  const { version } = cursor;
  const update = toUpdate({ ...values, version: version + 1 });
  const written = await updateIf(client, {
    TableName: table,
    Key: windowKey(cursor.source, cursor.namespace, 'cursor'),
    UpdateExpression: update.expression,
    ConditionExpression: version === 0 ? 'attribute_not_exists(#version)' : '#version = :read',
    ExpressionAttributeNames: update.names,
    ExpressionAttributeValues: { ...update.values, ...(version > 0 && { ':read': version }) },
  });
  return written !== undefined;
}

/**
 * Gives the lease back before the cursor is written: who lost it writes nothing, and who dies in between is followed by a
 * reader that reads the same again. A read is owed at `due`, or when it was. False: the lease was lost.
 */
async function giveBack({ client, table }: Table, cursor: Cursor, due?: number): Promise<boolean> {
  const owed = due === undefined ? {} : { due, due_list: DUE_LIST };
  const update = toUpdate({ ...owed, lease_owner: null, lease_until: null });
  const given = await updateIf(client, {
    TableName: table,
    Key: windowKey(cursor.source, cursor.namespace, 'lease'),
    UpdateExpression: update.expression,
    ConditionExpression: 'lease_owner = :held',
    ExpressionAttributeNames: update.names,
    ExpressionAttributeValues: { ...update.values, ':held': cursor.lease?.owner },
  });
  return given !== undefined;
}

async function rest({ client, table }: Table, { source, namespace }: Place, now: number): Promise<void> {
  await updateIf(client, {
    TableName: table,
    Key: windowKey(source, namespace, 'lease'),
    UpdateExpression: 'REMOVE due, due_list',
    ConditionExpression: 'attribute_exists(due) AND (attribute_not_exists(lease_until) OR lease_until <= :now)',
    ExpressionAttributeValues: { ':now': now },
  });
}
