import type { QueueName } from '#lib/flow.ts';
import type { Category, Code, Finding, Severity } from '../detection/finding.ts';
import type { Millis } from '../time.ts';

export const INCIDENT_STATES = [
  'detected',
  'diagnosed',
  'reported',
  'proposed',
  'verifying',
  'resolved',
  'regressed',
  'dismissed',
  'escalated',
] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** The GitHub issue that tells of the incident. */
export interface IssueRef {
  readonly number: number;
  readonly url: string;
}

/**
 * Head item of an incident, at most 1 KB. Who works on it is `lease`, not a state. `next` and `due` say which stage owes
 * it work and when that is overdue; the sweep re-sends what is overdue.
 */
export interface Incident {
  /** Hash of (target, fingerprint). */
  readonly id: string;
  /** `owner/name` of the repository whose issue this becomes. */
  readonly target: string;
  readonly fingerprint: string;
  readonly state: IncidentState;
  readonly category: Category;
  readonly code: Code | null;
  readonly severity: Severity;
  readonly pattern: string;
  readonly agent: string | null;
  /** One line, from the first finding's `summary`. */
  readonly title: string;
  /** Grows by one with each change of the head; occurrences do not touch it. */
  readonly version: number;
  readonly next: QueueName | null;
  readonly due: Millis | null;
  /** Postponed work waits until this moment, whatever messages arrive before it. */
  readonly notBefore: Millis | null;
  /** Failed or postponed tries of the stage in `next`. */
  readonly attempt: number;
  readonly lease: { readonly owner: string; readonly until: Millis } | null;
  readonly issue: IssueRef | null;
  /** The draft pull request that proposes a fix. */
  readonly pull: IssueRef | null;
  readonly firstSeen: Millis;
  readonly updatedAt: Millis;
}

/** An incident as lists show it: what becomes of it, without who works on it. */
export type IncidentSummary = Omit<Incident, 'version' | 'next' | 'due' | 'notBefore' | 'attempt' | 'lease'>;

/** Work that an incident owes. */
export type OwedWork = Pick<Incident, 'id' | 'next' | 'due' | 'notBefore'>;

/** One finding of an incident in one play; an item of its own, keyed by the finding's id. */
export interface Occurrence {
  readonly incidentId: string;
  readonly playId: string;
  /** Repository of the play, as `owner/name`. */
  readonly repository: string;
  readonly namespace: string;
  readonly finding: Finding;
  readonly seenAt: Millis;
  /**
   * Present until the incident has been asked for evidence of it, so that a crash in between does not lose the asking:
   * stored as the failure itself, as one that follows from it, or as the failure to which a cause was added.
   */
  readonly untold?: 'occurrence' | 'consequence' | 'cause';
}

/** One line of the incident's history: what changed, when, by which stage. */
export interface HistoryEntry {
  readonly at: Millis;
  readonly stage: string;
  readonly event: string;
}
