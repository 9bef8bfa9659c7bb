import { MAX_HOLD_SECONDS } from '../detection/detect.ts';
import type { EntryRef, Finding } from '../detection/finding.ts';
import { entryHash } from '../detection/to-finding.ts';
import { NANOS_PER_SECOND, type Nanos } from '../time.ts';
import type { ScanEntry } from './scan-entry.ts';

/** Entries at a window's end that are only looked ahead at. */
const AHEAD = 300;
/** Entries before the judged part, so that a trace at its edge is not cut in two. */
const LEAD_IN = 200;
/** Entries of a held failure's own stream that are kept before each of its lines. */
const PINNED_BEFORE = 20;
const HOLD: Nanos = BigInt(MAX_HOLD_SECONDS) * NANOS_PER_SECOND;

/** The lines that a finding stands on, its anchor first. */
export const signsOf = ({ anchor, also }: Finding): readonly EntryRef[] => [anchor, ...also];

/** First entry that is only looked ahead at: as far back as a failure may recover, within the bounds. */
export function aheadFrom(entries: readonly ScanEntry[], context: number, most: number): number {
  const last = entries.at(-1)?.ns ?? 0n;
  let from = entries.length;
  let size = 0;
  while (from > context && entries.length - from < AHEAD) {
    const entry = entries[from - 1];
    size += entry?.line.length ?? 0;
    if (entry === undefined || last - entry.ns > HOLD || size > most / 2) break;
    from -= 1;
  }
  return from;
}

/** First entry that the next window begins with, so that a trace at its edge is not cut in two. */
export function leadInFrom(entries: readonly ScanEntry[], end: number, most: number): number {
  let from = end;
  let size = 0;
  while (from > 0 && end - from < LEAD_IN) {
    size += entries[from - 1]?.line.length ?? 0;
    if (size > most / 4) break;
    from -= 1;
  }
  return from;
}

/** Finds the entry that a reference names; -1 when it is not there. */
export function toPlaces(entries: readonly ScanEntry[]): (ref: EntryRef) => number {
  const byMoment = new Map<Nanos, number[]>();
  entries.forEach(({ ns }, index) => {
    const list = byMoment.get(ns);
    if (list === undefined) byMoment.set(ns, [index]);
    else list.push(index);
  });
  return ({ ns, hash }) => {
    const near = byMoment.get(ns) ?? [];
    return near.find((index) => entryHash(entries[index] as ScanEntry) === hash) ?? -1;
  };
}

/** Entries of held failures before `from`, each with what stood before it in its stream, up to `most` characters. */
export function pinsOf(entries: readonly ScanEntry[], held: readonly Finding[], from: number, most: number) {
  const hits = new Set<number>();
  const all = new Set<number>();
  let size = 0;
  const pin = (index: number): void => {
    size += entries[index]?.line.length ?? 0;
    if (index < from && size <= most) all.add(index);
  };
  if (held.length === 0) return { hits, all };
  const hashes = new Set(held.flatMap(signsOf).map(({ hash }) => hash));
  const moments = new Set(held.flatMap(signsOf).map(({ ns }) => ns));
  entries.forEach((entry, index) => {
    if (!moments.has(entry.ns) || !hashes.has(entryHash(entry))) return;
    hits.add(index);
    pin(index);
    for (let at = index - 1, kept = 0; at >= 0 && kept < PINNED_BEFORE; at -= 1) {
      if (entries[at]?.labels !== entry.labels) continue;
      kept += 1;
      if (!all.has(at)) pin(at);
    }
  });
  return { hits, all };
}
