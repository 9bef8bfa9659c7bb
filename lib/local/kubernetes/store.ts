import { randomUUID } from 'node:crypto';

/** An object as the API serves it; `metadata.name` and `metadata.namespace` are its key within its kind. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace: string };
  readonly [field: string]: unknown;
}

/** A resource of the API that this server knows. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** Field selectors that the real server supports beside `metadata.name`. */
  readonly fields: readonly string[];
}

const POD_FIELDS = ['status.phase', 'spec.nodeName'];
const EVENT_FIELDS = ['involvedObject.name', 'involvedObject.kind', 'type', 'reason'];

export const RESOURCES: readonly Resource[] = [
  { group: '', version: 'v1', plural: 'pods', kind: 'Pod', fields: POD_FIELDS },
  { group: '', version: 'v1', plural: 'events', kind: 'Event', fields: EVENT_FIELDS },
  { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', fields: ['type', 'reason'] },
  { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', fields: ['status.successful'] },
  { group: 'agents.platform', version: 'v1', plural: 'coderuns', kind: 'CodeRun', fields: [] },
];

/** `agents.platform/v1`, or `v1` of the core group. */
export const apiVersionOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`);

export interface ObjectStore {
  /** Adds or replaces; uid and creation time are given where they are missing, and kept at a replacement. */
  put(object: KubernetesObject): KubernetesObject;
  remove(kind: string, namespace: string, name: string): void;
  /** In order of their names, as etcd lists them. */
  list(kind: string, namespace: string): readonly KubernetesObject[];
  readonly version: number;
}

export function createStore(): ObjectStore {
  const objects = new Map<string, KubernetesObject>();
  let version = 1000;
  const keyOf = (kind: string, namespace: string, name: string) => `${kind}/${namespace}/${name}`;
  return {
    put(object) {
      version += 1;
      const key = keyOf(object.kind, object.metadata.namespace, object.metadata.name);
      const known = objects.get(key)?.metadata;
      const metadata = {
        uid: known?.['uid'] ?? randomUUID(),
        creationTimestamp: known?.['creationTimestamp'] ?? new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
        ...object.metadata,
        resourceVersion: String(version),
      };
      const stored = { ...object, metadata };
      objects.set(key, stored);
      return stored;
    },
    remove(kind, namespace, name) {
      version += 1;
      objects.delete(keyOf(kind, namespace, name));
    },
    list: (kind, namespace) =>
      [...objects]
        .filter(([key]) => key.startsWith(`${kind}/${namespace}/`))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, object]) => object),
    get version() {
      return version;
    },
  };
}
