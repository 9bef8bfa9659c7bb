import { SourceError } from '#lib/domain/errors.ts';
import {
  type ClusterProbeSight,
  type LogsSight,
  MOST_NAMESPACES,
  type ProbeRequest,
  type SourcesAnswer,
  type Trouble,
} from '#lib/domain/probe.ts';
import { MILLIS_PER_DAY, toNanos, toWindow, type Window } from '#lib/domain/time.ts';
import type { Clock, ClusterProbe, LogProbe } from './ports.ts';

export interface ProbePorts {
  readonly logs: LogProbe;
  /** Null where no cluster is configured. */
  readonly cluster: ClusterProbe | null;
  readonly clock: Clock;
}

/** How logs are looked for, as configured. */
export interface ProbeOptions {
  readonly tenant: string | null;
  /** Stream selector of a namespace. */
  readonly selector: (namespace: string) => string;
  /** Labels that the selector names. */
  readonly labels: readonly string[];
  /** The one of them that holds the namespace; undefined when the selector compares it otherwise than by equality. */
  readonly namespaceLabel: string | undefined;
  readonly podLabel: string;
}

/** A night without plays must not look like a wrong selector. */
const LOOK_BACK_MS = MILLIS_PER_DAY;
const MOST_LABELS = 50;
const MOST_KNOWN_NAMESPACES = 20;

/** What can be seen of logs and cluster from where this runs. Throws nothing that another system did. */
export const probeSources =
  (ports: ProbePorts, options: ProbeOptions) =>
  async (request: ProbeRequest): Promise<SourcesAnswer> => {
    const at = ports.clock.now();
    const logs = await lookAtLogs(ports.logs, options, request, toWindow(toNanos(at - LOOK_BACK_MS), toNanos(at)));
    const seen = logs.namespaces.map(({ name }) => name);
    const cluster = ports.cluster && (await lookAtCluster(ports.cluster, seen.length > 0 ? seen : request.namespaces));
    return { at, logs, cluster };
  };

async function lookAtLogs(
  logs: LogProbe,
  options: ProbeOptions,
  { namespaces: asked }: ProbeRequest,
  window: Window,
): Promise<LogsSight> {
  const { tenant, selector, labels: needed, namespaceLabel } = options;
  let sight: LogsSight = {
    trouble: null,
    tenant,
    labels: [],
    unknownLabels: [],
    knownNamespaces: [],
    namespaces: [],
    hasPodLabel: null,
  };
  try {
    const labels = await logs.labels(window);
    sight = {
      ...sight,
      labels: labels.slice(0, MOST_LABELS),
      unknownLabels: needed.filter((l) => !labels.includes(l)),
    };
    const known = namespaceLabel === undefined ? [] : await logs.valuesOf(namespaceLabel, window);
    sight = { ...sight, knownNamespaces: known.slice(0, MOST_KNOWN_NAMESPACES) };
    for (const name of (asked.length > 0 ? asked : known).slice(0, MOST_NAMESPACES)) {
      const isMatched = await logs.hasStreams(selector(name), window);
      sight = { ...sight, namespaces: [...sight.namespaces, { name, isMatched }] };
    }
    return { ...sight, hasPodLabel: await seesPods(logs, options, sight, window) };
  } catch (error) {
    return { ...sight, trouble: toTrouble(error) };
  }
}

/** A label is known by its name; structured metadata shows on an entry alone. */
async function seesPods(
  logs: LogProbe,
  { podLabel, selector }: ProbeOptions,
  { labels, namespaces }: LogsSight,
  window: Window,
): Promise<boolean | null> {
  if (labels.includes(podLabel)) return true;
  const matched = namespaces.find(({ isMatched }) => isMatched);
  if (matched === undefined) return null;
  const keys = await logs.keysOfEntry(selector(matched.name), window);
  return keys === undefined ? null : keys.includes(podLabel);
}

async function lookAtCluster(cluster: ClusterProbe, names: readonly string[]): Promise<ClusterProbeSight> {
  const namespaces: ClusterProbeSight['namespaces'] = [];
  try {
    // Any name tells whether the cluster answers; what may be read there says nothing about the plays' namespaces.
    if (names.length === 0) await cluster.unreadIn('default');
    for (const name of names) namespaces.push({ name, unread: [...(await cluster.unreadIn(name))] });
    return { trouble: null, namespaces };
  } catch (error) {
    return { trouble: toTrouble(error), namespaces };
  }
}

/** @throws what is a fault of Healer's own */
function toTrouble(error: unknown): Trouble {
  if (error instanceof SourceError) return { reason: error.message, advice: error.advice };
  throw error;
}
