import type { Json } from '#lib/domain/detection/event.ts';
import { asList, asObject, asText, isObject } from '#lib/domain/detection/event.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { KubernetesGet } from './http-client.ts';
import { refusal, type Wanted } from './refusal.ts';

/** Objects of one page; with a selector the server may return fewer. */
const PAGE = 250;
/** Objects of one kind and namespace that are read at all. */
const MAX_PAGES = 40;
/** A `continue` lives for some minutes; a list that is too slow for that twice is not read a third time. */
const MAX_RESTARTS = 2;

export interface ListQuery extends Wanted {
  readonly fieldSelector?: string;
  readonly pageSize?: number | undefined;
}

/**
 * All objects of a kind in a namespace, page by page. A `continue` that has expired (410) begins the list again: what was
 * read before is dropped, so that no object is missing or there twice.
 * @throws SourceError
 */
export async function listAll(get: KubernetesGet, query: ListQuery, deadline: Millis): Promise<readonly Json[]> {
  for (let restart = 0; ; restart += 1) {
    try {
      return await listOnce(get, query, deadline);
    } catch (error) {
      const isExpired = error instanceof SourceError && error.status === 410;
      if (!isExpired || restart >= MAX_RESTARTS) throw error;
    }
  }
}

/** Some objects of a kind, at the cost of one page: whether it can be read. @throws SourceError */
export async function listSome(get: KubernetesGet, query: ListQuery, deadline: Millis): Promise<readonly Json[]> {
  const body = await get(toPath(query, ''), query, deadline);
  return asList(body['items']).filter(isObject);
}

async function listOnce(get: KubernetesGet, query: ListQuery, deadline: Millis): Promise<readonly Json[]> {
  const objects: Json[] = [];
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = await get(toPath(query, next), query, deadline);
    objects.push(...asList(body['items']).filter(isObject));
    next = asText(asObject(body['metadata'])['continue']);
    if (next === '') return objects;
  }
  throw refusal(
    `Kubernetes holds more than ${objects.length} ${query.resource} in namespace ${query.namespace}`,
    'Remove finished objects of the namespace (ttlSecondsAfterFinished).',
    false,
  );
}

function toPath(
  { group, version, resource, namespace, fieldSelector, pageSize = PAGE }: ListQuery,
  next: string,
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(next === '' ? {} : { continue: next }),
  });
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}?${query.toString()}`;
}
