import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { InterruptibleCall } from '#lib/local/aws/interruptions.ts';
import { type Item, readItem, readTables, unitsOfIndexes } from './indexes.ts';

/** Bytes of a write unit. */
const UNIT_BYTES = 1024;

interface Write {
  readonly by: string;
  readonly table: string;
  readonly key: Item;
  readonly before: Item | undefined;
}

type Attributes = Readonly<Record<string, { readonly S?: string }>>;

interface Body {
  readonly TableName?: string;
  readonly Item?: Attributes;
  readonly Key?: Attributes;
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: { readonly Item: Attributes } }[]>>;
}

/**
 * Adds up the write units of a running stack, by function: each item is looked at before it is written, and what a write
 * changed is known when the next one comes, or at the end.
 *
 * @param toName what a table is called, by the start of its logical id
 */
export function watchWrites(client: DynamoDBDocumentClient, toName: (id: string) => string) {
  const tables = readTables(toName);
  const open = new Map<string, Write>();
  const units = new Map<string, number>();
  const settle = ({ by, table, before }: Write, after: Item | undefined) => {
    const known = tables.get(table);
    const own = Math.ceil(Math.max(sizeOf(before), sizeOf(after)) / UNIT_BYTES);
    units.set(by, (units.get(by) ?? 0) + own + (known === undefined ? 0 : unitsOfIndexes(known, before, after)));
  };
  const note = async (by: string, table: string, item: Attributes) => {
    const names = tables.get(table)?.keys ?? [];
    const key = Object.fromEntries(names.map((name) => [name, item[name]?.S]));
    const id = JSON.stringify([table, key]);
    const before = await readItem(client, table, key);
    const last = open.get(id);
    if (last !== undefined) settle(last, before);
    open.set(id, { by, table, key, before });
  };
  return {
    async see({ function: by, action, body }: InterruptibleCall): Promise<undefined> {
      if (!/^(?:Put|Update|BatchWrite)Item$/.test(action)) return;
      const { TableName = '', Item: put, Key, RequestItems = {} } = JSON.parse(body) as Body;
      const single = put ?? Key;
      if (single !== undefined) await note(by, TableName, single);
      for (const [table, puts] of Object.entries(RequestItems))
        for (const { PutRequest } of puts) if (PutRequest !== undefined) await note(by, table, PutRequest.Item);
    },
    /** Units since the last time, by function. */
    async take(): Promise<ReadonlyMap<string, number>> {
      for (const write of open.values()) settle(write, await readItem(client, write.table, write.key));
      open.clear();
      const taken = new Map(units);
      units.clear();
      return taken;
    },
  };
}

/** Bytes of a value, about as DynamoDB counts them. */
function sizeOf(value: unknown): number {
  if (value === undefined || value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 8;
  if (value instanceof Uint8Array) return value.length;
  return Object.entries(value).reduce(
    (sum, [name, own]) => sum + 1 + (Array.isArray(value) ? 0 : name.length) + sizeOf(own),
    3,
  );
}
