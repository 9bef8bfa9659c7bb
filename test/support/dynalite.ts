import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { parse } from 'yaml';

/** Logical names of infra/tables.yml without their suffix, e.g. `tables.Sessions`. */
export type TableName = 'Sessions' | 'Windows' | 'Incidents' | 'Evidence' | 'Budgets' | 'Tokens';

export interface TestTables {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  /** Environment that points SDK clients at this server. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface TableResource {
  readonly Type: string;
  readonly Properties: CreateTableCommandInput;
}

/**
 * Starts DynamoDB's emulator on a free loopback port with the tables of `infra/tables.yml`, and points the SDK's
 * environment variables of this process at it. Every test file runs in a process of its own.
 */
export async function startTestTables(): Promise<TestTables> {
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  Object.assign(process.env, env);
  const tables = await createTables();
  return { endpoint, env, tables, stop: () => new Promise((resolve) => void server.close(() => resolve())) };
}

async function createTables(): Promise<Record<TableName, string>> {
  const file = new URL('../../infra/tables.yml', import.meta.url);
  const { Resources } = parse(readFileSync(file, 'utf8')) as { Resources: Record<string, TableResource> };
  const client = new DynamoDBClient({});
  const created = Object.entries(Resources).map(async ([logicalId, { Properties }]) => {
    const name = logicalId.replace(/Table$/, '');
    const TableName = `healer-test-${name.toLowerCase()}`;
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode } = Properties;
    const input = { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode };
    await client.send(new CreateTableCommand(input));
    return [name, TableName];
  });
  const names = Object.fromEntries(await Promise.all(created)) as Record<TableName, string>;
  client.destroy();
  return names;
}
