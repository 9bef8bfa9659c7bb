import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { CreateTableCommand, type CreateTableCommandInput, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Resource } from '../template.ts';
import type { ServiceRequest } from './protocol.ts';

/** DynamoDB: dynalite without its own listening socket in the way, since the endpoint owns the requests. */
export interface TableService {
  /** dynalite's server. It closes the database when it is closed, so it is the server that the endpoint listens on. */
  readonly server: Server;
  handle(request: ServiceRequest, response: ServerResponse): void;
}

/** Properties that DynamoDB's CreateTable knows; backups, encryption and time to live are the deployment's. */
const CREATED = [
  'TableName',
  'BillingMode',
  'AttributeDefinitions',
  'KeySchema',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'ProvisionedThroughput',
] as const;

/** @param directory where the tables are kept; in memory without one */
export function openTableService(directory: string | undefined): TableService {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0, path: directory });
  const [answer] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  server.removeAllListeners('request');
  return {
    server,
    handle({ method, url, headers, body }, response) {
      // A request that was read whole: dynalite would end the process when a caller hangs up midway.
      const request = Object.assign(Readable.from([body]), { method, url, headers });
      answer(request as unknown as IncomingMessage, response);
    },
  };
}

/** Creates the template's tables; one that exists already (kept from an earlier run) stays as it is. */
export async function createTables(tables: readonly Resource[], client: DynamoDBClient): Promise<void> {
  for (const { logicalId, properties } of tables) {
    const known = Object.fromEntries(CREATED.map((name) => [name, properties[name]]));
    const input = { TableName: logicalId, ...known } as unknown as CreateTableCommandInput;
    await client.send(new CreateTableCommand(input)).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
    });
  }
}
