import type { Attribution, AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { ClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Nanos, toNanos } from '#lib/domain/time.ts';
import { BLIND_AFTER_MS, NO_STREAM } from '#lib/domain/window/coverage-view.ts';
import {
  cursorOrigin,
  LOOKS_AFTER_START_S,
  type PlannedPlay,
  planRead,
  type ReadPlan,
} from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import { detectPlay, type PlayDetection } from './detect-play.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import { endFinishedSessions } from './end-finished-sessions.ts';
import { listUnclaimed } from './list-unclaimed.ts';
import { listWatched } from './list-watched.ts';
import { attributeWithOwners, type ClusterLooker, openCluster } from './look-at-cluster.ts';
import type { ClusterSight, Coverage, Cursor, LogRead, SeenPod } from './ports.ts';
import { type ExposureLook, recordExposures } from './record-exposures.ts';
import { recordFindings } from './record-findings.ts';

export type DetectOutcome =
  | {
      readonly kind: 'done';
      readonly lines: number;
      readonly findings: number;
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
/** The pace of reading: once a minute. */
const INTERVAL_MS = 60_000;
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
      const looked = await lookOnce(ports, options, { source, namespace, cluster, overlap: !isStuck });
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

interface Reading {
  readonly kind: 'read';
  readonly lines: number;
  readonly findings: number;
  readonly fresh: number;
  readonly isCurrent: boolean;
  readonly hasMoved: boolean;
  readonly sight: ClusterSight | null;
  /** Sessions have run for long enough, and the selector finds nothing that was ever theirs. */
  readonly isAstray: boolean;
}

type Look = Reading | Exclude<DetectOutcome, { kind: 'done' }>;

interface Place {
  readonly source: string;
  readonly namespace: string;
  readonly cluster: ClusterLooker;
  /** False after a read that ended inside the overlap: then the cursor could never move. */
  readonly overlap: boolean;
}

async function lookOnce(ports: DetectPorts, options: DetectOptions, place: Place): Promise<Look> {
  const { source, namespace } = place;
  const now = ports.clock.now();
  const known = await ports.windows.cursor(source, namespace);
  const sessions = await listWatched(ports.sessions, namespace, known, now);
  const plays = sessions.map(toPlannedPlay);
  if (plays.length === 0) {
    await ports.windows.rest(source, namespace, now);
    return { kind: 'skipped', reason: 'no session to watch' };
  }
  const from = cursorOrigin(plays, toNanos(now));
  const lease = { owner: ports.ids.uuid(), now, until: now + LEASE_MS };
  const cursor = await ports.windows.claim({ source, namespace, from, ...lease });
  if (cursor === undefined) return { kind: 'skipped', reason: 'another look is under way' };
  const plan = planRead(cursor, plays, toNanos(now), place.overlap);
  if (plan === undefined) {
    await ports.windows.release(cursor);
    return { kind: 'skipped', reason: 'nothing to read yet' };
  }
  try {
    return await readAndTell(ports, options, { cursor, plan, sessions, look: place.cluster });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const at = ports.clock.now();
    await ports.windows.fail(cursor, { reason: error.message, advice: error.advice, at, due: at + INTERVAL_MS });
    return { kind: 'postponed', reason: error.message, advice: error.advice };
  }
}

const toPlannedPlay = (session: Session): PlannedPlay => ({
  playId: session.playId,
  startNs: toNanos(Date.parse(session.startedAt)),
});

interface Task {
  readonly cursor: Cursor;
  readonly plan: ReadPlan;
  readonly sessions: readonly Session[];
  readonly look: ClusterLooker;
}

async function readAndTell(ports: DetectPorts, options: DetectOptions, task: Task): Promise<Look> {
  const { cursor, plan, sessions } = task;
  const selector = options.selector(cursor.namespace);
  const filter = options.lineFilter === null ? {} : { lineFilter: options.lineFilter };
  const [read, cluster] = await Promise.all([
    ports.logs.read({ selector, ...filter, window: plan.window }),
    task.look(sessions, options.attribution),
  ]);
  const counts = await ports.logs.countByPod(selector, read.proven);
  const hasStreams = counts.size > 0 || (await ports.logs.hasStreams(selector, read.proven));
  const owners = attributeAll(read.entries, sessions, options.attribution, cluster.owners);
  let findings = 0;
  let fresh = 0;
  let hasNewPod = false;
  const looks: ExposureLook[] = [];
  const claimed: SeenPod[] = [];
  for (const session of sessions) {
    const detection = await detectPlay(ports, options, {
      cursor,
      session,
      sessions,
      owners,
      counts,
      plan,
      read,
      cluster,
    });
    const recorded = await recordFindings(ports, options, session, detection.findings, detection.held);
    await ports.windows.savePods(cursor.source, cursor.namespace, withVerdicts(detection), ports.clock.now());
    claimed.push(...detection.pods);
    looks.push({ session, agents: detection.agents, findings: detection.findings });
    findings += detection.findings.length;
    fresh += recorded;
    hasNewPod ||= detection.hasNewPod;
  }
  await recordExposures(ports, looks);
  const unclaimed = listUnclaimed(counts, claimed, options.attribution);
  await advance(ports, task, read, { hasStreams, unclaimed, cluster: cluster.sight });
  await endFinishedSessions(ports, cursor.source, sessions, cluster);
  if (hasNewPod) await askForLooks(ports.queues, cursor, LOOKS_AFTER_START_S);
  return {
    kind: 'read',
    lines: read.entries.length,
    findings,
    fresh,
    isCurrent: read.proven.until >= plan.window.until,
    hasMoved: read.proven.until > cursor.until,
    sight: cluster.sight,
    isAstray: !hasStreams && claimed.length === 0 && sessions.some((session) => isGrown(session, read.proven.until)),
  };
}

/** Old enough that no stream at all means a wrong selector. */
const isGrown = ({ startedAt }: Session, until: Nanos): boolean =>
  toNanos(Date.parse(startedAt) + BLIND_AFTER_MS) <= until;

function attributeAll(
  entries: readonly LogEntry[],
  sessions: readonly Session[],
  config: AttributionConfig,
  clusterOwners: ClusterOwners,
): ReadonlyMap<LogEntry, Attribution> {
  const owners = new Map<LogEntry, Attribution>();
  for (const entry of entries) {
    const owner = attributeWithOwners(entry, sessions, config, clusterOwners);
    if (owner !== undefined) owners.set(entry, owner);
  }
  return owners;
}

/** A pod with a coded finding has failed its pre-flight, whatever its start event offered. */
function withVerdicts({ pods, findings }: PlayDetection): readonly SeenPod[] {
  const failed = new Set(findings.filter((finding) => finding.code !== null).map((finding) => finding.pod));
  return pods.map((pod) => (failed.has(pod.pod) ? { ...pod, preflight: 'failed' as const } : pod));
}

async function advance(
  ports: DetectPorts,
  task: Task,
  read: LogRead,
  seen: Pick<Coverage, 'hasStreams' | 'unclaimed'> & { readonly cluster: ClusterSight | null },
): Promise<void> {
  const { cursor, plan, sessions } = task;
  const { cluster, ...spoke } = seen;
  const coverage = {
    source: cursor.source,
    namespace: cursor.namespace,
    window: read.proven,
    lines: read.entries.length,
    bytes: read.bytes,
    pages: read.pages,
    gaps: read.gaps,
    ...spoke,
  };
  const plays = sessions.filter((session) => isProven(session, read.proven.until)).map((session) => session.playId);
  const at = ports.clock.now();
  const isAhead = plan.hasNewcomer || read.proven.until > cursor.until;
  const until = isAhead ? read.proven.until : cursor.until;
  await ports.windows.advance(cursor, { until, coverage, plays, at, cluster, due: at + INTERVAL_MS });
}

/** A play counts as read from its own start only once the proven range has reached that start. */
const isProven = (session: Session, until: Nanos): boolean => toNanos(Date.parse(session.startedAt)) < until;
