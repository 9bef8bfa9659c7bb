import type { Clock, Cluster, ClusterProbe } from '#lib/app/ports.ts';
import { CLUSTER_RESOURCES, type ClusterResource, type UnreadResource } from '#lib/domain/cluster/objects.ts';
import type { Json } from '#lib/domain/detection/event.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import { createGet, type KubernetesAccess, type KubernetesGet } from './http-client.ts';
import { type ListQuery, listAll, listSome } from './list.ts';
import { toClusterEvent, toCodeRun, toJob } from './to-objects.ts';
import { toPod } from './to-pod.ts';

export interface ClusterOptions extends KubernetesAccess {
  /** Time that one reading of a namespace may take. */
  readonly budgetMs?: Millis | undefined;
  /** Objects of one page. */
  readonly pageSize?: number | undefined;
}

const BUDGET_MS = 15_000;
/** A pause before the one further try of what failed in passing. */
const PAUSE_MS = 400;

const KINDS: Readonly<Record<ClusterResource, { readonly group: string; readonly version: string }>> = {
  pods: { group: '', version: 'v1' },
  jobs: { group: 'batch', version: 'v1' },
  coderuns: { group: 'agents.platform', version: 'v1' },
  events: { group: '', version: 'v1' },
};

/** Refusals that concern one kind of object only; with any other, the others would fail alike. */
const PARTIAL: ReadonlySet<number | undefined> = new Set([403, 404]);

interface ClusterTime {
  readonly clock: Clock;
  readonly sleep: (ms: Millis) => Promise<void>;
}

/** For all kinds of one namespace. */
const PROBE_MS = 5_000;

/** Looks what may be read, without a further try. @throws ConfigError for an unusable address or CA. */
export function kubernetesProbe(options: ClusterOptions, { clock }: Pick<ClusterTime, 'clock'>): ClusterProbe {
  const get = createGet(options, clock);
  return {
    unreadIn: async (namespace) => {
      const deadline = clock.now() + PROBE_MS;
      const look = (resource: ClusterResource) =>
        listKind({ resource, namespace, events: 'all', pageSize: 1 }, (query) => listSome(get, query, deadline));
      return toAllUnread(await Promise.all(CLUSTER_RESOURCES.map((resource) => attempt(resource, look(resource)))));
    },
  };
}

/** Reads namespaces of one cluster, and nothing but reads. @throws ConfigError for an unusable address or CA. */
export function kubernetesCluster(options: ClusterOptions, time: ClusterTime): Cluster {
  const get = withRetry(createGet(options, time.clock), time);
  return {
    read: async (namespace, { events }) => {
      const deadline = time.clock.now() + (options.budgetMs ?? BUDGET_MS);
      const read = (resource: ClusterResource) =>
        listKind({ resource, namespace, events, pageSize: options.pageSize }, (query) => listAll(get, query, deadline));
      const lists = await Promise.all(CLUSTER_RESOURCES.map((resource) => attempt(resource, read(resource))));
      const unread = toAllUnread(lists);
      const [first] = lists;
      if (unread.length === lists.length && first?.error !== undefined) throw first.error;
      const of = (resource: ClusterResource): readonly Json[] =>
        lists.find((list) => list.resource === resource)?.objects ?? [];
      return {
        pods: of('pods').map(toPod),
        jobs: of('jobs').map(toJob),
        runs: of('coderuns').map(toCodeRun),
        events: of('events').map(toClusterEvent),
        unread,
      };
    },
  };
}

interface KindQuery {
  readonly resource: ClusterResource;
  readonly namespace: string;
  readonly events: 'warnings' | 'all';
  readonly pageSize: number | undefined;
}

/** Core `v1` shows events of both shapes; an account that may read only `events.k8s.io` gets them there. */
async function listKind(
  { resource, namespace, events, pageSize }: KindQuery,
  ask: (query: ListQuery) => Promise<readonly Json[]>,
): Promise<readonly Json[]> {
  const selector = resource === 'events' && events === 'warnings' ? { fieldSelector: 'type=Warning' } : {};
  const list = (kind: { group: string; version: string }) =>
    ask({ ...kind, resource, namespace, pageSize, ...selector });
  try {
    return await list(KINDS[resource]);
  } catch (error) {
    if (resource !== 'events' || !(error instanceof SourceError) || error.status !== 403) throw error;
    return list({ group: 'events.k8s.io', version: 'v1' }).catch(() => {
      throw error;
    });
  }
}

interface Attempt {
  readonly resource: ClusterResource;
  readonly objects: readonly Json[];
  readonly error?: SourceError;
}

/** @throws what concerns the whole cluster: it is told once, not four times. */
async function attempt(resource: ClusterResource, work: Promise<readonly Json[]>): Promise<Attempt> {
  try {
    return { resource, objects: await work };
  } catch (error) {
    if (!(error instanceof SourceError) || (!PARTIAL.has(error.status) && error.retryable)) throw error;
    return { resource, objects: [], error };
  }
}

const toAllUnread = (lists: readonly Attempt[]): readonly UnreadResource[] =>
  lists.flatMap(({ resource, error }) => (error === undefined ? [] : [toUnread(resource, error)]));

const toUnread = (resource: ClusterResource, { message, advice }: SourceError): UnreadResource => ({
  resource,
  reason: message,
  advice,
});

/** One further try of what failed in passing, where the time allows it. A wait that the server asks for comes first. */
function withRetry(get: KubernetesGet, { clock, sleep }: ClusterTime): KubernetesGet {
  return async (path, wanted, deadline) => {
    try {
      return await get(path, wanted, deadline);
    } catch (error) {
      const wait = error instanceof SourceError && mayPass(error) ? (error.retryAfterMs ?? PAUSE_MS) : null;
      if (wait === null || clock.now() + wait >= deadline) throw error;
      await sleep(wait);
      return get(path, wanted, deadline);
    }
  };
}

const mayPass = ({ retryable, status }: SourceError): boolean => retryable && status !== 401 && status !== 410;
