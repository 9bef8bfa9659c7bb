import { type Attribution, type AttributionConfig, attributeEntry } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Nanos, toNanos } from '#lib/domain/time.ts';
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
import { listWatched } from './list-watched.ts';
import type { Cursor, LogRead, SeenPod } from './ports.ts';
import { recordFindings } from './record-findings.ts';

export type DetectOutcome =
  | { readonly kind: 'done'; readonly lines: number; readonly findings: number; readonly fresh: number }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'postponed'; readonly reason: string };

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
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const looked = await lookOnce(ports, options, source, namespace);
      if (looked.kind !== 'read') return round === 0 ? looked : { kind: 'done', ...total };
      total.lines += looked.lines;
      total.findings += looked.findings;
      total.fresh += looked.fresh;
      if (looked.isCurrent) break;
    }
    return { kind: 'done', ...total };
  };

type Look =
  | { kind: 'read'; lines: number; findings: number; fresh: number; isCurrent: boolean }
  | { kind: 'skipped'; reason: string }
  | { kind: 'postponed'; reason: string };

async function lookOnce(ports: DetectPorts, options: DetectOptions, source: string, namespace: string): Promise<Look> {
  const now = ports.clock.now();
  const known = await ports.windows.cursor(source, namespace);
  const sessions = await listWatched(ports.sessions, namespace, known?.plays ?? [], now);
  const plays = sessions.map(toPlannedPlay);
  if (plays.length === 0) return { kind: 'skipped', reason: 'no session to watch' };
  const from = cursorOrigin(plays, toNanos(now));
  const lease = { owner: ports.ids.uuid(), now, until: now + LEASE_MS };
  const cursor = await ports.windows.claim({ source, namespace, from, ...lease });
  if (cursor === undefined) return { kind: 'skipped', reason: 'another look is under way' };
  const plan = planRead(cursor, plays, toNanos(now));
  if (plan === undefined) return { kind: 'skipped', reason: 'nothing to read yet' };
  try {
    return await readAndTell(ports, options, { cursor, plan, sessions });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    await ports.windows.fail(cursor, { reason: error.message, advice: error.advice, at: ports.clock.now() });
    return { kind: 'postponed', reason: error.message };
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
}

async function readAndTell(ports: DetectPorts, options: DetectOptions, task: Task): Promise<Look> {
  const { cursor, plan, sessions } = task;
  const selector = options.selector(cursor.namespace);
  const filter = options.lineFilter === null ? {} : { lineFilter: options.lineFilter };
  const read = await ports.logs.read({ selector, ...filter, window: plan.window });
  const counts = await ports.logs.countByPod(selector, read.proven);
  const hasStreams = counts.size > 0 || (await ports.logs.hasStreams(selector, read.proven));
  const owners = attributeAll(read.entries, sessions, options.attribution);
  let findings = 0;
  let fresh = 0;
  let hasNewPod = false;
  for (const session of sessions) {
    const detection = await detectPlay(ports, options, { cursor, session, sessions, owners, counts, plan, read });
    const recorded = await recordFindings(ports, options, session, detection.findings);
    await ports.windows.savePods(cursor.source, cursor.namespace, withVerdicts(detection), ports.clock.now());
    findings += detection.findings.length;
    fresh += recorded;
    hasNewPod ||= detection.hasNewPod;
  }
  await advance(ports, task, read, hasStreams);
  if (hasNewPod) await askForLooks(ports.queues, cursor, LOOKS_AFTER_START_S);
  return {
    kind: 'read',
    lines: read.entries.length,
    findings,
    fresh,
    isCurrent: read.proven.until >= plan.window.until,
  };
}

function attributeAll(
  entries: readonly LogEntry[],
  sessions: readonly Session[],
  config: AttributionConfig,
): ReadonlyMap<LogEntry, Attribution> {
  const owners = new Map<LogEntry, Attribution>();
  for (const entry of entries) {
    const owner = attributeEntry(entry, sessions, config);
    if (owner !== undefined) owners.set(entry, owner);
  }
  return owners;
}

/** A pod with a coded finding has failed its pre-flight, whatever its start event offered. */
function withVerdicts({ pods, findings }: PlayDetection): readonly SeenPod[] {
  const failed = new Set(findings.filter((finding) => finding.code !== null).map((finding) => finding.pod));
  return pods.map((pod) => (failed.has(pod.pod) ? { ...pod, preflight: 'failed' as const } : pod));
}

async function advance(ports: DetectPorts, task: Task, read: LogRead, hasStreams: boolean): Promise<void> {
  const { cursor, sessions } = task;
  const coverage = {
    source: cursor.source,
    namespace: cursor.namespace,
    window: read.proven,
    lines: read.entries.length,
    bytes: read.bytes,
    pages: read.pages,
    gaps: read.gaps,
    hasStreams,
  };
  const plays = sessions.filter((session) => isProven(session, read.proven.until)).map((session) => session.playId);
  await ports.windows.advance(cursor, { coverage, plays, at: ports.clock.now() });
}

/** A play counts as read from its own start only once the proven range has reached that start. */
const isProven = (session: Session, until: Nanos): boolean => toNanos(Date.parse(session.startedAt)) < until;
