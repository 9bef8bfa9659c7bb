import { NANOS_PER_SECOND, type Nanos } from '#lib/domain/time.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** A moment as Kubernetes writes it: seconds in states, microseconds in events. Null for anything else. */
export function toMoment(value: unknown): Nanos | null {
  const [, seconds, fraction = '', zone] = RFC_3339.exec(typeof value === 'string' ? value : '') ?? [];
  if (seconds === undefined) return null;
  const ms = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? null : BigInt(ms / 1000) * NANOS_PER_SECOND + BigInt(fraction.padEnd(9, '0'));
}
