import type { Finding, Severity } from '../detection/finding.ts';
import { SEVERITIES } from '../detection/finding.ts';
import type { Diagnosis } from '../evaluation/diagnosis.ts';
import type { Owner } from '../evaluation/families.ts';
import type { EvidencePiece } from '../evidence/evidence-pack.ts';
import type { Origin } from './scan-entry.ts';

/** One line of the failure, redacted, with the place where it was read. */
export interface EvidenceLine {
  readonly text: string;
  /** RFC 3339; null when the log tells no moment. */
  readonly at: string | null;
  readonly pod: string | null;
  readonly origin: Origin | null;
}

/** What Healer would have filed: one incident with everything that the scanned logs show of it. */
export interface ScanIncident {
  readonly id: string;
  readonly fingerprint: string;
  /** `owner/name` whose issue it becomes; null when no repository was declared. */
  readonly target: string | null;
  readonly owner: Owner;
  readonly finding: Finding;
  readonly diagnosis: Diagnosis;
  readonly evidence: readonly EvidenceLine[];
  readonly declared: readonly EvidencePiece[];
  severity: Severity;
  /** Null when the log tells no moment. */
  firstNs: bigint | null;
  lastNs: bigint | null;
  /** How often it happened. */
  occurrences: number;
  /** Entries that tell of it. */
  lines: number;
  readonly plays: Set<string>;
  readonly agents: Set<string>;
  readonly pods: Set<string>;
}

export const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** Most severe first, then the earliest. */
export const bySeverity = (a: ScanIncident, b: ScanIncident): number =>
  rankOf(a.severity) - rankOf(b.severity) || compare(a.finding.firstNs, b.finding.firstNs);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
