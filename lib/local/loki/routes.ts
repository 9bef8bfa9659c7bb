import { toNanos } from '#lib/domain/time.ts';
import { toMatrix, toStreams, toVector } from './encode-answer.ts';
import { parseLogql, parseSelector } from './parse-logql.ts';
import { assertLength, parseDirection, parseLimit, parseStep, parseTime, parseWindow } from './query-params.ts';
import { badRequest, LokiHttpError } from './refusal.ts';
import { runCount, runCountRange, runLogQuery } from './run-query.ts';
import type { LokiStore, StoredStream } from './store.ts';
import { entriesIn, matchingStreams } from './store.ts';

export interface QueryRequest {
  readonly path: string;
  /** Parameters of the address and of a form body. */
  readonly params: URLSearchParams;
  readonly isCategorized: boolean;
  /** Loki's `max_entries_limit_per_query`. */
  readonly maxEntries: number;
}

const API = '/loki/api/v1';

/** The answer's JSON value. @throws LokiHttpError with Loki's status and text. */
export function answerQuery(store: LokiStore, request: QueryRequest): object {
  const { path, params } = request;
  if (path === `${API}/query_range`) return success(queryRange(store, request));
  if (path === `${API}/query`) return success(queryInstant(store, params));
  if (path === `${API}/series`) return success(seriesOf(store, params));
  if (path === `${API}/labels`)
    return success(distinct(visible(store, params).flatMap(({ labels }) => Object.keys(labels))));
  if (path === `${API}/drilldown-limits`)
    return { limits: { max_entries_limit_per_query: request.maxEntries, max_query_length: '30d1h' } };
  const name = /^\/loki\/api\/v1\/label\/([^/]+)\/values$/.exec(path)?.[1];
  if (!name) throw new LokiHttpError(404, '404 page not found');
  return success(distinct(visible(store, params).map(({ labels }) => labels[decodeURIComponent(name)] ?? '')));
}

const success = (data: unknown): object => ({ status: 'success', data });

function queryRange(store: LokiStore, { params, isCategorized, maxEntries }: QueryRequest): object {
  const limit = parseLimit(params, maxEntries);
  const direction = parseDirection(params);
  const window = parseWindow(params);
  const query = parseLogql(params.get('query') ?? '');
  if (query.kind === 'count') return toMatrix(runCountRange(store, query, window, parseStep(params, window)));
  return toStreams(runLogQuery(store, query.selection, window, limit, direction), isCategorized);
}

function queryInstant(store: LokiStore, params: URLSearchParams): object {
  const query = parseLogql(params.get('query') ?? '');
  if (query.kind === 'logs') {
    throw badRequest(
      'log queries are not supported as an instant query type, please change your query to a range query type',
    );
  }
  assertLength(query.range);
  const time = params.get('time');
  const at = time ? parseTime('time', time) : toNanos(Date.now());
  return toVector(runCount(store, query, at), at);
}

function seriesOf(store: LokiStore, params: URLSearchParams): object[] {
  const selectors = [...params.getAll('match[]'), ...params.getAll('match')];
  if (selectors.length === 0) throw badRequest('0 matcher groups supplied');
  const fitting = new Set(selectors.flatMap((text) => matchingStreams(store, parseSelector(text))));
  return visible(store, params).flatMap((stream) => (fitting.has(stream) ? [stream.labels] : []));
}

/** Streams with an entry in the asked window. */
function visible(store: LokiStore, params: URLSearchParams): StoredStream[] {
  const window = parseWindow(params);
  return [...store.streams.values()].filter((stream) => entriesIn(stream, window).length > 0);
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '').sort();
