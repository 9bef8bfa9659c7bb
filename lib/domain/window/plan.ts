import type { Nanos, Window } from '../time.ts';
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

/** Looks after a start, in seconds: "within 60 s of the agent's start" is seen while it happens. */
export const LOOKS_AFTER_START_S = [10, 20, 35, 55, 80] as const;

/** Looks after an end: the last lines of a pod arrive late. */
export const LOOKS_AFTER_END_S = [5, 65, 185] as const;

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
