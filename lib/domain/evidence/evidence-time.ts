import { NANOS_PER_SECOND, type Nanos } from '../time.ts';

/** RFC 3339 in UTC with nanoseconds, e.g. `2026-01-08T16:04:11.123456789Z`: the moment of an evidence piece. */
export function toEvidenceTime(ns: Nanos): string {
  const fraction = ((ns % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const seconds = new Date(Number((ns - fraction) / NANOS_PER_SECOND) * 1000).toISOString();
  return seconds.replace(/\.\d+Z$/, `.${fraction.toString().padStart(9, '0')}Z`);
}
