import type { Millis, Nanos, Window } from '#lib/domain/time.ts';
import type { LabelTest } from './parse-logql.ts';

export type Labels = Readonly<Record<string, string>>;

export interface StoredEntry {
  readonly ns: Nanos;
  readonly line: string;
  /** Structured metadata with `detected_level`. */
  readonly metadata: Labels;
  /** Queries see the entry from this moment on. */
  readonly visibleAt: Millis;
}

export interface StoredStream {
  readonly labels: Labels;
  /** Loki's text form of the label set, e.g. `{app="a", pod="p"}`; streams sort by it. */
  readonly text: string;
  /** By time; equal times in order of arrival. */
  readonly entries: StoredEntry[];
  readonly known: Set<string>;
}

/** The streams of one tenant. */
export interface LokiStore {
  readonly streams: Map<string, StoredStream>;
}

/** Text form of a set of labels, sorted by name. */
export function toText(labels: Labels): string {
  const sorted = Object.keys(labels).sort();
  return `{${sorted.map((name) => `${name}=${JSON.stringify(labels[name])}`).join(', ')}}`;
}

export function ensureStream(store: LokiStore, labels: Labels): StoredStream {
  const text = toText(labels);
  const fresh = { labels, text, entries: [], known: new Set<string>() };
  const stream = store.streams.get(text) ?? fresh;
  store.streams.set(text, stream);
  return stream;
}

export const newestOf = (stream: StoredStream): Nanos | undefined => stream.entries.at(-1)?.ns;

/** Adds the entry behind those of the same nanosecond; an exact duplicate is dropped, adjacent or not. */
export function insert(stream: StoredStream, entry: StoredEntry): boolean {
  const identity = `${entry.ns} ${toText(entry.metadata)} ${entry.line}`;
  if (stream.known.has(identity)) return false;
  stream.known.add(identity);
  stream.entries.splice(firstFrom(stream, entry.ns + 1n), 0, entry);
  return true;
}

export function matchingStreams(store: LokiStore, matchers: readonly LabelTest[]): StoredStream[] {
  const fits = (stream: StoredStream) => matchers.every(({ label, test }) => test(stream.labels[label] ?? ''));
  return [...store.streams.values()].filter(fits).sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Entries in `[since, until)` that the clock lets show, by time. */
export function entriesIn(stream: StoredStream, window: Window): StoredEntry[] {
  const now = Date.now();
  const slice = stream.entries.slice(firstFrom(stream, window.since), firstFrom(stream, window.until));
  return slice.filter((entry) => entry.visibleAt <= now);
}

/** Index of the first entry at `ns` or later. */
function firstFrom(stream: StoredStream, ns: Nanos): number {
  let low = 0;
  let high = stream.entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = stream.entries[middle];
    if (entry && entry.ns < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
