import type { Coverage, Cursor, LogGap, SeenPod, UnclaimedPods } from '#lib/app/ports.ts';
import type { AttributionRule } from '#lib/domain/detection/attribution.ts';
import type { Item } from './incident-items.ts';

/** Item shapes of the windows table. One partition a (source, namespace): `cursor`, `lease`, `coverage#…`, `pod#…`. */
const NS_DIGITS = 20;
export const padNs = (ns: bigint): string => ns.toString().padStart(NS_DIGITS, '0');

export const windowKey = (source: string, namespace: string, sk: string) => ({ pk: `${source}#${namespace}`, sk });
/** The source and namespace of a partition; a source's name holds no `#`. */
export function fromWindowKey(pk: string): { source: string; namespace: string } {
  const [source = '', ...namespace] = pk.split('#');
  return { source, namespace: namespace.join('#') };
}

export const coverageSk = (until: bigint): string => `coverage#${padNs(until)}`;

/** Pods sort by play, so that one play's pods are one query. `#` stands in no play id. */
export const podSk = (playId: string, pod: string): string => `pod#${playId}#${pod}`;

/** Whole seconds in the order of `plays`, 0 for silence: every look writes them all, and bytes are billed. */
export const toHeard = (plays: readonly string[], heard: NonNullable<Cursor['heard']>): readonly number[] =>
  plays.map((play) => Math.floor((heard[play] ?? 0) / 1000));

function fromHeard(item: Item): NonNullable<Cursor['heard']> {
  const plays = (item.plays as string[] | undefined) ?? [];
  const seconds = (item.heard as number[] | undefined) ?? [];
  return Object.fromEntries(plays.flatMap((play, at) => (seconds[at] ? [[play, seconds[at] * 1000]] : [])));
}

/** A cursor of its item and that of its lease; undefined when it was never claimed. */
export function fromCursorItems(source: string, namespace: string, items: readonly Item[]): Cursor | undefined {
  const [item, lease] = ['cursor', 'lease'].map((sk) => items.find((one) => one.sk === sk));
  return item && fromCursorItem(source, namespace, item, lease);
}

function fromCursorItem(source: string, namespace: string, item: Item, lease: Item | undefined): Cursor {
  const owner = lease?.lease_owner as string | undefined;
  return {
    source,
    namespace,
    until: BigInt(item.until_ns as string),
    plays: (item.plays as string[] | undefined) ?? [],
    provenAt: (item.proven_at as number | undefined) ?? null,
    failure: (item.failure as Cursor['failure'] | undefined) ?? null,
    cluster: (item.cluster as NonNullable<Cursor['cluster']> | undefined) ?? null,
    ...(item.astray === true && { isAstray: true }),
    heard: fromHeard(item),
    looksAskedAt: (item.looks_asked_at as number | undefined) ?? null,
    lease: owner === undefined ? null : { owner, until: lease?.lease_until as number },
    version: (item.version as number | undefined) ?? 0,
  };
}

const toGapItem = (gap: LogGap): Item => ({
  since_ns: gap.window.since.toString(),
  until_ns: gap.window.until.toString(),
  reason: gap.reason,
});

const fromGapItem = (item: Item): LogGap => ({
  window: { since: BigInt(item.since_ns as string), until: BigInt(item.until_ns as string) },
  reason: item.reason as string,
});

export const toCoverageItem = (coverage: Coverage): Item => ({
  ...windowKey(coverage.source, coverage.namespace, coverageSk(coverage.window.until)),
  since_ns: coverage.window.since.toString(),
  until_ns: coverage.window.until.toString(),
  lines: coverage.lines,
  bytes: coverage.bytes,
  pages: coverage.pages,
  gaps: coverage.gaps.map(toGapItem),
  has_streams: coverage.hasStreams,
  ...(coverage.unclaimed !== undefined && { unclaimed: coverage.unclaimed }),
});

export const fromCoverageItem = (source: string, namespace: string, item: Item): Coverage => ({
  source,
  namespace,
  window: { since: BigInt(item.since_ns as string), until: BigInt(item.until_ns as string) },
  lines: item.lines as number,
  bytes: item.bytes as number,
  pages: item.pages as number,
  gaps: (item.gaps as Item[]).map(fromGapItem),
  hasStreams: item.has_streams as boolean,
  ...(item.unclaimed !== undefined && { unclaimed: item.unclaimed as UnclaimedPods }),
});

export const toPodItem = (source: string, namespace: string, pod: SeenPod): Item => ({
  ...windowKey(source, namespace, podSk(pod.playId, pod.pod)),
  pod: pod.pod,
  play: pod.playId,
  ...(pod.agent !== null && { agent: pod.agent }),
  first_ns: pod.firstNs.toString(),
  last_ns: pod.lastNs.toString(),
  preflight: pod.preflight,
  rule: pod.rule,
  lines: pod.lines,
});

export const fromPodItem = (item: Item): SeenPod => ({
  pod: item.pod as string,
  playId: item.play as string,
  agent: (item.agent as string | undefined) ?? null,
  firstNs: BigInt(item.first_ns as string),
  lastNs: BigInt(item.last_ns as string),
  preflight: item.preflight as SeenPod['preflight'],
  ...(item.rule !== undefined && { rule: item.rule as AttributionRule }),
  ...(item.lines !== undefined && { lines: item.lines as number }),
});
