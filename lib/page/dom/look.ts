import { createHealerClient } from '#lib/client/index.ts';
import { createLoader } from '../model/load.ts';
import type { Route } from '../model/route.ts';
import { incidentView } from './incident.ts';
import { overviewView } from './overview.ts';
import { sessionView } from './session.ts';

/** Below an API that hangs, a look ends after this time. */
const TIMEOUT_MS = 15_000;

export interface Looked {
  /** Equal when nothing changed. */
  readonly data: string;
  readonly view: () => HTMLElement;
}

/** One look at what a route shows; `limit` is the length of the lists. */
export type Look = (route: Route, limit: number, showMore: () => void) => Promise<Looked>;

/** Looks with a token, or without one. @throws HealerCallError from a look that fails */
export function createLook(token: string | null): Look {
  const url = `${location.origin}${location.pathname}`;
  const healer = createHealerClient({ url, token: token ?? undefined, attempts: 1, timeoutMs: TIMEOUT_MS });
  const load = createLoader(healer);
  return async (route, limit, showMore) => {
    if (route.name === 'session') {
      const detail = await healer.get(route.id);
      return { data: toData(detail), view: () => sessionView(detail) };
    }
    if (route.name === 'incident') {
      const { incident } = await healer.incident(route.id);
      return { data: toData(incident), view: () => incidentView(incident) };
    }
    const overview = await load(limit);
    return { data: toData(overview), view: () => overviewView(overview, showMore) };
  };
}

/** Ids of requests differ each time. */
const toData = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'request_id' ? undefined : inner));
