import type { LogRead } from '#lib/app/ports.ts';
import type { Window } from '#lib/domain/time.ts';
import { NANOS_PER_MS } from '#lib/domain/time.ts';
import { spanOf } from '#lib/domain/window/spans.ts';
import { parseCounts } from './answer.ts';
import { toCountQuery } from './logql.ts';
import type { Ask } from './requests.ts';
import { inHalves } from './requests.ts';

type Counts = ReadonlyMap<string, number>;

/** The part of a window, up to its end, that is a whole number of milliseconds: Loki's ranges know nothing finer. */
export const wholeOf = ({ since, until }: Window): Window => ({
  since: since + ((until - since) % NANOS_PER_MS),
  until,
});

/** What {@link wholeOf} leaves out: less than a millisecond. */
export const remainderOf = (window: Window): Window => ({ since: window.since, until: wholeOf(window).since });

/** Entries by label value, counted by Loki, in a window of whole milliseconds. */
export async function countWhole(ask: Ask, selector: string, label: string, window: Window): Promise<Counts> {
  if (spanOf(window) === 0n) return new Map();
  const count = async (part: Window): Promise<Counts> => {
    const query = toCountQuery(selector, label, spanOf(part) / NANOS_PER_MS);
    // Ranges are open on the left and closed on the right, windows the other way round.
    return parseCounts(await ask('query', { query, time: String(part.until - 1n) }), label);
  };
  return inHalves(window, count, async (first, second) => addUp([first, await second()]));
}

/** The same from entries; those without the label count under the empty string. */
export function countEntries({ entries }: LogRead, label: string): Counts {
  const values = entries.map(({ labels, metadata }) => labels[label] ?? metadata?.[label] ?? '');
  return addUp(values.map((value) => new Map([[value, 1]])));
}

export function addUp(parts: readonly Counts[]): Counts {
  const sum = new Map<string, number>();
  for (const part of parts) for (const [value, count] of part) sum.set(value, (sum.get(value) ?? 0) + count);
  return sum;
}
