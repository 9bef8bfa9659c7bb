import type { Millis } from '#lib/domain/time.ts';
import { NANOS_PER_SECOND, toIso, toMillis, toNanos } from '#lib/domain/time.ts';
import { detectLevel, withServiceName } from './discovered-labels.ts';
import { badRequest } from './refusal.ts';
import type { Labels, LokiStore, StoredStream } from './store.ts';
import { ensureStream, insert, newestOf } from './store.ts';

/** Nanoseconds since the epoch in decimal, the line, structured metadata. */
export type PushedValue = readonly [ns: string, line: string, metadata?: Labels];

export interface PushedStream {
  readonly stream: Labels;
  readonly values: readonly PushedValue[];
}

export interface PushOutcome {
  /** Entries stored; exact duplicates are not counted. */
  readonly stored: number;
  /** One sentence, in Loki's words, for each entry that was refused. */
  readonly refusals: readonly string[];
}

/** Loki's defaults: one week (`reject_old_samples_max_age`), 10 min (`creation_grace_period`), `max_chunk_age` / 2, 256 KB. */
const OLDEST = 7n * 24n * 3600n * NANOS_PER_SECOND;
const NEWEST = 600n * NANOS_PER_SECOND;
const BEHIND = 3600n * NANOS_PER_SECOND;
const MAX_LINE_BYTES = 262_144;

/** Stores what Loki would store; each refused entry leaves its neighbours alone, as in Loki. */
export function pushStreams(store: LokiStore, streams: readonly PushedStream[], lateMs: Millis): PushOutcome {
  const refusals: string[] = [];
  let stored = 0;
  for (const { stream: labels, values } of streams) {
    if (Object.keys(labels).length === 0) throw badRequest('error at least one label pair is required per stream');
    const stream = ensureStream(store, withServiceName(labels));
    for (const value of values) {
      const refusal = refuse(stream, value);
      if (refusal) refusals.push(refusal);
      else if (keep(stream, value, lateMs)) stored += 1;
    }
    if (stream.entries.length === 0) store.streams.delete(stream.text);
  }
  return { stored, refusals };
}

function keep(stream: StoredStream, [ns, line, given = {}]: PushedValue, lateMs: Millis): boolean {
  const metadata = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key.replaceAll(/[^A-Za-z0-9_]/g, '_'), value]),
  );
  const withLevel = { detected_level: detectLevel(stream.labels, metadata, line), ...metadata };
  return insert(stream, { ns: BigInt(ns), line, metadata: withLevel, visibleAt: Date.now() + lateMs });
}

function refuse(stream: StoredStream, [text, line]: PushedValue): string | undefined {
  const ns = BigInt(text);
  const now = toNanos(Date.now());
  const iso = (at: bigint) => toIso(toMillis(at));
  if (ns < now - OLDEST) {
    return `entry for stream '${stream.text}' has timestamp too old: ${iso(ns)}, oldest acceptable timestamp is: ${iso(now - OLDEST)}`;
  }
  if (ns > now + NEWEST) return `entry for stream '${stream.text}' has timestamp too new: ${iso(ns)}`;
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_LINE_BYTES) {
    return `max entry size '${MAX_LINE_BYTES}' bytes exceeded for stream '${stream.text}' while adding an entry with length '${bytes}' bytes`;
  }
  const cutoff = (newestOf(stream) ?? ns) - BEHIND;
  if (ns >= cutoff) return undefined;
  return `entry with timestamp ${iso(ns)} ignored, reason: 'entry too far behind, entry timestamp is: ${iso(ns)}, oldest acceptable timestamp is: ${iso(cutoff)}'`;
}

/** @throws LokiHttpError 400: the body is not the JSON form of a push. */
export function parsePush(body: string): PushedStream[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw badRequest('loghttp.PushRequest: the body is not JSON');
  }
  const streams = (parsed as { streams?: unknown } | null)?.streams;
  if (!Array.isArray(streams)) throw badRequest('loghttp.PushRequest: "streams" must be a list');
  return streams.map(parseStream);
}

function parseStream(value: unknown): PushedStream {
  const { stream, values } = (value ?? {}) as { stream?: unknown; values?: unknown };
  if (!isLabels(stream)) throw badRequest('loghttp.PushRequest: "stream" must map label names to strings');
  if (!Array.isArray(values) || !values.every(isValue)) {
    throw badRequest('loghttp.PushRequest: "values" must be a list of ["<ns>", "<line>", {metadata}?]');
  }
  return { stream, values };
}

function isValue(value: unknown): value is PushedValue {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  const [ns, line, metadata] = value as unknown[];
  const hasMetadata = metadata === undefined || isLabels(metadata);
  return typeof ns === 'string' && /^\d+$/.test(ns) && typeof line === 'string' && hasMetadata;
}

function isLabels(value: unknown): value is Labels {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.values(value).every((item) => typeof item === 'string');
}
