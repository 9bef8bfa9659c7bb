import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { IncidentStore } from '#lib/app/ports.ts';
import { ABSENT, putIf, toUpdate, updateIf } from './conditional.ts';
import {
  fromHeadItem,
  fromWorkItem,
  headKey,
  type Item,
  itemKey,
  toHeadItem,
  toOccurrenceItem,
} from './incident-items.ts';
import { noteWanted, takeUpWanted } from './incident-wanted.ts';
import { DUE_LIST, overdueItems } from './query.ts';

type Heads = Pick<IncidentStore, 'record' | 'get' | 'claim' | 'change' | 'rest' | 'request' | 'overdue' | 'reschedule'>;

/** The head of an incident: who owes it work, who holds it, what became of it. */
export function incidentHeads(client: DynamoDBDocumentClient, table: string): Heads {
  const get: IncidentStore['get'] = async (id) => {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key: headKey(id), ConsistentRead: true }));
    return Item === undefined ? undefined : fromHeadItem(Item);
  };
  return {
    get,
    record: async (occurrence, fresh) => {
      await putIf(client, { TableName: table, Item: toHeadItem(fresh), ConditionExpression: ABSENT });
      const Item = toOccurrenceItem(occurrence);
      const isNew = await putIf(client, { TableName: table, Item, ConditionExpression: ABSENT });
      return { incident: (await get(occurrence.incidentId)) ?? fresh, isNew };
    },
    claim: (claim) => claimHead(client, table, claim),
    change: (incident, change, stage, at) => changeHead(client, table, { incident, change, stage, at }),
    rest: (incident, due) => restHead(client, table, incident, due),
    request: async (id, next, due) => {
      const update = toUpdate({ next, due, due_list: DUE_LIST, attempt: 0, rests: null });
      const asked = await updateIf(client, {
        TableName: table,
        Key: headKey(id),
        UpdateExpression: update.expression,
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(#next) OR (#rests = :rests AND attribute_not_exists(lease_until)))',
        ExpressionAttributeNames: update.names,
        ExpressionAttributeValues: { ...update.values, ':rests': true },
      });
      if (asked === undefined) await noteWanted(client, table, { id, next, due });
    },
    overdue: async (now, limit) => (await overdueItems(client, table, now, limit)).map(fromWorkItem),
    reschedule: async (work, due) => {
      const changed = await updateIf(client, {
        TableName: table,
        Key: headKey(work.id),
        UpdateExpression: 'SET due = :due',
        ConditionExpression: 'due = :old',
        ExpressionAttributeValues: { ':due': due, ':old': work.due },
      });
      return changed !== undefined;
    },
  };
}

async function claimHead(client: DynamoDBDocumentClient, table: string, claim: Parameters<IncidentStore['claim']>[0]) {
  // `due` moves to the lease's end, so that the sweep does not send again what is being worked on.
  const item = await updateIf(client, {
    TableName: table,
    Key: headKey(claim.id),
    UpdateExpression: 'SET lease_owner = :owner, lease_until = :until, due = :until, due_list = :list',
    ConditionExpression:
      '#next = :stage AND (attribute_not_exists(lease_until) OR lease_until <= :now)' +
      ' AND (attribute_not_exists(not_before) OR not_before <= :now)',
    ExpressionAttributeNames: { '#next': 'next' },
    ExpressionAttributeValues: {
      ':owner': claim.owner,
      ':until': claim.until,
      ':now': claim.now,
      ':stage': claim.stage,
      ':list': DUE_LIST,
    },
  });
  return item === undefined ? undefined : fromHeadItem(item);
}

/** `rests` marks a head whose stage merely looks again: somebody who has work for another stage may put that in. */
async function restHead(
  client: DynamoDBDocumentClient,
  table: string,
  ...[incident, due]: Parameters<IncidentStore['rest']>
): Promise<boolean> {
  const update = toUpdate({ due, due_list: DUE_LIST, attempt: 0, rests: true, lease_owner: null, lease_until: null });
  const changed = await updateIf(client, {
    TableName: table,
    Key: headKey(incident.id),
    UpdateExpression: update.expression,
    ConditionExpression: 'version = :read AND lease_owner = :held',
    ExpressionAttributeNames: update.names,
    ExpressionAttributeValues: { ...update.values, ':read': incident.version, ':held': incident.lease?.owner ?? '' },
  });
  if (changed !== undefined) await takeUpWanted(client, table, changed);
  return changed !== undefined;
}

interface HeadChange {
  readonly incident: Parameters<IncidentStore['change']>[0];
  readonly change: Parameters<IncidentStore['change']>[1];
  readonly stage: string;
  readonly at: number;
}

/** The history line is written first, under the version it leads to: a crash between the two repeats it, never loses it. */
async function changeHead(client: DynamoDBDocumentClient, table: string, change: HeadChange): Promise<boolean> {
  const { incident } = change;
  const version = incident.version + 1;
  await putHistory(client, table, version, change);
  const update = toUpdate({ ...toAttributes(change), version });
  const owner = incident.lease?.owner;
  const held = owner === undefined ? '' : ' AND lease_owner = :held';
  const changed = await updateIf(client, {
    TableName: table,
    Key: headKey(incident.id),
    UpdateExpression: update.expression,
    ConditionExpression: `version = :read${held}`,
    ExpressionAttributeNames: { ...update.names },
    ExpressionAttributeValues: { ...update.values, ':read': incident.version, ...(owner && { ':held': owner }) },
  });
  if (changed !== undefined) await takeUpWanted(client, table, changed);
  return changed !== undefined;
}

async function putHistory(
  client: DynamoDBDocumentClient,
  table: string,
  version: number,
  { incident, change, stage, at }: HeadChange,
): Promise<void> {
  if (change.event === null) return;
  const sk = `history#${String(version).padStart(8, '0')}`;
  const line = { at, stage, event: change.event.slice(0, 1000) };
  await client.send(new PutCommand({ TableName: table, Item: { ...itemKey(incident.id, sk), ...line } }));
}

function toAttributes({ change, at }: HeadChange): Item {
  const { event: _event, notBefore, due, issue, pull, rests, ...plain } = change;
  return {
    ...plain,
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(due !== undefined && { due, due_list: due === null ? null : DUE_LIST }),
    ...(issue !== undefined && { issue_number: issue?.number ?? null, issue_url: issue?.url ?? null }),
    ...(pull !== undefined && { pull_number: pull?.number ?? null, pull_url: pull?.url ?? null }),
    updated_at: at,
    rests: rests === true ? true : null,
    lease_owner: null,
    lease_until: null,
  };
}
