import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { EXPIRED_STATUS } from '#lib/domain/session/life.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { updateIf } from './conditional.ts';
import type { SessionItem, SessionPlace } from './session-items.ts';

/** Items of the index that one pass looks at; sessions expire in about the order in which they started. */
const LOOKED_AT = 200;

/**
 * Ends stored-active sessions whose time is over, at the very moment at which readers already see them ended, so that the
 * index of active sessions holds active ones only.
 */
export async function endExpired(place: SessionPlace, now: Millis, limit: number): Promise<number> {
  const { Items = [] } = await place.client.send(
    new QueryCommand({
      TableName: place.table,
      IndexName: 'by-status',
      KeyConditionExpression: '#status = :active',
      FilterExpression: 'expires_at <= :now',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':active': 'active', ':now': now },
      Limit: LOOKED_AT,
    }),
  );
  let ended = 0;
  for (const item of Items.slice(0, limit) as SessionItem[]) if (await endOne(place, item, now)) ended += 1;
  return ended;
}

async function endOne({ client, table }: SessionPlace, item: SessionItem, now: Millis): Promise<boolean> {
  const at = toIso(item.expires_at);
  const changed = await updateIf(client, {
    TableName: table,
    Key: { play_id: item.play_id },
    UpdateExpression: 'SET #status = :ended, ended_at = :at, last_updated = :at, ended_by = :by',
    ConditionExpression: '#status = :active AND expires_at <= :now',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':ended': EXPIRED_STATUS,
      ':active': 'active',
      ':at': at,
      ':now': now,
      ':by': 'expiry',
    },
  });
  return changed !== undefined;
}
