import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { LokiAnswer } from './http-client.ts';
import { LokiRefusal, notLoki } from './refusal.ts';

type Labels = Readonly<Record<string, string>>;

/** An entry with the text of its stream, by which entries of one nanosecond are told apart and kept in order. */
export interface PulledEntry {
  readonly entry: LogEntry;
  readonly stream: string;
}

/** One answer of query_range. */
export interface Page {
  readonly entries: readonly PulledEntry[];
  readonly bytes: number;
}

/**
 * Loki derives this label on its own; it stands in the stream or in the metadata, depending on a header and on Loki's
 * version. It is read as metadata always, and never tells entries apart.
 */
const DERIVED = 'detected_level';

/** @throws LokiRefusal when the answer holds anything but log streams. */
export function parsePage({ body, bytes }: LokiAnswer): Page {
  const entries = resultOf(body, 'streams').flatMap((item) => {
    const { stream, values } = asRecord(item);
    const { [DERIVED]: level, ...labels } = asLabels(stream);
    const derived: Labels = level === undefined ? {} : { [DERIVED]: level };
    const text = toKey(labels);
    return asList(values).map((value) => ({ entry: toEntry(value, labels, derived), stream: text }));
  });
  return { entries, bytes };
}

/** What tells an entry apart from others of its stream and nanosecond. */
export function identityOf({ line, metadata = {} }: LogEntry): string {
  const { [DERIVED]: _derived, ...own } = metadata;
  return `${toKey(own)} ${line}`;
}

/** Counts by the value of one label, from an instant query; entries without the label count under the empty string. */
export function parseCounts({ body }: LokiAnswer, label: string): ReadonlyMap<string, number> {
  assertWhole(body);
  return new Map(
    resultOf(body, 'vector').map((item) => {
      const { metric, value } = asRecord(item);
      const count = Number(asList(value)[1]);
      if (!Number.isSafeInteger(count) || count < 0) throw notLoki('a count is not a whole number');
      return [asLabels(metric)[label] ?? '', count];
    }),
  );
}

/** The label sets of an answer of /series. */
export const parseSeries = ({ body }: LokiAnswer): readonly Labels[] => asList(body['data'] ?? []).map(asLabels);

/** Loki may answer with a part of the series and say so in a warning only. */
function assertWhole(body: Readonly<Record<string, unknown>>): void {
  const { warnings } = body;
  if (!Array.isArray(warnings) || !warnings.some((warning) => /partial/i.test(String(warning)))) return;
  const advice = 'Loki limits the number of series; raise max_query_series.';
  throw new LokiRefusal({ kind: 'wide', message: 'Loki counted a part of the series only', advice, retryable: false });
}

function resultOf(body: Readonly<Record<string, unknown>>, type: 'streams' | 'vector'): readonly unknown[] {
  const { resultType, result } = asRecord(body['data']);
  if (resultType !== type) throw notLoki(`its result is not of the type ${type}`);
  return asList(result ?? []);
}

function toEntry(value: unknown, labels: Labels, derived: Labels): LogEntry {
  const [ns, line, extra] = asList(value);
  if (typeof ns !== 'string' || !/^\d+$/.test(ns) || typeof line !== 'string')
    throw notLoki('an entry has no time or line');
  const { structuredMetadata } = asRecord(extra ?? {});
  const metadata = { ...derived, ...asLabels(structuredMetadata ?? {}) };
  const entry = { ns: BigInt(ns), line, labels };
  return Object.keys(metadata).length === 0 ? entry : { ...entry, metadata };
}

const toKey = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notLoki('a part of it has another shape');
  return value as Record<string, unknown>;
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw notLoki('a part of it is not a list');
  return value;
}

function asLabels(value: unknown): Labels {
  const labels = asRecord(value);
  if (!Object.values(labels).every((item) => typeof item === 'string')) throw notLoki('a label is not text');
  return labels as Labels;
}
