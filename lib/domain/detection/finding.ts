import type { Nanos } from '../time.ts';

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CATEGORIES = ['preflight', 'runtime', 'lifecycle'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Pre-flight codes: A10 tools, A11 configuration, A12 MCP or tools server. Only within 60 s of the agent's start. */
export const CODES = ['A10', 'A11', 'A12'] as const;
export type Code = (typeof CODES)[number];

/** One entry of a log source. (labels, ns, line, metadata) identifies it; a line may hold newlines. */
export interface LogEntry {
  readonly ns: Nanos;
  readonly line: string;
  /** Stream labels, as stored. */
  readonly labels: Readonly<Record<string, string>>;
  /** Structured metadata of the entry (Loki), where it has any. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Where an evidence line stands; the line itself is read again when evidence is gathered, and redacted there. */
export interface EntryRef {
  readonly ns: Nanos;
  readonly pod: string;
  readonly container: string | null;
  /** Hash of (labels, ns, line): tells entries of one nanosecond apart. */
  readonly hash: string;
}

/**
 * What a failure takes away from others and what it leans on, the strongest first. Tokens such as `service:3f9c2e51a0b7`
 * hold hashes of names: they are compared, never shown.
 */
export interface Ties {
  readonly provides: readonly string[];
  readonly needs: readonly string[];
}

/** The failure of another pod from which one follows: the first of its chain, with what finds its incident again. */
export interface CauseRef
  extends Pick<Finding, 'fingerprint' | 'pattern' | 'category' | 'code' | 'agent' | 'pod' | 'summary'> {
  readonly findingId: string;
  /** Moment of the entry that says it best. */
  readonly ns: Nanos;
}

/**
 * What Kubernetes showed when a failure was found in it. Objects vanish, so it goes with the finding; redacted before it is
 * stored.
 */
export interface ObjectSight {
  /** As in the {@link EntryRef} that stands for the object. */
  readonly hash: string;
  /** RFC 3339 UTC with nanoseconds. */
  readonly at: string;
  readonly text: string;
}

/** One failure of a run, with the entries that show it. */
export interface Finding {
  /** Derived from (session, pattern, stream labels, ns, line) of `anchor`: re-reading the same logs gives the same id. */
  readonly id: string;
  /** Id of the pattern or check that made it. */
  readonly pattern: string;
  readonly category: Category;
  readonly code: Code | null;
  readonly severity: Severity;
  readonly playId: string;
  readonly agent: string | null;
  readonly pod: string;
  /** The entry that says it best. */
  readonly anchor: EntryRef;
  /** Further entries of the same failure: retries before it, the rest of a trace, its echo. At most 50. */
  readonly also: readonly EntryRef[];
  /** Number of entries folded into this finding. */
  readonly count: number;
  readonly firstNs: Nanos;
  readonly lastNs: Nanos;
  /** Named parts that tell this failure from its like, e.g. `{ tool: 'github_create_brnch' }`. No times, ids, hosts. */
  readonly identity: Readonly<Record<string, string>>;
  /** Versioned identity, e.g. `v1:3f9c…`; equal for the same failure in any play, pod or hour. */
  readonly fingerprint: string;
  /** One line a person can read: what failed, which. Built from the pattern and `identity`, never the raw line. */
  readonly summary: string;
  /** Present in findings that were made from objects of the cluster. */
  readonly sights?: readonly ObjectSight[];
  /** Absent in findings that nothing can be tied to. */
  readonly ties?: Ties;
  /** The failure of another pod from which this one follows, where one is known. */
  readonly cause?: CauseRef;
}
