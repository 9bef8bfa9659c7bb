import type { Nanos } from '#lib/domain/time.ts';
import { NANOS_PER_MS } from '#lib/domain/time.ts';
import type { Hit, Sample } from './run-query.ts';
import type { Labels } from './store.ts';
import { toText } from './store.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON as Go's HTML-escaping writer makes it: the same value, other bytes. */
export const toGoJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (found) => ESCAPES[found] ?? found);

/**
 * The `data` of a log query. With `categorize-labels` a stream holds its labels only and each value carries its
 * structured metadata; without it metadata (and `detected_level`) is merged into the labels, one stream per distinct set.
 */
export function toStreams(hits: readonly Hit[], isCategorized: boolean): object {
  const streams = new Map<string, { stream: Labels; values: unknown[] }>();
  for (const { stream, entry } of hits) {
    const labels = isCategorized ? stream.labels : { ...entry.metadata, ...stream.labels };
    const text = toText(labels);
    const group = streams.get(text) ?? { stream: labels, values: [] };
    const value = [String(entry.ns), entry.line];
    group.values.push(isCategorized ? [...value, { structuredMetadata: entry.metadata }] : value);
    streams.set(text, group);
  }
  const flags = isCategorized ? { encodingFlags: ['categorize-labels'] } : {};
  const sorted = [...streams.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return { resultType: 'streams', ...flags, result: sorted.map(([, group]) => group), stats: {} };
}

const toSeconds = (at: Nanos): number => Number(at / NANOS_PER_MS) / 1000;

export function toVector(samples: readonly Sample[], at: Nanos): object {
  const result = samples.map(({ metric, value }) => ({ metric, value: [toSeconds(at), String(value)] }));
  return { resultType: 'vector', result, stats: {} };
}

export function toMatrix(points: readonly (readonly [Nanos, readonly Sample[]])[]): object {
  const series = new Map<string, { metric: Labels; values: unknown[] }>();
  for (const [at, samples] of points) {
    for (const { metric, value } of samples) {
      const row = series.get(toText(metric)) ?? { metric, values: [] };
      row.values.push([toSeconds(at), String(value)]);
      series.set(toText(metric), row);
    }
  }
  return { resultType: 'matrix', result: [...series.values()], stats: {} };
}
