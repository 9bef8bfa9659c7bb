import type { Attribution } from '#lib/domain/detection/attribution.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { AgentFacts, HeldFinding } from '#lib/domain/detection/detection.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { agentStart, podEnd } from '#lib/domain/detection/kubernetes/ends.ts';
import { LATE_LINES_S } from '#lib/domain/detection/kubernetes/rules.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { NANOS_PER_SECOND, type Nanos, toNanos, toWindow } from '#lib/domain/time.ts';
import { START_MARGIN_NS } from '#lib/domain/window/plan.ts';
import { addClusterFindings } from './detect-in-cluster.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';

import type { PlayRead } from './play-read.ts';
import type { Cursor, SeenPod } from './ports.ts';

export interface PlayDetection {
  readonly findings: readonly Finding[];
  /** What each pod has told of itself. */
  readonly agents: readonly AgentFacts[];
  /** Failures that may still recover. */
  readonly held: readonly HeldFinding[];
  readonly pods: readonly SeenPod[];
  /** The pods as they were stored before. */
  readonly known: readonly SeenPod[];
  readonly hasNewPod: boolean;
}

/** The pre-flight window of the mission's tables: a start event that has not come by then does not come. */
const PREFLIGHT_NS: Nanos = 60n * NANOS_PER_SECOND;

/** Detection for one play over the entries of its namespace: attributes, finds when each pod began, runs the pure core. */
export async function detectPlay(ports: DetectPorts, options: DetectOptions, task: PlayRead): Promise<PlayDetection> {
  const { cursor, session, read, plan, own, speakers } = task;
  const attribute = (entry: LogEntry) => task.owners.get(entry);
  const known = await recallPods(ports, cursor, session, speakers);
  const pods = await seePods(ports, options, task, { known, attribute });
  const endNs = session.endedAt === null ? null : toNanos(Date.parse(session.endedAt));
  const detection = detect({
    entries: own,
    session,
    attribute,
    podStarts: new Map([...pods.map((pod) => [pod.pod, pod.firstNs] as const), ...clusterStarts(task)]),
    until: read.proven.until,
    emitFrom: plan.emitFrom,
    ended: { session: endNs !== null && endNs <= read.proven.until, pods: endedPods(task) },
  });
  const { held, agents } = detection;
  const findings = await addClusterFindings(ports, options, task, { ...detection, pods });
  const judged = pods.map((pod) => ({ ...pod, preflight: toVerdict(pod, agents, read.proven.until) }));
  return { findings, held, agents, pods: judged, known, hasNewPod: pods.length > known.length };
}

/** The cluster knows when an agent began; the log only when it first spoke. */
const clusterStarts = ({ cluster }: PlayRead): readonly (readonly [string, Nanos])[] =>
  (cluster.state?.pods ?? []).flatMap((pod) => {
    const start = agentStart(pod);
    return start === null ? [] : [[pod.meta.name, start] as const];
  });

/** Pods that have ended, and whose last lines are in: what failed in them cannot recover. */
const endedPods = ({ cluster, read }: PlayRead): ReadonlySet<string> =>
  new Set(
    (cluster.state?.pods ?? []).flatMap((pod) => {
      const end = podEnd(pod);
      const isPast = end !== null && end + BigInt(LATE_LINES_S) * NANOS_PER_SECOND <= read.proven.until;
      return isPast ? [pod.meta.name] : [];
    }),
  );

interface Seen {
  readonly known: readonly SeenPod[];
  readonly attribute: (entry: LogEntry) => Attribution | undefined;
}

/**
 * The pods as they are stored. What is remembered does where nothing can have been added to it: each pod that speaks is
 * known, and each has its verdict.
 */
async function recallPods(
  { windows, memory }: Pick<DetectPorts, 'windows' | 'memory'>,
  { source, namespace }: Cursor,
  session: Session,
  speakers: ReadonlyMap<string, Attribution>,
): Promise<readonly SeenPod[]> {
  const remembered = memory?.pods(session);
  const names = new Set(remembered?.map(({ pod }) => pod));
  const isWhole = [...speakers.keys()].every((pod) => names.has(pod));
  if (remembered !== undefined && isWhole && remembered.every(({ preflight }) => preflight !== 'pending')) {
    return remembered;
  }
  return windows.pods(source, namespace, session.playId);
}

async function seePods(ports: DetectPorts, options: DetectOptions, task: PlayRead, seen: Seen): Promise<SeenPod[]> {
  const { session, counts, read, own, speakers } = task;
  const pods = new Map(seen.known.map((pod) => [pod.pod, pod]));
  for (const [pod, owner] of speakers) {
    const firstNs = pods.get(pod)?.firstNs ?? (await findStart(ports, options, task, pod));
    const preflight = pods.get(pod)?.preflight ?? 'pending';
    const lastNs = lastLine(own, seen, pod) ?? read.proven.until - 1n;
    const { agent } = owner;
    const rule = pods.get(pod)?.rule ?? owner.rule;
    const lines = counts.get(pod) ?? own.filter((entry) => seen.attribute(entry)?.pod === pod).length;
    pods.set(pod, { pod, playId: session.playId, agent, firstNs, lastNs, preflight, rule, lines });
  }
  return [...pods.values()];
}

const lastLine = (own: readonly LogEntry[], seen: Seen, pod: string): Nanos | undefined =>
  own.findLast((entry) => seen.attribute(entry)?.pod === pod)?.ns;

/** The pod's first line, whatever it says: the line filter would make a late word of trouble look like a start. */
async function findStart(ports: DetectPorts, options: DetectOptions, task: PlayRead, pod: string): Promise<Nanos> {
  const { session, cursor, read } = task;
  const since = toNanos(Date.parse(session.startedAt)) - START_MARGIN_NS;
  if (since >= read.proven.until) return read.proven.since;
  const first = await ports.logs.first(options.selector(cursor.namespace, pod), toWindow(since, read.proven.until));
  return first?.ns ?? read.proven.since;
}

function toVerdict(pod: SeenPod, agents: readonly AgentFacts[], until: Nanos): SeenPod['preflight'] {
  if (pod.preflight !== 'pending') return pod.preflight;
  const facts = agents.find((agent) => agent.pod === pod.pod);
  if (facts !== undefined && (facts.tools !== null || facts.servers !== null)) return 'passed';
  return until - pod.firstNs > PREFLIGHT_NS ? 'unseen' : 'pending';
}
