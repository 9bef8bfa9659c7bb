import type { ClusterEvent, ClusterJob, CodeRun, Condition, ObjectMeta } from '#lib/domain/cluster/objects.ts';
import { asList, asObject, asText, type Json } from '#lib/domain/detection/event.ts';
import { toMoment } from './moment.ts';

/** Reads objects of the API tolerantly: what is missing or of another type is empty, never an error. */

export const toNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Null instead of an empty text; numbers as text, since task ids may be either. */
const toName = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : asText(value) === '' ? null : asText(value);

const toLabels = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(asObject(value)).filter(([, text]) => typeof text === 'string')) as Record<
    string,
    string
  >;

export function toMeta(object: Json): ObjectMeta {
  const meta = asObject(object['metadata']);
  const owners = asList(meta['ownerReferences']).map(asObject);
  return {
    uid: asText(meta['uid']),
    name: asText(meta['name']),
    labels: toLabels(meta['labels']),
    createdNs: toMoment(meta['creationTimestamp']),
    deletedNs: toMoment(meta['deletionTimestamp']),
    owners: owners.map((owner) => ({ kind: asText(owner['kind']), name: asText(owner['name']) })),
  };
}

export const toConditions = (value: unknown): readonly Condition[] =>
  asList(value)
    .map(asObject)
    .map((condition) => ({
      type: asText(condition['type']),
      status: asText(condition['status']),
      reason: asText(condition['reason']),
      message: asText(condition['message']),
      atNs: toMoment(condition['lastTransitionTime']),
    }));

export function toJob(object: Json): ClusterJob {
  const status = asObject(object['status']);
  return {
    meta: toMeta(object),
    active: toNumber(status['active']),
    succeeded: toNumber(status['succeeded']),
    failed: toNumber(status['failed']),
    conditions: toConditions(status['conditions']),
  };
}

export function toCodeRun(object: Json): CodeRun {
  const [spec, status] = [asObject(object['spec']), asObject(object['status'])];
  return {
    meta: toMeta(object),
    phase: asText(status['phase']),
    message: asText(status['message']),
    jobName: toName(status['jobName']),
    service: toName(spec['service']),
    taskId: toName(spec['taskId']),
    runType: toName(spec['runType']),
    githubApp: toName(spec['githubApp']),
    finishedNs: toMoment(status['finishedAt']) ?? toMoment(status['lastUpdate']),
  };
}

/**
 * An event of core `v1` or of `events.k8s.io/v1`. What is written through the latter and read through the former has no
 * `firstTimestamp`, `lastTimestamp` and `count`; its moments stand in `eventTime` and `series`.
 */
export function toClusterEvent(object: Json): ClusterEvent {
  const series = asObject(object['series']);
  const regarding = asObject(object['involvedObject'] ?? object['regarding']);
  const meta = toMeta(object);
  const first = object['firstTimestamp'] ?? object['deprecatedFirstTimestamp'] ?? object['eventTime'];
  const last = object['lastTimestamp'] ?? object['deprecatedLastTimestamp'] ?? object['eventTime'];
  return {
    uid: meta.uid,
    type: asText(object['type']),
    reason: asText(object['reason']),
    message: asText(object['message'] ?? object['note']),
    object: { kind: asText(regarding['kind']), name: asText(regarding['name']) },
    firstNs: toMoment(first) ?? meta.createdNs,
    lastNs: toMoment(series['lastObservedTime']) ?? toMoment(last) ?? meta.createdNs,
    count: Math.max(1, toNumber(series['count']), toNumber(object['count']), toNumber(object['deprecatedCount'])),
  };
}
