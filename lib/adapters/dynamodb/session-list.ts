import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Page, SessionStore } from '#lib/app/ports.ts';
import { EXPIRED_STATUS } from '#lib/domain/session/life.ts';
import { SESSION_STATUSES, type SessionStatus, type SessionSummary } from '#lib/domain/session/session.ts';
import { type Millis, toIso } from '#lib/domain/time.ts';
import { parseCursor, toCursor } from './list-cursor.ts';
import { type SessionPlace, type SummaryItem, toSummary } from './session-items.ts';

type SessionsQuery = Parameters<SessionStore['list']>[0];

/** One partition of an index, newest first, with a filter on what is not a key of it. */
interface Partition {
  readonly index: string;
  readonly key: string;
  readonly value: string;
  readonly filter?: string | undefined;
  /** Value of `:status` in the filter. */
  readonly status?: SessionStatus | undefined;
  /** The oldest key that is asked for. */
  readonly from?: string | undefined;
}

/** What was read of a partition. `until`: nothing older than this key was looked at; undefined: read to its end. */
interface Stretch {
  readonly items: readonly SummaryItem[];
  readonly until: string | undefined;
}

const STARTED_KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w.-]{1,253}$/;
/** Requests that one partition may take for a page; a page that would need more ends early and has a cursor. */
const MAX_REQUESTS = 20;

/** Expired sessions are filtered here, since DynamoDB removes and a sweep ends them later than their time. */
export async function listSessionItems(place: SessionPlace, query: SessionsQuery): Promise<Page<SessionSummary>> {
  const now = place.clock.now();
  const before = query.cursor === undefined ? undefined : parseCursor(query.cursor, STARTED_KEY);
  const stretches = await Promise.all(
    partitions(query).map((partition) => readPartition(place, partition, { before, limit: query.limit, now })),
  );
  return toPage(stretches, query.limit, now);
}

/** An active session whose time is over is stored as active and shown as {@link EXPIRED_STATUS}. */
const ACTIVE = 'expires_at > :now';
const EXPIRED = 'expires_at <= :now';

function partitions({ status, repository, namespace, since }: SessionsQuery): readonly Partition[] {
  if (namespace !== undefined)
    return [
      { index: 'by-namespace', key: 'namespace', value: namespace, from: since === undefined ? since : toIso(since) },
    ];
  if (repository !== undefined)
    return [{ index: 'by-repository', key: 'repository_name', value: repository, filter: shownAs(status), status }];
  const stored = (value: SessionStatus, filter?: string) => ({ index: 'by-status', key: 'status', value, filter });
  if (status === undefined) return SESSION_STATUSES.map((one) => stored(one));
  if (status === 'active') return [stored('active', ACTIVE)];
  return status === EXPIRED_STATUS ? [stored(status), stored('active', EXPIRED)] : [stored(status)];
}

function shownAs(status: SessionStatus | undefined): string | undefined {
  if (status === undefined) return undefined;
  if (status === 'active') return `#status = :status AND ${ACTIVE}`;
  return status === EXPIRED_STATUS ? `(#status = :status OR (#status = :active AND ${EXPIRED}))` : '#status = :status';
}

async function readPartition(
  { client, table }: SessionPlace,
  partition: Partition,
  page: { before: string | undefined; limit: number; now: Millis },
): Promise<Stretch> {
  const items: SummaryItem[] = [];
  let position: Record<string, unknown> | undefined;
  for (let request = 0; request < MAX_REQUESTS && items.length <= page.limit; request += 1) {
    const input = { ...toInput(table, partition, page), ExclusiveStartKey: position };
    const answer = await client.send(new QueryCommand(input));
    items.push(...((answer.Items ?? []) as SummaryItem[]).filter((item) => item.started_key !== page.before));
    position = answer.LastEvaluatedKey;
    if (position === undefined) break;
  }
  return { items, until: position && String(position.started_key) };
}

function toInput(
  table: string,
  { index, key, value, filter, status, from }: Partition,
  { before, limit, now }: { before: string | undefined; limit: number; now: Millis },
): QueryCommandInput {
  const filters = ['#ttl > :seconds', ...(filter === undefined ? [] : [filter])].join(' AND ');
  const conditions = ['#key = :key', ...keyRange(from, before)].join(' AND ');
  const used = (name: string) => filters.includes(name);
  return {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: conditions,
    FilterExpression: filters,
    ExpressionAttributeNames: { '#key': key, '#ttl': 'ttl', ...(used('#status') && { '#status': 'status' }) },
    ExpressionAttributeValues: {
      ':key': value,
      ':seconds': Math.floor(now / 1000),
      ...(before !== undefined && { ':before': before }),
      ...(from !== undefined && { ':from': from }),
      ...(used(':now') && { ':now': now }),
      ...(used(':status') && { ':status': status }),
      ...(used(':active') && { ':active': 'active' }),
    },
    ScanIndexForward: false,
    // One more than asked tells whether there is a next page.
    Limit: limit + 1,
  };
}

/** DynamoDB takes one condition on the key; BETWEEN includes `before` itself, which {@link readPartition} leaves out. */
function keyRange(from: string | undefined, before: string | undefined): readonly string[] {
  if (from !== undefined)
    return [before === undefined ? 'started_key >= :from' : 'started_key BETWEEN :from AND :before'];
  return before === undefined ? [] : ['started_key < :before'];
}

/** Merges newest first, down to where every partition was read. Who ended between two readings stands in both, and has ended. */
function toPage(stretches: readonly Stretch[], limit: number, now: Millis): Page<SessionSummary> {
  const horizon = stretches.map(({ until }) => until ?? '').reduce((a, b) => (a > b ? a : b), '');
  const all = stretches.flatMap(({ items }) => items);
  const merged = [...new Map(all.map((item) => [item.started_key, item])).values()]
    .filter((item) => item.started_key >= horizon)
    .sort((a, b) => (a.started_key < b.started_key ? 1 : -1));
  const shown = merged.slice(0, limit);
  const next = merged.length > limit ? shown.at(-1)?.started_key : horizon;
  return { items: shown.map((item) => toSummary(item, now)), ...(next && { cursor: toCursor(next) }) };
}
