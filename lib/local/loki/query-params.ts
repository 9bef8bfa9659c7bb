import type { Nanos, Window } from '#lib/domain/time.ts';
import { NANOS_PER_MS, NANOS_PER_SECOND, toNanos } from '#lib/domain/time.ts';
import { badRequest } from './refusal.ts';

/** Loki's defaults: 100 entries, `max_query_length` 30d1h. */
const DEFAULT_LIMIT = 100;
const MAX_QUERY_LENGTH = 721n * 3600n * NANOS_PER_SECOND;
const HOUR = 3600n * NANOS_PER_SECOND;

export type Direction = 'forward' | 'backward';

/** Nanoseconds, seconds (at most ten digits), float seconds (to the millisecond) or RFC 3339: what Loki reads as a time. */
export function parseTime(name: string, text: string): Nanos {
  if (/^\d+$/.test(text)) return text.length <= 10 ? BigInt(text) * NANOS_PER_SECOND : BigInt(text);
  if (/^\d+\.\d+(e[+-]?\d+)?$/i.test(text)) return BigInt(Math.round(Number(text) * 1000)) * NANOS_PER_MS;
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const seconds = parts ? Date.parse(`${parts[1]}${parts[3]}`) : Number.NaN;
  if (!parts || Number.isNaN(seconds)) throw badRequest(`could not parse '${name}' parameter: ${text}`);
  return toNanos(seconds) + BigInt((parts[2] ?? '').padEnd(9, '0'));
}

/** The asked window; by default the hour that ends now. @throws LokiHttpError 400 in Loki's words. */
export function parseWindow(params: URLSearchParams): Window {
  const end = params.get('end');
  const until = end ? parseTime('end', end) : toNanos(Date.now());
  const start = params.get('start');
  const since = start ? parseTime('start', start) : until - HOUR;
  if (until < since) throw badRequest('end timestamp must not be before or equal to start time');
  assertLength(until - since);
  return { since, until };
}

/** @throws LokiHttpError 400 for a range over 30d1h. */
export function assertLength(length: Nanos): void {
  if (length <= MAX_QUERY_LENGTH) return;
  throw badRequest(`the query time range exceeds the limit (query length: ${toGoDuration(length)}, limit: 30d1h)`);
}

/** @throws LokiHttpError 400 above `most`, with the text from which a client learns it. */
export function parseLimit(params: URLSearchParams, most: number): number {
  const text = params.get('limit');
  if (text === null || text === '') return DEFAULT_LIMIT;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseUint: parsing "${text}": invalid syntax`);
  const limit = Number(text);
  if (limit <= 0) throw badRequest('limit must be a positive value');
  if (limit <= most) return limit;
  throw badRequest(`max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${most})`);
}

export function parseDirection(params: URLSearchParams): Direction {
  const text = (params.get('direction') || 'backward').toLowerCase();
  if (text === 'forward' || text === 'backward') return text;
  throw badRequest(`invalid direction '${text}'`);
}

/** Step of a metric query in nanoseconds; by default a 250th of the window, at least one second. */
export function parseStep(params: URLSearchParams, window: Window): Nanos {
  const text = params.get('step');
  const byDefault = (window.until - window.since) / 250n / NANOS_PER_SECOND;
  if (!text) return (byDefault > 1n ? byDefault : 1n) * NANOS_PER_SECOND;
  const step = /^\d+(\.\d+)?$/.test(text) ? BigInt(Math.round(Number(text) * 1000)) * NANOS_PER_MS : parseRange(text);
  if (step <= 0n)
    throw badRequest('zero or negative query resolution step widths are not accepted. Try a positive integer');
  return step;
}

const UNITS: Readonly<Record<string, bigint>> = {
  y: 365n * 24n * HOUR,
  w: 7n * 24n * HOUR,
  d: 24n * HOUR,
  h: HOUR,
  m: 60n * NANOS_PER_SECOND,
  s: NANOS_PER_SECOND,
  ms: NANOS_PER_MS,
};

/** Prometheus duration: units from `ms` to `y` only, largest first. Loki reads ranges so; `ns` and `us` are refused. */
export function parseRange(text: string): Nanos {
  if (!/^(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m(?!s))?(\d+s)?(\d+ms)?$/.test(text) || text === '') {
    throw badRequest(`parse error : not a valid duration string: "${text}"`);
  }
  const parts = [...text.matchAll(/(\d+)(ms|[ywdhms])/g)];
  return parts.reduce((sum, [, amount = '0', unit = 's']) => sum + BigInt(amount) * (UNITS[unit] ?? 0n), 0n);
}

function toGoDuration(length: Nanos): string {
  const seconds = length / NANOS_PER_SECOND;
  const fraction = (length % NANOS_PER_SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${seconds / 3600n}h${(seconds / 60n) % 60n}m${seconds % 60n}${fraction ? `.${fraction}` : ''}s`;
}
