import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Ender, Session, SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { TokenRecord } from '#lib/domain/token.ts';
import type { ListQuery, Page } from './system.ts';

export type StartOutcome =
  | { readonly kind: 'started' | 'repeated'; readonly session: Session }
  /** An active session of that id has another declaration. */
  | { readonly kind: 'differs'; readonly session: Session };

export interface SessionStore {
  /** One conditional write: fifty racing starts of one id leave one record. An ended or expired session starts anew. */
  start(session: Session, times: { expiresAt: Millis; removeAt: Millis }): Promise<StartOutcome>;
  /** Undefined also for a record whose retention has passed but which TTL has not removed yet. */
  get(playId: string): Promise<Session | undefined>;
  /**
   * `repository` is the canonical name. Statuses are those that {@link get} shows. `namespace` and `since` go together and
   * with nothing else: sessions of a namespace, ended ones too, that started at that moment or later.
   */
  list(
    query: ListQuery & {
      status?: SessionStatus | undefined;
      repository?: string | undefined;
      namespace?: string | undefined;
      since?: Millis | undefined;
    },
  ): Promise<Page<SessionSummary>>;
  /**
   * Ends an active session; returns what is stored now, undefined when there is none. Ending twice keeps the first end.
   * The record is kept for its retention from then on.
   *
   * @param by who ends it; the end call when absent.
   */
  end(playId: string, status: EndStatus, at: Millis, by?: Ender): Promise<Session | undefined>;
  /** Stores the end of active sessions whose time is over, oldest first, at most `limit`. Returns their number. */
  endExpired(now: Millis, limit: number): Promise<number>;
}

/** The bearer tokens of the API. Only hashes of secrets are stored. */
export interface TokenStore {
  /** Returns the token, which cannot be read again later. Expires never when `expiresAt` is absent. */
  create(token: { name: string; now: Millis; expiresAt?: Millis }): Promise<{ id: string; token: string }>;
  find(id: string): Promise<TokenRecord | undefined>;
  /** Oldest first, as it is at this moment. */
  list(): Promise<readonly TokenRecord[]>;
  /** Notes the hour of the last use, once an hour and within a second. @throws SourceError */
  noteUse(id: string, hour: Millis): Promise<void>;
  /** Revoking twice keeps the first moment. Undefined: there is no such token. */
  revoke(id: string, now: Millis): Promise<TokenRecord | undefined>;
}
