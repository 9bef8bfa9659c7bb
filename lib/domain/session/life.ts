import type { Millis } from '../time.ts';
import { toIso } from '../time.ts';
import type { SessionStatus } from './session.ts';

/** How a session can end. */
export const END_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies readonly SessionStatus[];
export type EndStatus = (typeof END_STATUSES)[number];

/**
 * What an active session becomes when its time is over and nobody ended it. Healer stops watching without knowing the
 * outcome, so it claims neither success nor failure; GitHub Actions concludes a job that ran out of time the same way.
 */
export const EXPIRED_STATUS: EndStatus = 'cancelled';

/** The moment itself is past the end. */
export const hasExpired = (status: SessionStatus, expiresAt: Millis, now: Millis): boolean =>
  status === 'active' && expiresAt <= now;

/**
 * The record as a reader sees it at `now`: an active session whose time is over reads as ended at that very time, whether
 * or not a sweep has stored the end yet.
 */
export function asOf<T extends { readonly status: SessionStatus; readonly lastUpdated: string }>(
  record: T,
  expiresAt: Millis,
  now: Millis,
): T {
  if (!hasExpired(record.status, expiresAt, now)) return record;
  const at = toIso(expiresAt);
  const end = 'endedAt' in record && { endedAt: at, endedBy: 'expiry' };
  return { ...record, status: EXPIRED_STATUS, lastUpdated: at, ...end };
}
