import type { Millis, Window } from '../time.ts';
import { toIso, toMillis } from '../time.ts';

/** Three intervals of 60 s without a proven read make a session blind. */
export const BLIND_AFTER_MS = 180_000;

/** A session whose pods have not spoken for this long, although the logs are proven, is quiet. */
const QUIET_AFTER_MS = 180_000;

/**
 * - `proven`: logs were read completely until `proven_until`, and pods of the play spoke.
 * - `quiet`: they were read completely, and no pod of the play spoke.
 * - `blind`: no proven read for three intervals, or the selector matches no stream; `reason` says why.
 * - `pending`: the session is too young to say.
 */
export type CoverageState = 'proven' | 'quiet' | 'blind' | 'pending';

export interface CoverageFacts {
  readonly startedAt: Millis;
  readonly endedAt: Millis | null;
  readonly now: Millis;
  readonly cursor: {
    readonly until: bigint;
    readonly provenAt: Millis | null;
    readonly failure: { readonly at: Millis; readonly reason: string; readonly advice: string } | null;
    readonly cluster?: {
      readonly at: Millis;
      readonly failure: { readonly reason: string; readonly advice: string } | null;
    } | null;
  } | null;
  readonly hasStreams: boolean;
  readonly gaps: readonly { readonly window: Window; readonly reason: string }[];
  /** Last line of a pod of this play. */
  readonly lastLineAt: Millis | null;
}

/** What the API shows of the logs of one session; a gap is a range that cannot be read any more. */
export interface CoverageView {
  readonly state: CoverageState;
  readonly proven_until: string | null;
  readonly last_line_at: string | null;
  readonly reason: string | null;
  readonly advice: string | null;
  readonly gaps: readonly { readonly from: string; readonly until: string; readonly reason: string }[];
  /**
   * What the last look at the cluster brought; absent where none is configured. `blind`: the cluster, or a part of it,
   * could not be read, and `reason` says why.
   */
  readonly cluster?: {
    readonly state: 'seen' | 'blind';
    readonly looked_at: string;
    readonly reason: string | null;
    readonly advice: string | null;
  };
  /** What was read of the namespace while the session ran, re-reading included. */
  readonly read?: { readonly windows: number; readonly lines: number; readonly bytes: number; readonly pages: number };
}

export function toCoverageView(facts: CoverageFacts): CoverageView {
  const { state, reason, advice } = judge(facts);
  const sight = facts.cursor?.cluster ?? null;
  return {
    state,
    proven_until: facts.cursor === null ? null : toIso(toMillis(facts.cursor.until)),
    last_line_at: facts.lastLineAt === null ? null : toIso(facts.lastLineAt),
    reason,
    advice,
    gaps: facts.gaps.map(({ window, reason: why }) => ({
      from: toIso(toMillis(window.since)),
      until: toIso(toMillis(window.until)),
      reason: why,
    })),
    ...(sight !== null && {
      cluster: {
        state: sight.failure === null ? 'seen' : 'blind',
        looked_at: toIso(sight.at),
        reason: sight.failure?.reason ?? null,
        advice: sight.failure?.advice ?? null,
      },
    }),
  };
}

interface Judgement {
  readonly state: CoverageState;
  readonly reason: string | null;
  readonly advice: string | null;
}

const NOTHING_READ = 'The logs of this play have not been read yet.';
const CHECK_SWEEP = 'Check that the sweep runs and that the window queue is consumed.';

function judge(facts: CoverageFacts): Judgement {
  const seenUntil = Math.min(facts.now, facts.endedAt ?? facts.now);
  const provenUntil = facts.cursor === null ? facts.startedAt : Math.max(toMillis(facts.cursor.until), facts.startedAt);
  const failure = facts.cursor?.failure ?? null;
  if (provenUntil < seenUntil && facts.now - provenUntil >= BLIND_AFTER_MS) {
    return { state: 'blind', reason: failure?.reason ?? NOTHING_READ, advice: failure?.advice ?? CHECK_SWEEP };
  }
  const unread = facts.cursor?.provenAt === null || facts.cursor === null;
  if (unread) return { state: 'pending', reason: failure?.reason ?? null, advice: failure?.advice ?? null };
  return judgeRead(facts, seenUntil);
}

/** Logs that are read and hold nothing at all: most often the selector looks in the wrong place. */
export const NO_STREAM = {
  reason: 'The log selector matches no stream.',
  advice: 'Check the namespace of the session and the selector template (LOKI_SELECTOR) against the labels in Loki.',
} as const;

function judgeRead(facts: CoverageFacts, seenUntil: Millis): Judgement {
  const age = seenUntil - facts.startedAt;
  if (!facts.hasStreams && age >= BLIND_AFTER_MS) return { state: 'blind', ...NO_STREAM };
  const silent = seenUntil - (facts.lastLineAt ?? facts.startedAt);
  if (silent < QUIET_AFTER_MS) {
    return { state: facts.lastLineAt === null ? 'pending' : 'proven', reason: null, advice: null };
  }
  if (facts.endedAt !== null && facts.lastLineAt !== null) return { state: 'proven', reason: null, advice: null };
  return { state: 'quiet', reason: 'The logs are complete, and no pod of this play has spoken.', advice: null };
}
