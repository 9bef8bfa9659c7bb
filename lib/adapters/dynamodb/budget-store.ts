import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { BudgetStore, Reservation } from '#lib/app/ports.ts';
import { type BudgetLimits, type BudgetScope, NOTHING, type Spend } from '#lib/domain/model/spend.ts';
import { toIso } from '#lib/domain/time.ts';
import { updateIf } from './conditional.ts';

const SECONDS_PER_DAY = 86_400;

/** An account outlives what it belongs to; a play ends within 48 h, an incident may come back within months. */
const KEPT_DAYS: Readonly<Record<BudgetScope, number>> = { incident: 180, play: 30, day: 7 };

const SCOPES: readonly BudgetScope[] = ['day', 'play', 'incident'];

const keyOf = (scope: BudgetScope, { incident, play, at }: Reservation) => {
  const name = { incident, play, day: toIso(at).slice(0, 10) }[scope];
  return { pk: `${scope}#${name}` };
};

/**
 * One account an incident, a play and a day: what is held and what was used, as one sum, and the ids of the calls that are
 * under way. A call is counted before it is made, by a conditional update of each account, so that racing callers never
 * hold more than the limit together; a caller that dies leaves its hold, and the account is never too low. The ids make
 * each step idempotent: a reply that is lost and a write that is sent again change nothing.
 */
export function dynamoBudgetStore(client: DynamoDBDocumentClient, table: string, limits: BudgetLimits): BudgetStore {
  return {
    reserve: async (reservation) => {
      const held: BudgetScope[] = [];
      for (const scope of SCOPES) {
        if (!(await hold(client, table, scope, reservation, limits[scope]))) {
          for (const other of held) await release(client, table, other, reservation, NOTHING);
          return { granted: false, scope };
        }
        held.push(scope);
      }
      return { granted: true };
    },
    settle: async (reservation, used) => {
      const accounts = new Map<BudgetScope, Spend | undefined>();
      for (const scope of SCOPES) accounts.set(scope, await release(client, table, scope, reservation, used));
      const day = accounts.get('day');
      return day && shareOf(day, limits.day);
    },
  };
}

async function hold(
  client: DynamoDBDocumentClient,
  table: string,
  scope: BudgetScope,
  reservation: Reservation,
  limit: Spend,
): Promise<boolean> {
  const { id, at, most } = reservation;
  const room = { tokens: limit.tokens - most.tokens, microUsd: limit.microUsd - most.microUsd };
  if (room.tokens < 0 || room.microUsd < 0) return false;
  const Key = keyOf(scope, reservation);
  const item = await updateIf(client, {
    TableName: table,
    Key,
    UpdateExpression: 'SET #ttl = :ttl ADD tokens :tokens, micro_usd :micros, calls :id',
    ConditionExpression:
      'attribute_not_exists(pk) OR (tokens <= :tokenRoom AND micro_usd <= :microRoom AND NOT contains(calls, :call))',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':tokens': most.tokens,
      ':micros': most.microUsd,
      ':id': new Set([id]),
      ':call': id,
      ':tokenRoom': room.tokens,
      ':microRoom': room.microUsd,
      ':ttl': Math.floor(at / 1000) + KEPT_DAYS[scope] * SECONDS_PER_DAY,
    },
  });
  return item !== undefined || (await isHeld(client, table, Key, id));
}

/** A write that was sent again finds its own first try. */
async function isHeld(client: DynamoDBDocumentClient, table: string, Key: { pk: string }, id: string) {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item?.['calls'] instanceof Set && Item['calls'].has(id);
}

/** Of money or of tokens, whichever is nearer to its end. */
const shareOf = (used: Spend, limit: Spend): number =>
  Math.max(used.tokens / Math.max(1, limit.tokens), used.microUsd / Math.max(1, limit.microUsd));

/**
 * Conditional on the call being under way; a second time finds it gone, does nothing and returns undefined. Else returns
 * what the account says afterwards.
 */
async function release(
  client: DynamoDBDocumentClient,
  table: string,
  scope: BudgetScope,
  reservation: Reservation,
  used: Spend,
): Promise<Spend | undefined> {
  const { id, most } = reservation;
  const item = await updateIf(client, {
    TableName: table,
    Key: keyOf(scope, reservation),
    UpdateExpression: 'ADD tokens :tokens, micro_usd :micros DELETE calls :id',
    ConditionExpression: 'contains(calls, :call)',
    ExpressionAttributeValues: {
      ':tokens': used.tokens - most.tokens,
      ':micros': used.microUsd - most.microUsd,
      ':id': new Set([id]),
      ':call': id,
    },
  });
  return item && { tokens: Number(item['tokens']), microUsd: Number(item['micro_usd']) };
}
