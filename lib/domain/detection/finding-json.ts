import type { EntryRef, Finding } from './finding.ts';

/** A finding as JSON has it: nanoseconds as decimal strings, since a JSON number is exact only up to 2^53. */
export type FindingJson = Omit<Finding, 'anchor' | 'also' | 'firstNs' | 'lastNs'> & {
  readonly anchor: EntryRefJson;
  readonly also: readonly EntryRefJson[];
  readonly firstNs: string;
  readonly lastNs: string;
};

type EntryRefJson = Omit<EntryRef, 'ns'> & { readonly ns: string };

const toRefJson = (ref: EntryRef): EntryRefJson => ({ ...ref, ns: ref.ns.toString() });
const fromRefJson = (ref: EntryRefJson): EntryRef => ({ ...ref, ns: BigInt(ref.ns) });

export const toFindingJson = (finding: Finding): FindingJson => ({
  ...finding,
  anchor: toRefJson(finding.anchor),
  also: finding.also.map(toRefJson),
  firstNs: finding.firstNs.toString(),
  lastNs: finding.lastNs.toString(),
});

export const fromFindingJson = (json: FindingJson): Finding => ({
  ...json,
  anchor: fromRefJson(json.anchor),
  also: json.also.map(fromRefJson),
  firstNs: BigInt(json.firstNs),
  lastNs: BigInt(json.lastNs),
});
