import type { ClusterJob, ClusterPod, ClusterState, CodeRun, ObjectMeta } from '../../cluster/objects.ts';
import {
  type AttributableSession,
  type Attribution,
  type AttributionConfig,
  attributeEntry,
  DEFAULT_ATTRIBUTION,
  toAgent,
} from '../attribution.ts';

/** Whose the objects of a namespace are: by name, as the attribution rules and the owner chain tell. */
export interface ClusterOwners {
  readonly pods: ReadonlyMap<string, Attribution>;
  readonly jobs: ReadonlyMap<string, Attribution>;
  readonly runs: ReadonlyMap<string, Attribution>;
}

/** Whose the object of that name is: a pod, a Job (also one that only its CodeRun names), or a CodeRun. */
export const ownerOfName = ({ pods, jobs, runs }: ClusterOwners, name: string): Attribution | undefined =>
  pods.get(name) ?? jobs.get(name) ?? runs.get(name) ?? [...runs.values()].find(({ pod }) => pod === name);

const JOB_LABELS = ['batch.kubernetes.io/job-name', 'job-name'];

/** Name of the Job that a pod belongs to. */
export const jobOf = ({ meta }: Pick<ClusterPod, 'meta'>): string | null =>
  meta.owners.find(({ kind }) => kind === 'Job')?.name ??
  JOB_LABELS.map((label) => meta.labels[label]).find((name) => name !== undefined) ??
  null;

/** The CodeRun that made a Job: it names the Job in its status, or is the Job's owner. */
export const runOf = (job: string, state: Pick<ClusterState, 'runs' | 'jobs'>): CodeRun | undefined => {
  const owners = state.jobs.find(({ meta }) => meta.name === job)?.meta.owners ?? [];
  return state.runs.find(
    (run) => run.jobName === job || owners.some(({ kind, name }) => kind === 'CodeRun' && name === run.meta.name),
  );
};

/**
 * Attributes pods, Jobs and CodeRuns. What its own name or labels attribute keeps that rule; else the owner chain decides:
 * pod, Job, CodeRun, and any other owner by its name. Pods of Healer and of collectors are nobody's.
 */
export function toClusterOwners(
  state: ClusterState,
  sessions: readonly AttributableSession[],
  config: AttributionConfig = DEFAULT_ATTRIBUTION,
): ClusterOwners {
  const own = (meta: ObjectMeta, more: Readonly<Record<string, string>> = {}) =>
    attributeObject(meta, more, sessions, config);
  const runs = toMap(state.runs, (run) => named(own(run.meta, toRunLabels(run, config)), run));
  const jobs = toMap(state.jobs, (job) => {
    const run = runOf(job.meta.name, state);
    return own(job.meta) ?? viaOwner(run && runs.get(run.meta.name)) ?? byOwnerNames(job, sessions, config);
  });
  const pods = toMap(state.pods, (pod) => {
    const job = jobOf(pod);
    const run = job === null ? undefined : runOf(job, state);
    const parent = (job === null ? undefined : jobs.get(job)) ?? (run && runs.get(run.meta.name));
    if (isOutside(pod, config)) return undefined;
    const found = own(pod.meta) ?? viaOwner(parent) ?? byOwnerNames(pod, sessions, config);
    return found && { ...withAgent(found, pod.meta, sessions, config, parent), pod: pod.meta.name };
  });
  return { pods, jobs, runs };
}

function toMap<T extends { readonly meta: ObjectMeta }>(
  objects: readonly T[],
  owner: (object: T) => Attribution | undefined,
): ReadonlyMap<string, Attribution> {
  const found = objects.map((object) => [object.meta.name, owner(object)] as const);
  return new Map(found.filter((pair): pair is readonly [string, Attribution] => pair[1] !== undefined));
}

const viaOwner = (parent: Attribution | undefined): Attribution | undefined => parent && { ...parent, rule: 'owner' };

/** An object by its own name and labels, as if it were a stream of that name. */
function attributeObject(
  { name, labels }: Pick<ObjectMeta, 'name' | 'labels'>,
  more: Readonly<Record<string, string>>,
  sessions: readonly AttributableSession[],
  config: AttributionConfig,
): Attribution | undefined {
  const [podLabel = 'pod'] = config.podLabels;
  const found = attributeEntry({ labels: { ...more, ...labels, [podLabel]: name } }, sessions, config);
  return found && { ...found, container: null };
}

/** Owners of kinds that are not read (workflows, ReplicaSets) tell by their names alone. */
function byOwnerNames(
  { meta }: Pick<ClusterPod | ClusterJob, 'meta'>,
  sessions: readonly AttributableSession[],
  config: AttributionConfig,
): Attribution | undefined {
  const found = meta.owners.map(({ name }) => attributeObject({ name, labels: {} }, {}, sessions, config));
  return viaOwner(found.find((owner) => owner !== undefined));
}

const toRunLabels = ({ service, taskId, githubApp }: CodeRun, config: AttributionConfig): Record<string, string> => ({
  ...(service !== null && { [config.serviceLabel]: service }),
  ...(taskId !== null && { [config.taskLabel]: taskId }),
  ...(githubApp !== null && { [config.agentLabels[0] ?? 'agent']: githubApp.split('-').at(-1) ?? githubApp }),
});

const named = (found: Attribution | undefined, run: CodeRun): Attribution | undefined =>
  found && { ...found, pod: run.jobName ?? run.meta.name };

/** The pod's own labels and name first, then what its run says. */
function withAgent(
  found: Attribution,
  { name, labels }: ObjectMeta,
  sessions: readonly AttributableSession[],
  config: AttributionConfig,
  parent: Attribution | undefined,
): Attribution {
  const agents = sessions.find(({ playId }) => playId === found.playId)?.agents ?? {};
  return { ...found, agent: toAgent({ labels }, name, agents, config) ?? parent?.agent ?? found.agent };
}

const isOutside = ({ meta }: ClusterPod, config: AttributionConfig): boolean =>
  meta.labels[config.excludeLabel] === 'true' ||
  config.excludedPods.some((name) => meta.name === name || meta.name.startsWith(`${name}-`));
