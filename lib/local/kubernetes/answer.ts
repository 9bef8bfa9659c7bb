import { apiFault } from './api-fault.ts';
import { fieldSelector, labelSelector } from './selectors.ts';
import { apiVersionOf, type KubernetesObject, type ObjectStore, RESOURCES, type Resource } from './store.ts';

/** A path of the API, taken apart. */
export interface Route {
  readonly group: string;
  readonly plural: string;
  /** Undefined for a resource that this server does not serve. */
  readonly resource: Resource | undefined;
  readonly namespace: string;
  readonly name: string | undefined;
}

const PATH = /^\/(?:api|apis\/([\w.-]+))\/(v\w+)\/namespaces\/([\w.-]+)\/(\w+)(?:\/([\w.-]+))?$/;

/** Undefined: the path is none of a namespaced resource. */
export function toRoute(path: string): Route | undefined {
  const [, group = '', version, namespace = '', plural = '', name] = PATH.exec(path) ?? [];
  if (version === undefined) return undefined;
  const resource = RESOURCES.find(
    (known) => known.group === group && known.version === version && known.plural === plural,
  );
  return { group, plural, resource, namespace, name };
}

/** One object, or a list with selectors and pages. @throws ApiFault */
export function answerRead(store: ObjectStore, route: Route & { resource: Resource }, query: URLSearchParams): object {
  const { resource, namespace, name } = route;
  const all = store.list(resource.kind, namespace).map((object) => toServed(object, resource));
  if (name !== undefined) {
    const found = all.find((object) => object.metadata.name === name);
    if (found !== undefined) return found;
    throw apiFault(404, 'NotFound', `${resource.plural} "${name}" not found`, { name, kind: resource.plural });
  }
  const isChosen = [
    labelSelector(query.get('labelSelector') ?? ''),
    fieldSelector(query.get('fieldSelector') ?? '', resource),
  ];
  const chosen = all.filter((object) => isChosen.every((test) => test(object)));
  return toPage(store, resource, chosen, query);
}

function toPage(store: ObjectStore, resource: Resource, chosen: readonly KubernetesObject[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 0);
  const after = fromContinue(query.get('continue') ?? '');
  const rest = chosen.filter((object) => object.metadata.name > after);
  const items = limit > 0 ? rest.slice(0, limit) : rest;
  const left = rest.length - items.length;
  const hasSelector = query.has('labelSelector') || query.has('fieldSelector');
  return {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: String(store.version),
      ...(left > 0 && { continue: toContinue(items.at(-1)?.metadata.name ?? '') }),
      ...(left > 0 && !hasSelector && { remainingItemCount: left }),
    },
    items,
  };
}

const toContinue = (name: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', start: name })).toString('base64url');

function fromContinue(token: string): string {
  if (token === '') return '';
  try {
    return (JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as { start: string }).start;
  } catch {
    throw apiFault(400, 'BadRequest', 'continue key is not valid');
  }
}

/** Events are one store seen through two groups, each with names of its own. */
function toServed(object: KubernetesObject, resource: Resource): KubernetesObject {
  if (resource.group !== 'events.k8s.io') return object;
  const { involvedObject, message, firstTimestamp, lastTimestamp, count, source, ...rest } = object;
  return {
    ...rest,
    apiVersion: 'events.k8s.io/v1',
    regarding: involvedObject,
    note: message,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
    deprecatedSource: source,
  };
}
