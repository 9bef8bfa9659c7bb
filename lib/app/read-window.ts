import type { Session } from '#lib/domain/session/session.ts';
import { type Millis, type Nanos, toMillis, toNanos } from '#lib/domain/time.ts';
import { BLIND_AFTER_MS } from '#lib/domain/window/coverage-view.ts';
import { looksAfterNewcomer } from '#lib/domain/window/plan.ts';
import { askForLooks } from './ask-for-looks.ts';
import { askSources, type ReadTask, type Sources } from './ask-sources.ts';
import { attributeWindow } from './attribute-window.ts';
import { detectPlay, type PlayDetection } from './detect-play.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import { endFinishedSessions } from './end-finished-sessions.ts';
import { listUnclaimed } from './list-unclaimed.ts';
import type { PlayRead } from './play-read.ts';
import { podsToSave } from './pods-to-save.ts';
import type { ClusterSight, Coverage, Cursor, SeenPod, UnclaimedPods } from './ports.ts';
import { recordExposures } from './record-exposures.ts';
import { recordFindings } from './record-findings.ts';
import { seePods } from './see-pods.ts';

/** The pace of reading: once a minute. */
export const INTERVAL_MS = 60_000;

/** What one read brought. */
export interface Reading {
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

interface Told {
  readonly detection: PlayDetection;
  readonly session: Session;
  readonly fresh: number;
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
  const { looksAskedAt, isDue } = newLooks(ports, task, told);
  const heard = heardOf(cursor, told);
  await advance(ports, task, sources, { unclaimed, isAstray, heard, looksAskedAt });
  await endFinishedSessions(ports, cursor.source, sessions, cluster);
  if (isDue) await askForLooks(ports.queues, cursor, looksAfterNewcomer(sessions.length));
  return {
    kind: 'read',
    lines: read.entries.length,
    findings: told.reduce((sum, { detection }) => sum + detection.findings.length, 0),
    fresh: told.reduce((sum, { fresh }) => sum + fresh, 0),
    isCurrent: read.proven.until >= plan.window.until,
    hasMoved: read.proven.until > cursor.until,
    sight: cluster.sight,
    isAstray,
  };
}

/** Pods are asked for together; then one play after the other: what its agents showed is stored before the next is judged. */
async function tellPlays(
  ports: DetectPorts,
  options: DetectOptions,
  { cursor, plan, sessions }: ReadTask,
  { read, counts, cluster }: Sources,
): Promise<readonly Told[]> {
  const spoken = { entries: read.entries, pods: counts.keys() };
  const owners = attributeWindow(spoken, sessions, options.attribution, cluster.owners);
  const shared = { cursor, sessions, owners: owners.ofEntries, counts, plan, read, cluster };
  const plays = sessions.map((session): PlayRead => {
    const own = owners.entries.get(session.playId) ?? [];
    return { ...shared, session, own, speakers: owners.speakers.get(session.playId) ?? new Map() };
  });
  const told: Told[] = [];
  for (const seen of await seePods(ports, options, plays)) {
    const { session } = seen.play;
    const detection = await detectPlay(ports, options, seen);
    const fresh = await recordFindings(ports, options, session, detection.findings, detection.held);
    await savePods(ports, cursor, session, detection);
    told.push({ session, detection, fresh });
  }
  return told;
}

async function savePods(ports: DetectPorts, cursor: Cursor, session: Session, detection: PlayDetection): Promise<void> {
  const { known } = detection;
  const pods = podsToSave(withVerdicts(detection), known, session.endedAt !== null);
  await ports.windows.savePods(cursor.source, cursor.namespace, pods, ports.clock.now());
  ports.memory?.keepPods(session, [...new Map([...known, ...pods].map((pod) => [pod.pod, pod])).values()]);
}

/** Old enough that no stream at all means a wrong selector. */
const isGrown = ({ startedAt }: Session, until: Nanos): boolean =>
  toNanos(Date.parse(startedAt) + BLIND_AFTER_MS) <= until;

/** A pod with a coded finding has failed its pre-flight, whatever its start event offered. */
function withVerdicts({ pods, findings }: PlayDetection): readonly SeenPod[] {
  const failed = new Set(findings.filter((finding) => finding.code !== null).map((finding) => finding.pod));
  return pods.map((pod) => (failed.has(pod.pod) ? { ...pod, preflight: 'failed' as const } : pod));
}

/** What the cursor notes of a look besides how far it came. */
interface Noted {
  readonly unclaimed: UnclaimedPods;
  readonly isAstray: boolean;
  readonly heard: Readonly<Record<string, Millis>>;
  readonly looksAskedAt: Millis | null;
}

/** When each play spoke last. */
const heardOf = (cursor: Cursor, told: readonly Told[]): Noted['heard'] =>
  Object.fromEntries(
    told.flatMap(({ session: { playId }, detection: { pods } }) => {
      const moments = [...pods.map((pod) => toMillis(pod.lastNs)), cursor.heard?.[playId] ?? []].flat();
      return moments.length === 0 ? [] : [[playId, Math.max(...moments)] as const];
    }),
  );

/** The looks that follow a new play or pod serve all that come while they are still to come: one round a minute is enough. */
function newLooks(ports: DetectPorts, { cursor, plan }: ReadTask, told: readonly Told[]) {
  const asked = cursor.looksAskedAt ?? null;
  const now = ports.clock.now();
  const hasNewcomer = plan.hasNewcomer || told.some(({ detection }) => detection.hasNewPod);
  const isDue = hasNewcomer && (asked === null || now - asked >= INTERVAL_MS);
  return { isDue, looksAskedAt: isDue ? now : asked };
}

async function advance(
  ports: DetectPorts,
  { cursor, plan, sessions }: ReadTask,
  { read, hasStreams, cluster }: Sources,
  { unclaimed, isAstray, heard, looksAskedAt }: Noted,
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
  const seen = { coverage, cluster: cluster.sight, isAstray, heard, looksAskedAt };
  await ports.windows.advance(cursor, { until, plays, at, due: at + INTERVAL_MS, ...seen });
}

/** A play counts as read from its own start only once the proven range has reached that start. */
const isProven = (session: Session, until: Nanos): boolean => toNanos(Date.parse(session.startedAt)) < until;
