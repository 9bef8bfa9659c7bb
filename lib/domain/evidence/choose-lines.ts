import type { EntryRef, Finding, LogEntry } from '../detection/finding.ts';
import { entryHash } from '../detection/to-finding.ts';
import type { Nanos } from '../time.ts';

/** An entry of the play, and whose it is. */
export interface AttributedEntry {
  readonly entry: LogEntry;
  readonly agent: string | null;
  readonly pod: string;
  readonly container: string | null;
}

/** An entry that goes into the evidence. */
export interface ChosenLine {
  /** Position in the list of all entries, in order of time. */
  readonly index: number;
  readonly isHit: boolean;
  /** How far it stands from the failure: the furthest is the first to be dropped. 0 for hits. */
  readonly distance: number;
  /** Id of the failure of another pod that the entry shows. */
  readonly of?: string;
}

/** Lines before and after a hit in the same stream. */
const AROUND = 20;
/** Lines of one other pod, and of all others. */
const PER_POD = 20;
const OF_OTHERS = 80;
/** Lines that show one failure of another pod. */
const PER_RELATED = 4;

/** Words with which programs tell that something ended badly; such lines of other agents come before the rest. */
const TROUBLE =
  /\b(?:error|fail(?:ed|ure)?|fatal|panic|exception|refused|denied|unauthorized|timed? ?out|killed|abort(?:ed)?)\b/i;
/** How much of a line is searched for them. */
const SEARCHED = 2000;

/** The order in which evidence is told: by time, entries of one moment as the source gave them. */
export const byMoment = (entries: readonly AttributedEntry[]): readonly AttributedEntry[] =>
  entries.toSorted((a, b) => (a.entry.ns < b.entry.ns ? -1 : a.entry.ns > b.entry.ns ? 1 : 0));

/**
 * Of entries in order of time: those of the finding, those of its cause and consequences in other pods, 20 lines around
 * each hit in the same stream, the start event of its pod, and what other pods of the play said near that time. In order
 * of importance.
 */
export function chooseLines(
  entries: readonly AttributedEntry[],
  finding: Finding,
  consequences: readonly Finding[] = [],
): readonly ChosenLine[] {
  const hits = findHits(entries, finding);
  const related = findRelated(entries, finding, consequences);
  const distances = new Map<number, number>(hits.map((index) => [index, 0]));
  const isHit = new Set(hits);
  for (const { index, distance } of [
    ...[...related.keys()].map((index) => ({ index, distance: 0 })),
    ...around(entries, isHit),
    ...starts(entries, finding),
    ...others(entries, finding),
  ]) {
    distances.set(index, Math.min(distances.get(index) ?? Number.POSITIVE_INFINITY, distance));
  }
  return [...distances]
    .map(([index, distance]) => ({ index, distance, isHit: isHit.has(index), ...ofRelated(related.get(index)) }))
    .toSorted((a, b) => Number(b.isHit) - Number(a.isHit) || a.distance - b.distance || a.index - b.index);
}

type Near = Pick<ChosenLine, 'index' | 'distance'>;

const refKey = (ref: Pick<EntryRef, 'ns' | 'hash'>): string => `${ref.ns} ${ref.hash}`;

const ofRelated = (of: string | undefined) => (of === undefined ? {} : { of });

/** Positions of entries that show the cause or a consequence, with the id of that failure. */
function findRelated(
  entries: readonly AttributedEntry[],
  { cause }: Finding,
  consequences: readonly Finding[],
): ReadonlyMap<number, string> {
  const shown = consequences.flatMap((other) =>
    findRefs(entries, [other.anchor, ...other.also].slice(0, PER_RELATED)).map((index) => [index, other.id] as const),
  );
  const causing = entries.flatMap(({ entry, pod }, index) =>
    cause !== undefined && entry.ns === cause.ns && pod === cause.pod ? [[index, cause.findingId] as const] : [],
  );
  return new Map([...shown, ...causing]);
}

const findHits = (entries: readonly AttributedEntry[], finding: Finding): readonly number[] =>
  findRefs(entries, [finding.anchor, ...finding.also]);

function findRefs(entries: readonly AttributedEntry[], refs: readonly EntryRef[]): readonly number[] {
  const wanted = new Set(refs.map(refKey));
  const moments = new Set(refs.map(({ ns }) => ns));
  return entries.flatMap(({ entry }, index) =>
    moments.has(entry.ns) && wanted.has(refKey({ ns: entry.ns, hash: entryHash(entry) })) ? [index] : [],
  );
}

/** Positions of the entries of each stream (pod and container), in order of time. */
export function toStreams(entries: readonly AttributedEntry[]): readonly (readonly number[])[] {
  const streams = new Map<string, number[]>();
  entries.forEach(({ pod, container }, index) => {
    const key = `${pod}\n${container ?? ''}`;
    const stream = streams.get(key);
    if (stream === undefined) streams.set(key, [index]);
    else stream.push(index);
  });
  return [...streams.values()];
}

function around(entries: readonly AttributedEntry[], isHit: ReadonlySet<number>): readonly Near[] {
  return toStreams(entries).flatMap((stream) => {
    const hits = stream.flatMap((index, at) => (isHit.has(index) ? [at] : []));
    return hits.flatMap((hit) =>
      stream
        .slice(Math.max(0, hit - AROUND), hit + AROUND + 1)
        .map((index, i) => ({ index, distance: Math.abs(Math.max(0, hit - AROUND) + i - hit) }))
        .filter(({ index }) => !isHit.has(index)),
    );
  });
}

/** Start events of the finding's pod: they say what its CLI offered. */
function starts(entries: readonly AttributedEntry[], finding: Finding): readonly Near[] {
  const isStart = ({ entry, pod }: AttributedEntry): boolean =>
    pod === finding.pod && entry.ns <= finding.lastNs && /"subtype":\s*"init"/.test(entry.line.slice(0, SEARCHED));
  return entries.flatMap((line, index) => (isStart(line) ? [{ index, distance: 1 }] : [])).slice(-2);
}

/** Of each other pod the lines nearest in time, those that tell of trouble first. */
function others(entries: readonly AttributedEntry[], finding: Finding): readonly Near[] {
  const found = new Map<string, number>();
  const ranked = entries
    .flatMap(({ entry, pod }, index) => (pod === finding.pod ? [] : [{ index, pod, rank: rankOf(entry, finding) }]))
    .toSorted(
      (a, b) =>
        Number(b.rank.isTrouble) - Number(a.rank.isTrouble) || compare(a.rank.away, b.rank.away) || a.index - b.index,
    )
    .filter(({ pod }) => {
      const count = (found.get(pod) ?? 0) + 1;
      found.set(pod, count);
      return count <= PER_POD;
    });
  return ranked.slice(0, OF_OTHERS).map(({ index }, i) => ({ index, distance: AROUND / 4 + i }));
}

function rankOf(entry: LogEntry, finding: Finding): { readonly isTrouble: boolean; readonly away: Nanos } {
  const away =
    entry.ns < finding.firstNs
      ? finding.firstNs - entry.ns
      : entry.ns > finding.lastNs
        ? entry.ns - finding.lastNs
        : 0n;
  return { isTrouble: TROUBLE.test(entry.line.slice(0, SEARCHED)), away };
}

const compare = (a: Nanos, b: Nanos): number => (a < b ? -1 : a > b ? 1 : 0);
