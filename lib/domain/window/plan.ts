import type { Millis, Nanos, Window } from '../time.ts';
import { NANOS_PER_SECOND, toWindow } from '../time.ts';

/**
 * Each read begins this long before the cursor: late lines arrive within it, and what was held is judged again. Loki's
 * collectors batch and retry for seconds to minutes.
 */
export const OVERLAP_NS: Nanos = 180n * NANOS_PER_SECOND;

/** A play is announced after it was submitted, so its first pod may speak before the session exists. */
export const START_MARGIN_NS: Nanos = 120n * NANOS_PER_SECOND;

/** Before the overlap a read takes this much as context only, so that a trace at its edge is not cut in two. */
export const LEAD_IN_NS: Nanos = 60n * NANOS_PER_SECOND;

/**
 * The stored last line of a pod that goes on speaking is at most this old: each look would write every pod otherwise, which
 * costs more than all else that a session does. When a play spoke last stands in the cursor, to the second.
 */
export const SIGN_OF_LIFE_NS: Nanos = 1_800n * NANOS_PER_SECOND;

/**
 * The look that a start asks for, in seconds. It, or one that comes before it, sees the new play and asks for the others:
 * it alone knows how many plays share the namespace.
 */
export const LOOK_AFTER_START_S = 10;

/** Looks after one that saw a new play or pod, in seconds: "within 60 s of the agent's start" is seen while it happens. */
const LOOKS_AFTER_NEWCOMER_S = [10, 20, 35, 55, 80] as const;

/** The look that an end asks for, in seconds; until the last lines have come, late as they may be, the cursor owes more. */
export const LOOK_AFTER_END_S = 5;

const LEAST_GAP_MS = 8_000;
const GAP_PER_PLAY_MS = 200;
const MOST_GAP_MS = 40_000;

/**
 * How long after a read a namespace is not read again, in milliseconds. A look that is asked for sooner finds next to
 * nothing, and the next one, within a minute, reads what it would have read. The more plays a look has to go through, the
 * more starts ask for it, and the longer the gap: never so long that an agent's first minute goes by unseen.
 */
export const lookGapMs = (plays: number): Millis =>
  Math.min(MOST_GAP_MS, Math.max(LEAST_GAP_MS, plays * GAP_PER_PLAY_MS));

/** With a longer gap the sweep, which asks each minute, comes about as soon as any look that the gap lets read. */
const SWEEP_IS_ENOUGH_MS = 30_000;

/** Looks after one that saw a new play or pod, in seconds, as far as the gap between two looks lets them read. */
export function looksAfterNewcomer(plays: number): readonly number[] {
  if (lookGapMs(plays) > SWEEP_IS_ENOUGH_MS) return [];
  const gapS = lookGapMs(plays) / 1000;
  return LOOKS_AFTER_NEWCOMER_S.reduce<readonly number[]>(
    (taken, after) => (after - (taken.at(-1) ?? 0) >= gapS ? [...taken, after] : taken),
    [],
  );
}

/** How long an ended session is still read: its last lines, late by up to the overlap. */
export const DRAIN_MS = 300_000;

/** What planning needs to know of a session. */
export interface PlannedPlay {
  readonly playId: string;
  readonly startNs: Nanos;
}

export interface ReadPlan {
  readonly window: Window;
  /** Findings anchored before this moment were told by an earlier read. */
  readonly emitFrom: Nanos;
  /** A play is read for the first time: the cursor goes to where this read ends, even if that is further back. */
  readonly hasNewcomer: boolean;
}

const earliest = (plays: readonly PlannedPlay[]): Nanos | undefined =>
  plays.map((play) => play.startNs).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0];

const min = (a: Nanos, b: Nanos): Nanos => (a < b ? a : b);
const max = (a: Nanos, b: Nanos): Nanos => (a > b ? a : b);

/**
 * What to read next for a (source, namespace): from the overlap before the cursor with its lead-in, or from the start of a play that has
 * not been read yet, up to `now`; never before the first play's own start. Undefined when there is nothing to read.
 */
export function planRead(
  cursor: { readonly until: Nanos; readonly plays: readonly string[] },
  plays: readonly PlannedPlay[],
  now: Nanos,
  withOverlap = true,
): ReadPlan | undefined {
  const first = earliest(plays);
  if (first === undefined) return undefined;
  const floor = first - START_MARGIN_NS;
  const newcomers = plays.filter((play) => !cursor.plays.includes(play.playId));
  const newest = earliest(newcomers);
  const read = withOverlap ? cursor.until - OVERLAP_NS : cursor.until;
  // Before this moment all has been told by earlier reads.
  const untold = newest === undefined ? read : min(read, newest - START_MARGIN_NS);
  const since = max(withOverlap ? untold - LEAD_IN_NS : untold, floor);
  if (since >= now) return undefined;
  return { window: toWindow(since, now), emitFrom: max(untold, since), hasNewcomer: newest !== undefined };
}

/** Where a cursor begins that does not exist yet. */
export const cursorOrigin = (plays: readonly PlannedPlay[], now: Nanos): Nanos =>
  (earliest(plays) ?? now) - START_MARGIN_NS;
