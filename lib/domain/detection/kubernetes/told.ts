import { NANOS_PER_SECOND, type Nanos } from '../../time.ts';
import type { EntryRef, Finding } from '../finding.ts';
import { type ClusterEnd, isClusterRef } from './ends.ts';
import { CLUSTER_RULES, type ClusterRule } from './rules.ts';

/** Whether an end has been told already, and which entries of the log are only echoes of it. */
export type Told = { readonly isTold: true } | { readonly isTold: false; readonly echoes: readonly EntryRef[] };

/** A cause is told within this time before the end that follows from it (lib/domain/detection/fold.ts, ECHO). */
const BEFORE: Nanos = 300n * NANOS_PER_SECOND;
/** Clocks of nodes differ, and a shell writes its last words after its child has died. */
const AFTER: Nanos = 60n * NANOS_PER_SECOND;
/** An echo stands beside its end (fold.ts, MOMENT). */
const BESIDE: Nanos = 15n * NANOS_PER_SECOND;
/** The same pattern tells of the same failure within this time (fold.ts, FAR). */
const SAME: Nanos = 900n * NANOS_PER_SECOND;
const MAX_ECHOES = 10;

/** A log that breaks off shows its last work, which may lie long before the end. */
const BROKEN_OFF = 'check.killed-run';

/** Patterns whose lines say that something ended and not why. */
const ECHOES: ReadonlySet<string> = new Set([
  'run.exit-code',
  'crash.signal',
  'kubernetes.pod-failed',
  'kubernetes.crash-loop',
  BROKEN_OFF,
]);

/** Patterns of the log that say the same as one of the cluster in other words. */
const SYNONYMS: Readonly<Record<string, string>> = { 'crash.memory': CLUSTER_RULES.oom.pattern };

const isSame = ({ pattern }: Finding, other: string): boolean => (SYNONYMS[pattern] ?? pattern) === other;

/** Findings of the play that an end is compared with. */
export interface ToldBefore {
  /** Stored by earlier looks. */
  readonly told: readonly Finding[];
  /** Of this look, not stored yet: other words for the same end give way to it. */
  readonly fresh: readonly Finding[];
}

/**
 * Compares an end with the findings of its pod: another sight of the same failure, or, for an end that is only a symptom,
 * any failure shortly before it, has told it. Findings of the log that are mere echoes of an end (an exit code) are no
 * reason to keep quiet about its reason: the end takes their entries.
 */
export function toldBy(end: ClusterEnd, rule: ClusterRule, { told, fresh }: ToldBefore): Told {
  const own = (findings: readonly Finding[]) => findings.filter((finding) => concerns(finding, end.pod));
  const [stored, unsaved] = [own(told), own(fresh)];
  const isNear = (finding: Finding): boolean => within(finding, end.atNs, SAME, SAME);
  const isKnown =
    stored.some((finding) => isSame(finding, rule.pattern) && isNear(finding)) ||
    unsaved.some((finding) => finding.pattern === rule.pattern && isNear(finding));
  const all = [...stored, ...unsaved];
  if (isKnown || (rule.isSymptom && all.some((finding) => within(finding, end.atNs, BEFORE, AFTER)))) {
    return { isTold: true };
  }
  const isEcho = (finding: Finding): boolean => isEchoOf(finding, end.atNs);
  const echoes = [...stored.filter(isEcho), ...unsaved.filter((one) => isEcho(one) || isSame(one, rule.pattern))];
  const refs = new Map(echoes.flatMap(({ anchor, also }) => [anchor, ...also]).map((ref) => [ref.hash, ref]));
  return { isTold: false, echoes: [...refs.values()].slice(0, MAX_ECHOES) };
}

/** Pods of a Job or run that is gone are known by its name. */
const concerns = ({ pod }: Finding, name: string): boolean => pod === name || pod.startsWith(`${name}-`);

const within = ({ firstNs, lastNs }: Finding, at: Nanos, before: Nanos, after: Nanos): boolean =>
  lastNs >= at - before && firstNs <= at + after;

const isEchoOf = (finding: Finding, at: Nanos): boolean =>
  ECHOES.has(finding.pattern) && within(finding, at, finding.pattern === BROKEN_OFF ? SAME : BESIDE, AFTER);

/**
 * Findings of the log without those that a finding of the cluster has told: its echoes, and other words for the same, also
 * where they come after it. Causes of a symptom stay, however late they come.
 */
export function withoutTold(findings: readonly Finding[], cluster: readonly Finding[]): readonly Finding[] {
  const ends = cluster.filter(({ anchor }) => isClusterRef(anchor));
  return findings.filter(
    (finding) =>
      !ends.some(({ pod, pattern, anchor }) => {
        if (!concerns(finding, pod)) return false;
        return isEchoOf(finding, anchor.ns) || (isSame(finding, pattern) && within(finding, anchor.ns, SAME, SAME));
      }),
  );
}
