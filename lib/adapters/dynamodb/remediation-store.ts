import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RemediationStore } from '#lib/app/ports.ts';
import type { Exposure } from '#lib/domain/remediation/exposure.ts';
import type { Remediation } from '#lib/domain/remediation/remediation.ts';
import { MILLIS_PER_DAY } from '#lib/domain/time.ts';
import { ABSENT, putIf } from './conditional.ts';
import { headKey, itemKey } from './incident-items.ts';
import { queryAll } from './query.ts';

/** GitHub sends a delivery again, by hand, for three days; twice that is remembered and a reserve for late expiry. */
const DELIVERY_DAYS = 30;

const linkKey = (target: string, number: number) => ({ pk: `github#${target.toLowerCase()}`, sk: `number#${number}` });

/** Remediations and exposures in the incident's partition; numbers on GitHub and delivery ids in partitions of their own. */
export function dynamoRemediationStore(client: DynamoDBDocumentClient, table: string): RemediationStore {
  const get = async (key: { pk: string; sk: string }) =>
    (await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  return {
    get: async (id) => (await get(itemKey(id, 'remediation')))?.remediation as Remediation | undefined,
    save: async (id, remediation) => {
      await client.send(new PutCommand({ TableName: table, Item: { ...itemKey(id, 'remediation'), remediation } }));
    },
    expose: (exposure) => {
      const sk = `exposure#${exposure.playId}#${exposure.agent ?? ''}`;
      const Item = { ...itemKey(exposure.incidentId, sk), exposure };
      return putIf(client, { TableName: table, Item, ConditionExpression: ABSENT });
    },
    exposures: async (id) => {
      const items = await queryAll(client, {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': headKey(id).pk, ':prefix': 'exposure#' },
      });
      return items.map((item) => item.exposure as Exposure).toSorted((one, other) => one.at - other.at);
    },
    link: async (target, number, incident) => {
      await client.send(new PutCommand({ TableName: table, Item: { ...linkKey(target, number), incident } }));
    },
    findByNumber: async (target, number) => (await get(linkKey(target, number)))?.incident as string | undefined,
    rememberDelivery: (id, now) => {
      const ttl = Math.floor((now + DELIVERY_DAYS * MILLIS_PER_DAY) / 1000);
      const Item = { pk: `delivery#${id}`, sk: 'delivery', at: now, ttl };
      return putIf(client, { TableName: table, Item, ConditionExpression: ABSENT });
    },
  };
}
