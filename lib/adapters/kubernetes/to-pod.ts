import type { ClusterContainer, ClusterPod, ContainerEnd } from '#lib/domain/cluster/objects.ts';
import { asList, asObject, asText, isObject, type Json } from '#lib/domain/detection/event.ts';
import { toMoment } from './moment.ts';
import { toConditions, toMeta, toNumber } from './to-objects.ts';

export function toPod(object: Json): ClusterPod {
  const [spec, status] = [asObject(object['spec']), asObject(object['status'])];
  return {
    meta: toMeta(object),
    phase: asText(status['phase']),
    reason: asText(status['reason']),
    message: asText(status['message']),
    node: asText(spec['nodeName']) || null,
    startedNs: toMoment(status['startTime']),
    conditions: toConditions(status['conditions']),
    containers: [
      ...toContainers(spec['initContainers'], status['initContainerStatuses'], true),
      ...toContainers(spec['containers'], status['containerStatuses'], false),
    ],
  };
}

/** Containers of the spec with their status; a pod that no kubelet has taken has no statuses. */
function toContainers(specs: unknown, statuses: unknown, isInit: boolean): readonly ClusterContainer[] {
  const byName = new Map(asList(statuses).map((status) => [asText(asObject(status)['name']), asObject(status)]));
  const specByName = new Map(asList(specs).map((spec) => [asText(asObject(spec)['name']), asObject(spec)]));
  const names = new Set([...specByName.keys(), ...byName.keys()]);
  return [...names].map((name) => toContainer(name, specByName.get(name) ?? {}, byName.get(name) ?? {}, isInit));
}

function toContainer(name: string, spec: Json, status: Json, isInit: boolean): ClusterContainer {
  const [state, last] = [asObject(status['state']), asObject(status['lastState'])];
  const waiting = asObject(state['waiting']);
  const limits = asObject(asObject(spec['resources'])['limits']);
  return {
    name,
    isInit,
    image: asText(spec['image']) || asText(status['image']),
    memoryLimit: asText(limits['memory']) || null,
    restarts: toNumber(status['restartCount']),
    runningSinceNs: toMoment(asObject(state['running'])['startedAt']),
    waiting: isObject(state['waiting'])
      ? { reason: asText(waiting['reason']), message: asText(waiting['message']) }
      : null,
    end: toEnd(state['terminated']),
    lastEnd: toEnd(last['terminated']),
  };
}

function toEnd(value: unknown): ContainerEnd | null {
  if (!isObject(value)) return null;
  return {
    reason: asText(value['reason']),
    exitCode: toNumber(value['exitCode']),
    message: asText(value['message']),
    startedNs: toMoment(value['startedAt']),
    finishedNs: toMoment(value['finishedAt']),
  };
}
