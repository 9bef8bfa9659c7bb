import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Item, readItem, readTables, type Table, unitsOfIndexes } from './indexes.ts';

/** Request units that DynamoDB bills. */
export interface Units {
  readonly writes: number;
  readonly reads: number;
  /** Requests that were made. */
  readonly calls: number;
}

interface Request {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: { readonly Item: Item } }[]>>;
  readonly Item?: Item;
  readonly Key?: Item;
  ReturnConsumedCapacity?: string;
}

interface Answer {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number } | readonly { readonly CapacityUnits?: number }[];
}

/**
 * Counts what a client consumes. The emulator tells the units of the table itself. Those of the indexes are worked out from
 * the item before and after the write, as DynamoDB bills them: one where an entry comes, goes or changes in what is
 * projected, two where it changes its key, none where it stays as it was.
 *
 * @param observer a client of its own, whose requests are not counted
 */
export function countUnits(client: DynamoDBDocumentClient, observer: DynamoDBDocumentClient): () => Units {
  const tables = readTables((id) => `healer-test-${id.toLowerCase()}`);
  let units = { writes: 0, reads: 0, calls: 0 };
  const snapshot = (places: readonly Place[]) =>
    Promise.all(places.map(({ name, key }) => readItem(observer, name, key)));
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.input as Request;
      request.ReturnConsumedCapacity = 'TOTAL';
      const isWrite = /^(?:Put|Update|BatchWrite)/.test(context.commandName ?? '');
      const places = isWrite ? placesOf(request, tables) : [];
      const before = await snapshot(places);
      const result = await next(args);
      const after = await snapshot(places);
      const answer = result.output as Answer;
      const own = [answer.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const ofIndexes = places.map(({ table }, at) => unitsOfIndexes(table, before[at], after[at]));
      units.calls += 1;
      if (isWrite) units.writes += own + ofIndexes.reduce((sum, count) => sum + count, 0);
      else units.reads += own;
      return result;
    },
    { step: 'initialize', name: 'healerUnits', priority: 'low' },
  );
  return () => {
    const taken = units;
    units = { writes: 0, reads: 0, calls: 0 };
    return taken;
  };
}

interface Place {
  readonly name: string;
  readonly table: Table;
  readonly key: Item;
}

/** What a write touches of the tables that have indexes. */
function placesOf(request: Request, tables: ReadonlyMap<string, Table>): readonly Place[] {
  const batches = Object.entries(request.RequestItems ?? {}).flatMap(([name, puts]) =>
    puts.map(({ PutRequest }) => ({ name, item: PutRequest?.Item })),
  );
  const single = { name: request.TableName ?? '', item: request.Item ?? request.Key };
  return [single, ...batches].flatMap(({ name, item }) => {
    const table = tables.get(name);
    if (table === undefined || table.indexes.length === 0 || item === undefined) return [];
    return [{ name, table, key: Object.fromEntries(table.keys.map((attribute) => [attribute, item[attribute]])) }];
  });
}
