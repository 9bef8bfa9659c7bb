import { readFileSync } from 'node:fs';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from 'yaml';

export type Item = Readonly<Record<string, unknown>>;

interface Keyed {
  readonly KeySchema: readonly { readonly AttributeName: string }[];
}

interface Index extends Keyed {
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

/** What of a table decides the units of a write. */
export interface Table {
  readonly keys: readonly string[];
  readonly indexes: readonly Index[];
}

interface TableProperties extends Keyed {
  readonly GlobalSecondaryIndexes?: readonly Index[];
}

const namesOf = ({ KeySchema }: Keyed) => KeySchema.map(({ AttributeName }) => AttributeName);

/**
 * Keys and indexes of the template's tables.
 * @param toName what a table is called, by the start of its logical id, e.g. `Sessions`
 */
export function readTables(toName: (id: string) => string): ReadonlyMap<string, Table> {
  const file = new URL('../../infra/tables.yml', import.meta.url);
  const { Resources } = parse(readFileSync(file, 'utf8')) as {
    Resources: Record<string, { Properties: TableProperties }>;
  };
  return new Map(
    Object.entries(Resources).map(([id, { Properties }]) => [
      toName(id.replace(/Table$/, '')),
      { keys: namesOf(Properties), indexes: Properties.GlobalSecondaryIndexes ?? [] },
    ]),
  );
}

/** An item as it stands now; undefined when there is none. */
export async function readItem(client: DynamoDBDocumentClient, table: string, key: Item): Promise<Item | undefined> {
  const answer = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return answer.Item;
}

/**
 * Units that a write costs in the indexes, as DynamoDB bills them: one where an entry comes, goes or changes in what is
 * projected, two where it changes its key, none where it stays as it was.
 */
export function unitsOfIndexes({ keys, indexes }: Table, before: Item = {}, after: Item = {}): number {
  return indexes.reduce((sum, index) => {
    const [was, is] = [before, after].map((item) => toEntry(index, keys, item));
    if (was === undefined || is === undefined) return sum + (was === is ? 0 : 1);
    if (was.key !== is.key) return sum + 2;
    return sum + (was.projected === is.projected ? 0 : 1);
  }, 0);
}

/** How the item stands in the index; undefined: it has no key of it. */
function toEntry(index: Index, keys: readonly string[], item: Item) {
  const own = namesOf(index);
  if (own.some((name) => item[name] === undefined)) return undefined;
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection;
  const names = ProjectionType === 'ALL' ? Object.keys(item).toSorted() : [...keys, ...NonKeyAttributes];
  const of = (some: readonly string[]) => JSON.stringify(some.map((name) => [name, item[name]]));
  return { key: of(own), projected: of(names) };
}
