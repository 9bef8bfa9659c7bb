import type { CauseRef, EntryRef, Finding } from './finding.ts';

/** A finding as JSON has it: nanoseconds as decimal strings, since a JSON number is exact only up to 2^53. */
export type FindingJson = Omit<Finding, 'anchor' | 'also' | 'firstNs' | 'lastNs' | 'cause'> & {
  readonly anchor: EntryRefJson;
  readonly also: readonly EntryRefJson[];
  readonly firstNs: string;
  readonly lastNs: string;
  readonly cause?: Omit<CauseRef, 'ns'> & { readonly ns: string };
};

type EntryRefJson = Omit<EntryRef, 'ns'> & { readonly ns: string };

const toRefJson = (ref: EntryRef): EntryRefJson => ({ ...ref, ns: ref.ns.toString() });
const fromRefJson = (ref: EntryRefJson): EntryRef => ({ ...ref, ns: BigInt(ref.ns) });

export const toFindingJson = ({ cause, ...finding }: Finding): FindingJson => ({
  ...finding,
  anchor: toRefJson(finding.anchor),
  also: finding.also.map(toRefJson),
  firstNs: finding.firstNs.toString(),
  lastNs: finding.lastNs.toString(),
  ...(cause !== undefined && { cause: { ...cause, ns: cause.ns.toString() } }),
});

export const fromFindingJson = ({ cause, ...json }: FindingJson): Finding => ({
  ...json,
  anchor: fromRefJson(json.anchor),
  also: json.also.map(fromRefJson),
  firstNs: BigInt(json.firstNs),
  lastNs: BigInt(json.lastNs),
  ...(cause !== undefined && { cause: { ...cause, ns: BigInt(cause.ns) } }),
});
