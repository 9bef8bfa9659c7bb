import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock, OutcomeStore } from '#lib/app/ports.ts';
import type { RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import { MILLIS_PER_DAY } from '#lib/domain/time.ts';

const toKey = (id: string, cycle: number, attempt: number) => ({
  pk: `incident#${id}`,
  sk: `outcome#${cycle}#${attempt}`,
});

/** What `remediate` came to, beside the evidence: it goes with its retention. The first outcome of an attempt stands. */
export function dynamoOutcomeStore(
  client: DynamoDBDocumentClient,
  table: string,
  retention: { readonly days: number; readonly clock: Clock },
): OutcomeStore {
  return {
    save: async (id, cycle, attempt, outcome) => {
      const ttl = Math.floor((retention.clock.now() + retention.days * MILLIS_PER_DAY) / 1000);
      const Item = { ...toKey(id, cycle, attempt), outcome, ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    load: async (id, cycle, attempt) => {
      const request = { TableName: table, Key: toKey(id, cycle, attempt), ConsistentRead: true };
      return (await client.send(new GetCommand(request))).Item?.outcome as RemediationOutcome | undefined;
    },
  };
}
