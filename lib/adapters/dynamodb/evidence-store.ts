import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock, EvidenceStore } from '#lib/app/ports.ts';
import { decodePack, encodePack } from '#lib/domain/evidence/encode-pack.ts';

const key = (incidentId: string) => ({ pk: `incident#${incidentId}`, sk: 'pack' });
const SECONDS_PER_DAY = 86_400;

/** The latest evidence pack of each incident, gzipped; it goes with its retention. */
export function dynamoEvidenceStore(
  client: DynamoDBDocumentClient,
  table: string,
  retention: { readonly days: number; readonly clock: Clock },
): EvidenceStore {
  return {
    save: async (pack) => {
      const ttl = Math.floor(retention.clock.now() / 1000) + retention.days * SECONDS_PER_DAY;
      await client.send(
        new PutCommand({ TableName: table, Item: { ...key(pack.incidentId), pack: encodePack(pack), ttl } }),
      );
    },
    load: async (incidentId) => {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: key(incidentId), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : decodePack(Item.pack as Uint8Array);
    },
  };
}
