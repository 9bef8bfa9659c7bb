import { readFileSync } from 'node:fs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { parse } from 'yaml';

/** Request units that DynamoDB bills. */
export interface Units {
  readonly writes: number;
  readonly reads: number;
  /** Requests that were made. */
  readonly calls: number;
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly { readonly AttributeName: string }[];
}

interface Request {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, readonly unknown[]>>;
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ReturnConsumedCapacity?: string;
}

interface Answer {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number } | readonly { readonly CapacityUnits?: number }[];
  readonly Attributes?: Readonly<Record<string, unknown>>;
}

/** Indexes by the name that the tests give to a table. */
function readIndexes(): ReadonlyMap<string, readonly Index[]> {
  const file = new URL('../../infra/tables.yml', import.meta.url);
  const { Resources } = parse(readFileSync(file, 'utf8')) as {
    Resources: Record<string, { Properties: { GlobalSecondaryIndexes?: Index[] } }>;
  };
  return new Map(
    Object.entries(Resources).map(([id, { Properties }]) => [
      `healer-test-${id.replace(/Table$/, '').toLowerCase()}`,
      Properties.GlobalSecondaryIndexes ?? [],
    ]),
  );
}

/**
 * Counts what a client consumes. The emulator tells the units of the table itself; each index that holds the written item
 * is a unit more, two where the write changes the key by which it stands there.
 */
export function countUnits(client: DynamoDBDocumentClient): () => Units {
  const indexes = readIndexes();
  let units = { writes: 0, reads: 0, calls: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.input as Request;
      request.ReturnConsumedCapacity = 'TOTAL';
      const result = await next(args);
      const answer = result.output as Answer;
      const own = [answer.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const isWrite = /^(?:Put|Update|BatchWrite)/.test(context.commandName ?? '');
      units.calls += 1;
      if (isWrite) units.writes += own + unitsOfIndexes(indexes.get(request.TableName ?? '') ?? [], request, answer);
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

function unitsOfIndexes(indexes: readonly Index[], request: Request, answer: Answer): number {
  const item = request.Item ?? answer.Attributes ?? {};
  const update = (request.UpdateExpression ?? '').replaceAll(
    /#\w+/g,
    (name) => request.ExpressionAttributeNames?.[name] ?? name,
  );
  return indexes
    .filter(({ KeySchema }) => KeySchema.every(({ AttributeName }) => AttributeName in item))
    .reduce((sum, { KeySchema }) => {
      const changesKey = KeySchema.some(({ AttributeName }) => new RegExp(`\\b${AttributeName} = `).test(update));
      return sum + (changesKey ? 2 : 1);
    }, 0);
}
