import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { QueueName } from '#lib/flow.ts';
import { toUpdate, updateIf } from './conditional.ts';
import { headKey, type Item } from './incident-items.ts';
import { DUE_LIST } from './query.ts';

/** States in which nothing more is told of an incident. */
const ENDS: ReadonlySet<unknown> = new Set(['resolved', 'dismissed', 'escalated']);

/** The stage from which all others follow: a wish for a later one does not displace it. */
const FIRST: QueueName = 'evidence';

/**
 * Notes work that is wanted while the head owes other work: it is taken up when that is done. Otherwise what was found
 * meanwhile would wait for the next finding.
 */
export async function noteWanted(
  client: DynamoDBDocumentClient,
  table: string,
  wanted: { readonly id: string; readonly next: QueueName; readonly due: number },
): Promise<void> {
  await updateIf(client, {
    TableName: table,
    Key: headKey(wanted.id),
    UpdateExpression: 'SET wanted_next = :next, wanted_due = :due',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(wanted_next) OR wanted_next <> :first OR :next = :first)',
    ExpressionAttributeValues: { ':next': wanted.next, ':due': wanted.due, ':first': FIRST },
  });
}

/** Takes up what was wanted, once the head owes nothing or merely rests. @param item the head as a change left it */
export async function takeUpWanted(client: DynamoDBDocumentClient, table: string, item: Item): Promise<void> {
  const isFree = item.next === undefined || item.rests === true;
  if (item.wanted_next === undefined || !isFree) return;
  const wanted = ENDS.has(item.state)
    ? {}
    : { next: item.wanted_next, due: item.wanted_due, due_list: DUE_LIST, attempt: 0, rests: null };
  const update = toUpdate({ ...wanted, wanted_next: null, wanted_due: null });
  await updateIf(client, {
    TableName: table,
    Key: headKey(item.id as string),
    UpdateExpression: update.expression,
    ConditionExpression: 'version = :read AND attribute_not_exists(lease_owner)',
    ExpressionAttributeNames: update.names,
    ExpressionAttributeValues: { ...update.values, ':read': item.version },
  });
}
