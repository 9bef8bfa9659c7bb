import type { Nanos, Window } from '#lib/domain/time.ts';
import type { ParsedQuery, Selection } from './parse-logql.ts';
import type { Direction } from './query-params.ts';
import { badRequest, LokiHttpError } from './refusal.ts';
import type { Labels, LokiStore, StoredEntry, StoredStream } from './store.ts';
import { entriesIn, matchingStreams, toText } from './store.ts';

/** Loki's defaults: gRPC message size and `max_query_series`, and Prometheus' bound on points of a series. */
const MAX_MESSAGE_BYTES = 4_194_304;
const MAX_SERIES = 500;
const MAX_POINTS = 11_000n;
/** What an entry costs on the wire beside its text: timestamp and field tags of the protobuf message. */
const ENTRY_OVERHEAD_BYTES = 16;

export interface Hit {
  readonly stream: StoredStream;
  readonly entry: StoredEntry;
}

/** The first `limit` entries over all streams in the asked direction. @throws LokiHttpError 500 over the message size. */
export function runLogQuery(
  store: LokiStore,
  selection: Selection,
  window: Window,
  limit: number,
  order: Direction,
): Hit[] {
  const sign = order === 'forward' ? 1 : -1;
  const hits = matchingStreams(store, selection.matchers).flatMap((stream) => {
    const found = select(stream, selection, window);
    return (order === 'forward' ? found : found.toReversed()).slice(0, limit).map((entry) => ({ stream, entry }));
  });
  hits.sort((a, b) => sign * Number(a.entry.ns - b.entry.ns));
  const page = hits.slice(0, limit);
  assertMessageSize(page);
  return page;
}

export interface Sample {
  readonly metric: Labels;
  readonly value: number;
}

type CountQuery = Extract<ParsedQuery, { kind: 'count' }>;

/** `sum by (…) (count_over_time(…[range]))` at one moment; the range is open on the left and closed on the right. */
export function runCount(store: LokiStore, query: CountQuery, at: Nanos): Sample[] {
  const counts = new Map<string, { metric: Labels; value: number }>();
  const window = { since: at - query.range + 1n, until: at + 1n };
  for (const stream of matchingStreams(store, query.selection.matchers)) {
    for (const entry of select(stream, query.selection, window)) {
      const metric = pick({ ...entry.metadata, ...stream.labels }, query.by);
      const sample = counts.get(toText(metric)) ?? { metric, value: 0 };
      sample.value += 1;
      counts.set(toText(metric), sample);
    }
  }
  if (counts.size > MAX_SERIES) throw badRequest(`maximum number of series (${MAX_SERIES}) reached for a single query`);
  return [...counts.values()];
}

/** The same at each step from `since` to `until`, both included. */
export function runCountRange(store: LokiStore, query: CountQuery, window: Window, step: Nanos): [Nanos, Sample[]][] {
  if ((window.until - window.since) / step > MAX_POINTS) {
    throw badRequest(
      'exceeded maximum resolution of 11,000 points per time series. Try increasing the value of the step parameter',
    );
  }
  const points: [Nanos, Sample[]][] = [];
  for (let at = window.since; at <= window.until; at += step) points.push([at, runCount(store, query, at)]);
  return points;
}

function select(stream: StoredStream, selection: Selection, window: Window): StoredEntry[] {
  return entriesIn(stream, window).filter(
    ({ line, metadata }) =>
      selection.lineFilters.every((filter) => filter(line)) &&
      selection.labelFilters.every(({ label, test }) => test(stream.labels[label] ?? metadata[label] ?? '')),
  );
}

function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (labels[name] ? [[name, labels[name]]] : [])));
}

function assertMessageSize(page: readonly Hit[]): void {
  const sizes = page.map(({ entry }) => Buffer.byteLength(entry.line) + ENTRY_OVERHEAD_BYTES);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= MAX_MESSAGE_BYTES) return;
  const text = `trying to send message larger than max (${bytes} vs. ${MAX_MESSAGE_BYTES})`;
  throw new LokiHttpError(500, `rpc error: code = ResourceExhausted desc = ${text}`);
}
