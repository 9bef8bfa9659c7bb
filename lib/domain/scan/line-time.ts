import { stripAnsi } from '../redaction/plain-text.ts';
import { NANOS_PER_MS, NANOS_PER_SECOND, type Nanos } from '../time.ts';

const STAMP = String.raw`(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?[ ]?(Z|UTC|[+-]\d\d:?\d\d)?`;
const LEADING = new RegExp(String.raw`^[\s[("]{0,4}${STAMP}`, 'i');
const WHOLE = new RegExp(`^${STAMP}$`, 'i');
/** Keys under which JSON loggers and agent CLIs keep the moment of an event. */
const JSON_TIME = /"(?:@timestamp|timestamp|time|ts)": ?(?:"([^"]{1,40})"|(\d{10,19}(?:\.\d+)?))/;
/** Only so much of either end of a JSON line is searched: the rest is payload, which may quote other moments. */
const SEARCHED = 300;

/**
 * The moment that a line of plain output tells at its head, or, for a JSON line, in its own time field; null when it tells
 * none. A moment without a zone is read as UTC.
 */
export function lineTime(line: string): Nanos | null {
  const head = stripAnsi(line.slice(0, SEARCHED));
  if (!head.trimStart().startsWith('{')) return toMoment(LEADING.exec(head));
  const found = JSON_TIME.exec(head) ?? (line.length > SEARCHED ? JSON_TIME.exec(line.slice(-SEARCHED)) : null);
  return found === null ? null : parseMoment(found[1] ?? found[2] ?? '');
}

/** RFC 3339 (a space for the `T` is read too), or seconds, ms, µs or ns since the epoch; null for anything else. */
export function parseMoment(text: string): Nanos | null {
  const epoch = /^(\d{10})(?:\.(\d{1,9})\d*)?$|^(\d{13}|\d{16}|\d{19})(?:\.\d+)?$/.exec(text);
  if (epoch === null) return toMoment(WHOLE.exec(text.trim()));
  if (epoch[1] !== undefined) return BigInt(epoch[1]) * NANOS_PER_SECOND + toFraction(epoch[2]);
  const digits = epoch[3] ?? '0';
  return BigInt(digits.padEnd(19, '0'));
}

const toFraction = (digits: string | undefined): Nanos => BigInt((digits ?? '').padEnd(9, '0'));

function toMoment(match: RegExpExecArray | null): Nanos | null {
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const isReal = Number(month) <= 12 && Number(day) <= 31 && Number(hour) <= 24 && Number(minute) < 60;
  if (!isReal || Number.isNaN(ms)) return null;
  return BigInt(ms - offsetOf(zone)) * NANOS_PER_MS + toFraction(fraction);
}

/** Milliseconds by which a zone such as `+02:00` is ahead of UTC. */
function offsetOf(zone: string | undefined): number {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '');
  if (parts === null) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return (parts[1] === '-' ? -1 : 1) * minutes * 60_000;
}
