import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#lib/app/ports.ts';
import { asOf, hasExpired } from '#lib/domain/session/life.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { Ender, Session, SessionDeclaration, SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';

/** Where sessions are stored, and the clock that tells which of them are over. */
export interface SessionPlace {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

/** What the list indexes project. */
export interface SummaryItem {
  readonly play_id: string;
  readonly repository: string;
  readonly repository_name: string;
  readonly namespace: string;
  readonly status: SessionStatus;
  readonly task_count: number;
  readonly started_at: string;
  readonly last_updated: string;
  /** Start and id, so that the order of a list is total. */
  readonly started_key: string;
  /** Milliseconds since the epoch: when an active session's time is over. */
  readonly expires_at: Millis;
  /** Seconds since the epoch: when the record may go. */
  readonly ttl: number;
}

/** One session, keyed by `play_id`. */
export interface SessionItem extends SummaryItem {
  readonly ended_at: string | null;
  readonly ended_by: Ender | null;
  /** Seconds for which the record is kept after its end: an end moves `ttl` to that. */
  readonly retention_seconds: number;
  readonly declaration_hash: string;
  /** JSON of service, agents and tasks, gzipped: nothing asks for a part of it, and each write is billed by its bytes. */
  readonly declaration: Uint8Array;
}

type Declared = Pick<SessionDeclaration, 'service' | 'agents' | 'tasks'>;

export function toSessionItem(session: Session, times: { expiresAt: Millis; removeAt: Millis }): SessionItem {
  const { service, agents, tasks } = session;
  return {
    play_id: session.playId,
    started_key: `${session.startedAt}#${session.playId}`,
    repository: session.repository,
    repository_name: toRepositoryName(session.repository),
    namespace: session.namespace,
    status: session.status,
    task_count: tasks.length,
    started_at: session.startedAt,
    last_updated: session.lastUpdated,
    ended_at: session.endedAt,
    ended_by: session.endedBy,
    retention_seconds: Math.ceil((times.removeAt - times.expiresAt) / 1000),
    expires_at: times.expiresAt,
    ttl: Math.ceil(times.removeAt / 1000),
    declaration_hash: session.declarationHash,
    declaration: gzipSync(JSON.stringify({ service, agents, tasks } satisfies Declared)),
  };
}

/** The session as it reads at `now`; undefined when its retention has passed. */
export function toSession(item: SessionItem, now: Millis): Session | undefined {
  if (isRemoved(item, now)) return undefined;
  const { service, agents, tasks } = JSON.parse(gunzipSync(item.declaration).toString('utf8')) as Declared;
  const session: Session = {
    playId: item.play_id,
    repository: item.repository,
    service,
    namespace: item.namespace,
    agents,
    tasks,
    status: item.status,
    startedAt: item.started_at,
    lastUpdated: item.last_updated,
    endedAt: item.ended_at,
    endedBy: item.ended_by,
    declarationHash: item.declaration_hash,
  };
  return asOf(session, item.expires_at, now);
}

/** The summary as it reads at `now`. */
export const toSummary = (item: SummaryItem, now: Millis): SessionSummary =>
  asOf(
    {
      playId: item.play_id,
      repository: item.repository,
      namespace: item.namespace,
      status: item.status,
      taskCount: item.task_count,
      startedAt: item.started_at,
      lastUpdated: item.last_updated,
    },
    item.expires_at,
    now,
  );

const isRemoved = (item: SummaryItem, now: Millis): boolean => item.ttl * 1000 <= now;

/** Whether a start may take the place of the item. */
export const isOver = (item: SessionItem, now: Millis): boolean =>
  item.status !== 'active' || hasExpired(item.status, item.expires_at, now) || isRemoved(item, now);
