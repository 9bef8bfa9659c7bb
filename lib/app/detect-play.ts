import { detect } from '#lib/domain/detection/detect.ts';
import type { AgentFacts, HeldFinding } from '#lib/domain/detection/detection.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { agentStart, podEnd } from '#lib/domain/detection/kubernetes/ends.ts';
import { LATE_LINES_S } from '#lib/domain/detection/kubernetes/rules.ts';
import { NANOS_PER_SECOND, type Nanos, toNanos } from '#lib/domain/time.ts';
import { addClusterFindings } from './detect-in-cluster.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import type { PlayRead } from './play-read.ts';
import type { SeenPod } from './ports.ts';
import type { SeenPods } from './see-pods.ts';

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

/** Detection for one play over the entries of its namespace: attributes, and runs the pure core. */
export async function detectPlay(
  ports: DetectPorts,
  options: DetectOptions,
  { play, known, pods }: SeenPods,
): Promise<PlayDetection> {
  const { session, read, plan, own } = play;
  const attribute = (entry: LogEntry) => play.owners.get(entry);
  const endNs = session.endedAt === null ? null : toNanos(Date.parse(session.endedAt));
  const detection = detect({
    entries: own,
    session,
    attribute,
    podStarts: new Map([...pods.map((pod) => [pod.pod, pod.firstNs] as const), ...clusterStarts(play)]),
    until: read.proven.until,
    emitFrom: plan.emitFrom,
    ended: { session: endNs !== null && endNs <= read.proven.until, pods: endedPods(play) },
  });
  const { held, agents } = detection;
  const findings = await addClusterFindings(ports, options, play, { ...detection, pods });
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

function toVerdict(pod: SeenPod, agents: readonly AgentFacts[], until: Nanos): SeenPod['preflight'] {
  if (pod.preflight !== 'pending') return pod.preflight;
  const facts = agents.find((agent) => agent.pod === pod.pod);
  if (facts !== undefined && (facts.tools !== null || facts.servers !== null)) return 'passed';
  return until - pod.firstNs > PREFLIGHT_NS ? 'unseen' : 'pending';
}
