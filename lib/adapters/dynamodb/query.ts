import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** All items of a query, over all pages. For partitions that are bounded by their meaning. */
export async function queryAll(
  client: DynamoDBDocumentClient,
  input: QueryCommandInput,
): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...input, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** Number of items that a query matches, over all pages. */
export async function countAll(client: DynamoDBDocumentClient, input: QueryCommandInput): Promise<number> {
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...input, Select: 'COUNT', ExclusiveStartKey: start }));
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return count;
}

/** Attribute value of the sparse indexes `by-due`: an item has it only while it owes work. */
export const DUE_LIST = 'due';

/** Items of a table whose `due` has passed, oldest first, at most `limit`. */
export async function overdueItems(
  client: DynamoDBDocumentClient,
  table: string,
  now: number,
  limit: number,
): Promise<readonly Record<string, unknown>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: 'by-due',
      KeyConditionExpression: 'due_list = :list AND due <= :now',
      ExpressionAttributeValues: { ':list': DUE_LIST, ':now': now },
      Limit: limit,
    }),
  );
  return Items;
}
