import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type {
  HistoryEntry,
  Incident,
  IncidentState,
  IncidentSummary,
  Occurrence,
  OwedWork,
} from '#lib/domain/incident/incident.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';
import type { ListQuery, Page } from './system.ts';

/** A change of a head: what is set, under the condition that the version is still the one that was read. */
export type IncidentChange = Partial<
  Pick<Incident, 'state' | 'next' | 'due' | 'notBefore' | 'attempt' | 'issue' | 'pull' | 'severity'>
> & {
  /** `next` merely looks again at `due`: whoever has work for another stage may put that in. */
  readonly rests?: boolean;
  /** What happened, for the history: a sentence without payloads. Null: nothing that is worth a line. */
  readonly event: string | null;
};

export interface IncidentStore {
  /**
   * Stores the occurrence once (by finding id) and makes sure that the head exists. `isNew` tells whether this finding was
   * unseen; the head returned is the stored one.
   */
  record(occurrence: Occurrence, fresh: Incident): Promise<{ incident: Incident; isNew: boolean }>;
  /**
   * Stores, once by finding id, a failure that follows from the incident's own one; `finding.cause` says from which. It is
   * no occurrence of the incident and is not counted as one. False: it was stored before.
   */
  recordConsequence(occurrence: Occurrence): Promise<boolean>;
  /** Adds the cause to an occurrence that was stored without one. False: it has one, or is not stored. */
  addCause(occurrence: Occurrence): Promise<boolean>;
  /** Notes that the incident was asked for evidence of what is `untold`. */
  noteAsked(occurrence: Occurrence): Promise<void>;
  get(id: string): Promise<Incident | undefined>;
  /** Takes the lease when the head owes work to this stage and may be worked on. Undefined: not owed, or held. */
  claim(claim: {
    id: string;
    stage: QueueName;
    owner: string;
    now: Millis;
    until: Millis;
  }): Promise<Incident | undefined>;
  /** Conditional on the version; adds a history entry, releases the lease. False: somebody else changed it. */
  change(incident: Incident, change: IncidentChange, stage: string, at: Millis): Promise<boolean>;
  /**
   * Gives the lease back: the same stage looks again at `due`, or earlier when somebody asks. Nothing else changes, and the
   * history stays as it is. False: somebody else changed it.
   */
  rest(incident: Incident, due: Millis): Promise<boolean>;
  /** Asks for `next` at `due`; while the head owes other work, it is taken up when that is done. */
  request(id: string, next: QueueName, due: Millis): Promise<void>;
  /** Work whose `due` has passed, oldest first. */
  overdue(now: Millis, limit: number): Promise<readonly OwedWork[]>;
  /** Moves an overdue head's `due` so that only one sweep re-sends it. False: another one did. */
  reschedule(work: Pick<OwedWork, 'id' | 'due'>, due: Millis): Promise<boolean>;
  /** Newest first. */
  occurrences(id: string, limit: number): Promise<readonly Occurrence[]>;
  countOccurrences(id: string): Promise<number>;
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** Occurrences and consequences that a play showed, newest first. */
  ofPlay(playId: string): Promise<readonly Occurrence[]>;
  list(
    query: ListQuery & { repository?: string | undefined; state?: IncidentState | undefined },
  ): Promise<Page<IncidentSummary>>;
  saveDiagnosis(id: string, diagnosis: Diagnosis): Promise<void>;
  diagnosis(id: string): Promise<Diagnosis | undefined>;
  /** Stores what is about to be written outside, before it is written. Returns the intent that stands: the first one. */
  intend(id: string, intent: PublicationIntent): Promise<PublicationIntent>;
  intent(id: string): Promise<PublicationIntent | undefined>;
  /** Notes the hash of Healer's section as it stands on GitHub; the intent is there already. */
  notePublished(id: string, published: { readonly bodyHash: string; readonly title: string }): Promise<void>;
}

/** Stored before an issue is created, so that a crash between effect and record cannot make a second issue. */
export interface PublicationIntent {
  readonly marker: string;
  readonly at: Millis;
  /** `bodyHash` of the section that was published last; absent before the first time. */
  readonly bodyHash?: string;
  /** Title that was rendered for it: any other one was written by a person. */
  readonly title?: string;
}

export interface EvidenceStore {
  save(pack: EvidencePack): Promise<void>;
  load(incidentId: string): Promise<EvidencePack | undefined>;
}
