import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { SessionStore, StartOutcome } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Ender, Session } from '#lib/domain/session/session.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { putIf, updateIf } from './conditional.ts';
import { endExpired } from './session-expiry.ts';
import { isOver, type SessionItem, type SessionPlace, toSession, toSessionItem } from './session-items.ts';
import { listSessionItems } from './session-list.ts';

/** A start that meets a session which ends at that moment tries again, this often. */
const MAX_START_TRIES = 4;

/** Sessions in DynamoDB. One item a session, one conditional write a change. */
export const sessionStore = (place: SessionPlace): SessionStore => ({
  start: (session, times) => start(place, session, times),
  get: async (playId) => {
    const item = await read(place, playId);
    return item && toSession(item, place.clock.now());
  },
  list: (query) => listSessionItems(place, query),
  end: (playId, status, at, by = 'call') => end(place, playId, { status, at, by }),
  endExpired: (now, limit) => endExpired(place, now, limit),
});

async function start(
  place: SessionPlace,
  session: Session,
  times: { expiresAt: Millis; removeAt: Millis },
): Promise<StartOutcome> {
  const now = Date.parse(session.startedAt);
  for (let attempt = 0; attempt < MAX_START_TRIES; attempt += 1) {
    if (await claimStart(place, toSessionItem(session, times), now)) return { kind: 'started', session };
    const item = await read(place, session.playId);
    const stored = item && !isOver(item, now) ? toSession(item, now) : undefined;
    if (stored !== undefined)
      return { kind: stored.declarationHash === session.declarationHash ? 'repeated' : 'differs', session: stored };
  }
  throw new SourceError({
    source: 'dynamodb',
    message: `Session ${session.playId} is being started and ended by several callers at once.`,
    retryable: true,
    advice: 'Send it again.',
  });
}

/** False: an active session of that id is stored. */
const claimStart = ({ client, table }: SessionPlace, item: SessionItem, now: Millis): Promise<boolean> =>
  putIf(client, {
    TableName: table,
    Item: item,
    ConditionExpression:
      'attribute_not_exists(play_id) OR #status <> :active OR expires_at <= :now OR #ttl <= :seconds',
    ExpressionAttributeNames: { '#status': 'status', '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':active': 'active', ':now': now, ':seconds': Math.floor(now / 1000) },
  });

async function read({ client, table }: SessionPlace, playId: string): Promise<SessionItem | undefined> {
  const get = new GetCommand({ TableName: table, Key: { play_id: playId }, ConsistentRead: true });
  return (await client.send(get)).Item as SessionItem | undefined;
}

interface End {
  readonly status: EndStatus;
  readonly at: Millis;
  readonly by: Ender;
}

async function end(place: SessionPlace, playId: string, { status, at, by }: End): Promise<Session | undefined> {
  const ended = await updateIf(place.client, {
    TableName: place.table,
    Key: { play_id: playId },
    UpdateExpression:
      'SET #status = :status, ended_at = :at, last_updated = :at, ended_by = :by, #ttl = :seconds + retention_seconds',
    ConditionExpression: '#status = :active AND expires_at > :now',
    ExpressionAttributeNames: { '#status': 'status', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':status': status,
      ':active': 'active',
      ':at': toIso(at),
      ':by': by,
      ':now': at,
      ':seconds': Math.ceil(at / 1000),
    },
  });
  const item = (ended as SessionItem | undefined) ?? (await read(place, playId));
  return item && toSession(item, at);
}
