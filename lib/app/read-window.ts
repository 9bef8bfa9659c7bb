import type { Attribution, AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { ClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Nanos, toNanos } from '#lib/domain/time.ts';
import { BLIND_AFTER_MS } from '#lib/domain/window/coverage-view.ts';
import { LOOKS_AFTER_START_S, type ReadPlan } from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import { detectPlay, type PlayDetection } from './detect-play.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import { endFinishedSessions } from './end-finished-sessions.ts';
import { listUnclaimed } from './list-unclaimed.ts';
import { attributeWithOwners, type ClusterLook, type ClusterLooker } from './look-at-cluster.ts';
import type { ClusterSight, Coverage, Cursor, LogRead, SeenPod, UnclaimedPods } from './ports.ts';
import { recordExposures } from './record-exposures.ts';
import { type FreshFinding, recordFindings } from './record-findings.ts';

/** The pace of reading: once a minute. */
export const INTERVAL_MS = 60_000;

/** A window that is to be read by the holder of the cursor's lease. */
export interface ReadTask {
  readonly cursor: Cursor;
  readonly plan: ReadPlan;
  readonly sessions: readonly Session[];
  readonly look: ClusterLooker;
}

/** What one read brought. */
export interface Reading {
  readonly kind: 'read';
  readonly lines: number;
  readonly findings: number;
  readonly fresh: readonly FreshFinding[];
  readonly isCurrent: boolean;
  readonly hasMoved: boolean;
  readonly sight: ClusterSight | null;
  /** Sessions have run for long enough, and the selector finds nothing that was ever theirs. */
  readonly isAstray: boolean;
}

/** What log and cluster said of the window. */
interface Sources {
  readonly read: LogRead;
  /** Lines by pod, whatever the line filter leaves out. */
  readonly counts: ReadonlyMap<string, number>;
  readonly hasStreams: boolean;
  readonly cluster: ClusterLook;
}

interface Told {
  readonly detection: PlayDetection;
  readonly session: Session;
  readonly fresh: readonly FreshFinding[];
}

/**
 * Reads the window, stores what each play's agents showed, and only then moves the cursor.
 * @throws SourceError when the log does not answer; the cursor is where it was
 */
export async function readWindow(ports: DetectPorts, options: DetectOptions, task: ReadTask): Promise<Reading> {
  const { cursor, plan, sessions } = task;
  const sources = await askSources(ports, options, task);
  const told = await tellPlays(ports, options, task, sources);
  await recordExposures(
    ports,
    told.map(({ session, detection: { agents, findings } }) => ({ session, agents, findings })),
  );
  const claimed = told.flatMap(({ detection }) => detection.pods);
  const { read, hasStreams, cluster } = sources;
  const isAstray =
    !hasStreams && claimed.length === 0 && sessions.some((session) => isGrown(session, read.proven.until));
  const unclaimed = listUnclaimed(sources.counts, claimed, options.attribution);
  await advance(ports, task, sources, { unclaimed, isAstray });
  await endFinishedSessions(ports, cursor.source, sessions, cluster);
  if (told.some(({ detection }) => detection.hasNewPod)) await askForLooks(ports.queues, cursor, LOOKS_AFTER_START_S);
  return {
    kind: 'read',
    lines: read.entries.length,
    findings: told.reduce((sum, { detection }) => sum + detection.findings.length, 0),
    fresh: told.flatMap(({ fresh }) => fresh),
    isCurrent: read.proven.until >= plan.window.until,
    hasMoved: read.proven.until > cursor.until,
    sight: cluster.sight,
    isAstray,
  };
}

async function askSources(
  ports: DetectPorts,
  options: DetectOptions,
  { cursor, plan, sessions, look }: ReadTask,
): Promise<Sources> {
  const selector = options.selector(cursor.namespace);
  const filter = options.lineFilter === null ? {} : { lineFilter: options.lineFilter };
  const [read, cluster] = await Promise.all([
    ports.logs.read({ selector, ...filter, window: plan.window }),
    look(sessions, options.attribution),
  ]);
  const counts = await ports.logs.countByPod(selector, read.proven);
  const hasStreams = counts.size > 0 || (await ports.logs.hasStreams(selector, read.proven));
  return { read, counts, hasStreams, cluster };
}

/** One play after the other: what a play's agents showed is stored before the next is looked at. */
async function tellPlays(
  ports: DetectPorts,
  options: DetectOptions,
  { cursor, plan, sessions }: ReadTask,
  { read, counts, cluster }: Sources,
): Promise<readonly Told[]> {
  const owners = attributeAll(read.entries, sessions, options.attribution, cluster.owners);
  const told: Told[] = [];
  for (const session of sessions) {
    const sight = { cursor, session, sessions, owners, counts, plan, read, cluster };
    const detection = await detectPlay(ports, options, sight);
    const fresh = await recordFindings(ports, options, session, detection.findings, detection.held);
    await ports.windows.savePods(cursor.source, cursor.namespace, withVerdicts(detection), ports.clock.now());
    told.push({ session, detection, fresh });
  }
  return told;
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
  { cursor, plan, sessions }: ReadTask,
  { read, hasStreams, cluster }: Sources,
  { unclaimed, isAstray }: { readonly unclaimed: UnclaimedPods; readonly isAstray: boolean },
): Promise<void> {
  const coverage: Coverage = {
    source: cursor.source,
    namespace: cursor.namespace,
    window: read.proven,
    lines: read.entries.length,
    bytes: read.bytes,
    pages: read.pages,
    gaps: read.gaps,
    hasStreams,
    unclaimed,
  };
  const plays = sessions.filter((session) => isProven(session, read.proven.until)).map((session) => session.playId);
  const at = ports.clock.now();
  const isAhead = plan.hasNewcomer || read.proven.until > cursor.until;
  const until = isAhead ? read.proven.until : cursor.until;
  const seen = { coverage, cluster: cluster.sight, isAstray };
  await ports.windows.advance(cursor, { until, plays, at, due: at + INTERVAL_MS, ...seen });
}

/** A play counts as read from its own start only once the proven range has reached that start. */
const isProven = (session: Session, until: Nanos): boolean => toNanos(Date.parse(session.startedAt)) < until;
