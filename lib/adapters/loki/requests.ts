import type { Window } from '#lib/domain/time.ts';
import { NANOS_PER_MS } from '#lib/domain/time.ts';
import { bisect, spanOf } from '#lib/domain/window/spans.ts';
import type { Page } from './answer.ts';
import { parsePage, parseSeries } from './answer.ts';
import type { LokiAnswer } from './http-client.ts';
import { LokiRefusal } from './refusal.ts';

/** Posts a form to a path under `/loki/api/v1`. @throws LokiRefusal */
export type Ask = (path: string, form: Readonly<Record<string, string>>) => Promise<LokiAnswer>;

/** One page of a log query, at most `limit` entries, oldest first. */
export async function askPage(ask: Ask, query: string, window: Window, limit: number): Promise<Page> {
  const form = { query, ...boundsOf(window), limit: String(limit), direction: 'forward' };
  return parsePage(await ask('query_range', form));
}

/** Label sets of the streams that may hold entries in the window. */
export async function askSeries(ask: Ask, stream: string, window: Window) {
  return parseSeries(await ask('series', { 'match[]': stream, ...boundsOf(window) }));
}

export const boundsOf = ({ since, until }: Window) => ({ start: String(since), end: String(until) });

/**
 * Asks for both halves, cut at a millisecond, where the whole is more than Loki reads at once. `join` asks for the second
 * half only when it needs it.
 */
export async function inHalves<T>(
  window: Window,
  ask: (window: Window) => Promise<T>,
  join: (first: T, second: () => Promise<T>) => Promise<T>,
): Promise<T> {
  try {
    return await ask(window);
  } catch (error) {
    if (!(error instanceof LokiRefusal) || error.kind !== 'wide' || spanOf(window) < 2n * NANOS_PER_MS) throw error;
    const [first, second] = bisect(window, NANOS_PER_MS);
    return join(await inHalves(first, ask, join), () => inHalves(second, ask, join));
  }
}
