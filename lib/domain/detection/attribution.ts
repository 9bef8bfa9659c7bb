import type { SessionDeclaration } from '../session/session.ts';
import type { LogEntry } from './finding.ts';

/** Which rule decided; told to people who ask why a line belongs to a play. `owner` is decided by the caller. */
export const ATTRIBUTION_RULES = ['play-label', 'pod-name', 'service-task', 'owner'] as const;
export type AttributionRule = (typeof ATTRIBUTION_RULES)[number];

/** Whose line an entry is. `agent` is the declared name, lower case, or null when nothing names one. */
export interface Attribution {
  readonly playId: string;
  readonly agent: string | null;
  readonly pod: string;
  readonly container: string | null;
  readonly rule: AttributionRule;
}

/** Names of labels, in order of preference. A name also matches with `-`, `.` and `/` stored as `_`, as Loki does. */
export interface AttributionConfig {
  readonly podLabels: readonly string[];
  readonly containerLabels: readonly string[];
  /** Labels that identify the agent; of `github-user: 5DLabs-Rex` the last dash part counts. */
  readonly agentLabels: readonly string[];
  readonly serviceLabel: string;
  readonly taskLabel: string;
  /** Pods whose name begins with one of these (up to a dash) are never part of a play: Healer's own, log collectors. */
  readonly excludedPods: readonly string[];
  /** A label `<name>: true` that excludes a pod. */
  readonly excludeLabel: string;
}

export const DEFAULT_ATTRIBUTION: AttributionConfig = {
  podLabels: ['pod', 'pod_name', 'k8s_pod_name', 'kubernetes_pod_name'],
  containerLabels: ['container', 'container_name', 'k8s_container_name', 'kubernetes_container_name'],
  agentLabels: ['agent', 'github-user'],
  serviceLabel: 'service',
  taskLabel: 'task-id',
  excludedPods: ['healer', 'promtail', 'alloy', 'fluent-bit', 'fluentd', 'vector', 'loki', 'otel-collector'],
  excludeLabel: 'healer.platform/exclude',
};

/** The part of a session that attribution reads. */
export type AttributableSession = Pick<SessionDeclaration, 'playId' | 'service' | 'agents' | 'tasks'>;

const toStored = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, '_');

function labelOf(entry: Pick<LogEntry, 'labels' | 'metadata'>, name: string): string | undefined {
  const stored = toStored(name);
  return entry.labels[name] ?? entry.labels[stored] ?? entry.metadata?.[name] ?? entry.metadata?.[stored];
}

function firstLabel(entry: Pick<LogEntry, 'labels' | 'metadata'>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = labelOf(entry, name);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The pod that an entry names, by the first configured label that has a value. */
export const podOf = (
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  config: AttributionConfig = DEFAULT_ATTRIBUTION,
): string | undefined => firstLabel(entry, config.podLabels);

/** True for pods of Healer itself and of log collectors: their lines quote the lines of others. */
const isExcluded = (entry: Pick<LogEntry, 'labels' | 'metadata'>, pod: string, config: AttributionConfig): boolean =>
  labelOf(entry, config.excludeLabel) === 'true' || isExcludedName(pod, config);

/** Whether the pod's name alone keeps it out of every play. */
export const isExcludedName = (pod: string, config: AttributionConfig = DEFAULT_ATTRIBUTION): boolean =>
  config.excludedPods.some((name) => beginsWith(pod, name));

/** Up to a dash. Each pod is compared with each play, so nothing is put together for it. */
const beginsWith = (pod: string, prefix: string): boolean =>
  pod.startsWith(prefix) && (pod.length === prefix.length || pod[prefix.length] === '-');

const PLAY_PREFIX = 'play-';

const hasPodName = (pod: string, playId: string): boolean =>
  beginsWith(pod, playId) || (pod.startsWith(PLAY_PREFIX) && beginsWith(pod.slice(PLAY_PREFIX.length), playId));

/** The longest play id wins, so that `play-1-b` is not taken for `play-1`. */
function byPodName<S extends AttributableSession>(sessions: readonly S[], pod: string): S | undefined {
  return sessions
    .filter((session) => hasPodName(pod, session.playId))
    .toSorted((a, b) => b.playId.length - a.playId.length)[0];
}

/** Labels `service` and `task-id` decide only when exactly one session fits. */
function byServiceTask<S extends AttributableSession>(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  sessions: readonly S[],
  config: AttributionConfig,
): S | undefined {
  const service = labelOf(entry, config.serviceLabel);
  const task = labelOf(entry, config.taskLabel);
  if (service === undefined || task === undefined) return undefined;
  const fits = sessions.filter((s) => s.service === service && s.tasks.some((declared) => declared.id === task));
  return fits.length === 1 ? fits[0] : undefined;
}

function byPlayLabel<S extends AttributableSession>(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  sessions: readonly S[],
): S | undefined {
  const values = new Set([...Object.values(entry.labels), ...Object.values(entry.metadata ?? {})]);
  return sessions.find((session) => values.has(session.playId));
}

/** Agent by label, else by a declared name that stands between dashes in the pod name (the longest one wins). */
export function toAgent(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  pod: string,
  agents: Readonly<Record<string, unknown>>,
  config: AttributionConfig = DEFAULT_ATTRIBUTION,
): string | null {
  const label = firstLabel(entry, config.agentLabels);
  if (label !== undefined) {
    const lower = label.toLowerCase();
    const whole = Object.keys(agents).find((name) => name.toLowerCase() === lower);
    return whole?.toLowerCase() ?? lower.split('-').at(-1) ?? lower;
  }
  const padded = `-${pod.toLowerCase()}-`;
  const named = Object.keys(agents).filter((name) => padded.includes(`-${name.toLowerCase()}-`));
  return named.toSorted((a, b) => b.length - a.length)[0]?.toLowerCase() ?? null;
}

/**
 * Whose line an entry is: design section 5, first rule that matches. Undefined when no session claims it, or when the
 * pod is Healer's own or a collector's.
 */
export function attributeEntry(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  sessions: readonly AttributableSession[],
  config: AttributionConfig = DEFAULT_ATTRIBUTION,
): Attribution | undefined {
  const pod = podOf(entry, config);
  if (pod === undefined || isExcluded(entry, pod, config)) return undefined;
  const found = findSession(entry, pod, sessions, config);
  if (found === undefined) return undefined;
  const container = firstLabel(entry, config.containerLabels) ?? null;
  const agent = toAgent(entry, pod, found.session.agents, config);
  return { playId: found.session.playId, agent, pod, container, rule: found.rule };
}

function findSession(
  entry: Pick<LogEntry, 'labels' | 'metadata'>,
  pod: string,
  sessions: readonly AttributableSession[],
  config: AttributionConfig,
): { session: AttributableSession; rule: AttributionRule } | undefined {
  const labelled = byPlayLabel(entry, sessions);
  if (labelled !== undefined) return { session: labelled, rule: 'play-label' };
  const named = byPodName(sessions, pod);
  if (named !== undefined) return { session: named, rule: 'pod-name' };
  const served = byServiceTask(entry, sessions, config);
  return served === undefined ? undefined : { session: served, rule: 'service-task' };
}
