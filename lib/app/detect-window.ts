import { SourceError } from '#lib/domain/errors.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Millis, toMillis, toNanos } from '#lib/domain/time.ts';
import { NO_STREAM } from '#lib/domain/window/coverage-view.ts';
import { cursorOrigin, lookGapMs, type PlannedPlay, planRead } from '#lib/domain/window/plan.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import { listWatched } from './list-watched.ts';
import { type ClusterLooker, openCluster } from './look-at-cluster.ts';
import type { Cursor } from './ports.ts';
import { INTERVAL_MS, type Reading, readWindow } from './read-window.ts';

export type DetectOutcome =
  | {
      readonly kind: 'done';
      readonly lines: number;
      readonly findings: number;
      /** Findings that no earlier look had stored. */
      readonly fresh: number;
      /** Why the cluster, or a part of it, could not be read, and what an operator can do. */
      readonly cluster?: string;
      /** What an operator can do about what could not be read: the cluster, or logs where the selector finds none. */
      readonly advice?: string;
    }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'postponed'; readonly reason: string; readonly advice: string };

/** Longer than the function's timeout (60 s): a second reader never starts while the first may still write. */
const LEASE_MS = 90_000;
/** Rounds of one invocation when the logs are too many for one read; the sweep asks again for the rest. */
const MAX_ROUNDS = 10;

/**
 * One look at a (source, namespace): reads what the cursor has not proven yet, detects, stores findings, and only then moves
 * the cursor. A source that does not answer leaves the cursor where it is and says why.
 */
export const detectWindow =
  (ports: DetectPorts, options: DetectOptions) =>
  async ({ source, namespace }: { source: string; namespace: string }): Promise<DetectOutcome> => {
    const total = { lines: 0, findings: 0, fresh: 0 };
    const cluster = openCluster(ports, namespace);
    let isStuck = false;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const place = { source, namespace, cluster, overlap: !isStuck, isFirst: round === 0 };
      const looked = await lookOnce(ports, options, place);
      if (looked.kind !== 'read') return round === 0 ? looked : { kind: 'done', ...total };
      total.lines += looked.lines;
      total.findings += looked.findings;
      total.fresh += looked.fresh;
      Object.assign(total, toBlindness(looked));
      if (looked.isCurrent) break;
      isStuck = !looked.hasMoved;
    }
    return { kind: 'done', ...total };
  };

function toBlindness({ sight, isAstray }: Reading) {
  const failure = sight?.failure ?? null;
  const advice = [isAstray ? NO_STREAM.advice : null, failure?.advice].filter(Boolean).join(' ');
  return {
    ...(failure !== null && { cluster: `${failure.reason}. ${failure.advice}` }),
    ...(advice !== '' && { advice }),
  };
}

type Look = Reading | Exclude<DetectOutcome, { kind: 'done' }>;

interface Place {
  readonly source: string;
  readonly namespace: string;
  readonly cluster: ClusterLooker;
  /** False after a read that ended inside the overlap: then the cursor could never move. */
  readonly overlap: boolean;
  /** The first round of a message; those after it read what the first had no room for. */
  readonly isFirst: boolean;
}

async function lookOnce(ports: DetectPorts, options: DetectOptions, place: Place): Promise<Look> {
  const { source, namespace } = place;
  const now = ports.clock.now();
  const known = await ports.windows.cursor(source, namespace);
  const untimely = place.isFirst ? whyNotYet(known, now) : null;
  if (untimely !== null) return { kind: 'skipped', reason: untimely };
  const sessions = await listWatched(ports, namespace, known, now);
  const plays = sessions.map(toPlannedPlay);
  if (plays.length === 0) {
    await ports.windows.rest(source, namespace, now);
    return { kind: 'skipped', reason: 'no session to watch' };
  }
  const from = cursorOrigin(plays, toNanos(now));
  const lease = { owner: ports.ids.uuid(), now, until: now + LEASE_MS };
  const cursor = await ports.windows.claim({ source, namespace, from, known, ...lease });
  if (cursor === undefined) return { kind: 'skipped', reason: UNDER_WAY };
  const plan = planRead(cursor, plays, toNanos(now), place.overlap);
  if (plan === undefined) {
    await ports.windows.release(cursor);
    return { kind: 'skipped', reason: 'nothing to read yet' };
  }
  try {
    return await readWindow(ports, options, { cursor, plan, sessions, look: place.cluster });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const at = ports.clock.now();
    await ports.windows.fail(cursor, { reason: error.message, advice: error.advice, at, due: at + INTERVAL_MS });
    return { kind: 'postponed', reason: error.message, advice: error.advice };
  }
}

const UNDER_WAY = 'another look is under way';

/** Told by the cursor alone, before sessions are listed: most looks that many starts ask for end here. */
function whyNotYet(known: Cursor | undefined, now: Millis): string | null {
  if (known === undefined) return null;
  if (known.lease !== null && known.lease.until > now) return UNDER_WAY;
  const isRead = known.provenAt !== null && known.failure === null;
  return isRead && now - toMillis(known.until) < lookGapMs(known.plays.length) ? 'looked at just now' : null;
}

const toPlannedPlay = (session: Session): PlannedPlay => ({
  playId: session.playId,
  startNs: toNanos(Date.parse(session.startedAt)),
});
