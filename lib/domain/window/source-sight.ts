import { type Millis, type Nanos, toMillis } from '../time.ts';
import { BLIND_AFTER_MS } from './coverage-view.ts';

/** What one namespace's cursor says of how well it is seen. */
export interface SightCursor {
  readonly until: Nanos;
  readonly isAstray?: boolean;
  readonly cluster?: { readonly failure: unknown; readonly isLeftOut?: boolean } | null;
}

/** How well one namespace is seen at a moment. */
export interface SourceSight {
  /** Milliseconds from the last proven line to that moment. */
  readonly unprovenMs: number;
  /** Active sessions whose logs are blind, as `GET /api/v1/session/{play_id}` shows them. */
  readonly blindSessions: number;
  /** Logs or cluster of the namespace cannot be seen. */
  readonly isBlind: boolean;
}

/**
 * Judges one namespace.
 * @param cursor undefined: it has never been read
 * @param starts when its active sessions started; none: the cursor owes a read for sessions that have ended
 */
export function toSourceSight(cursor: SightCursor | undefined, starts: readonly Millis[], now: Millis): SourceSight {
  const provenUntil = cursor === undefined ? Number.NEGATIVE_INFINITY : toMillis(cursor.until);
  const ages = starts.map((start) => now - Math.max(provenUntil, start));
  const owed = starts.length === 0 && cursor !== undefined ? [now - provenUntil] : [];
  const unprovenMs = Math.max(0, ...ages, ...owed);
  const isAstray = cursor?.isAstray === true;
  const blindSessions = starts.filter(
    (start, index) => (ages[index] ?? 0) >= BLIND_AFTER_MS || (isAstray && now - start >= BLIND_AFTER_MS),
  ).length;
  const isClusterBlind = (cursor?.cluster?.failure ?? null) !== null && cursor?.cluster?.isLeftOut !== true;
  return { unprovenMs, blindSessions, isBlind: blindSessions > 0 || unprovenMs >= BLIND_AFTER_MS || isClusterBlind };
}
