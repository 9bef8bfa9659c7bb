import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { HistoryEntry, Incident, IncidentState, IssueRef, Occurrence } from '#lib/domain/incident/incident.ts';
import type { Message } from '#lib/domain/messages.ts';
import type { Session, SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis, Nanos, Window } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';

/** What use cases need of the outside. Adapters implement these; `wiring` joins the two. */

export interface Clock {
  now(): Millis;
}

export interface Ids {
  uuid(): string;
}

/** One page of a list, newest first; `cursor` asks for the next page and is absent on the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export type StartOutcome =
  | { readonly kind: 'started' | 'repeated'; readonly session: Session }
  /** An active session of that id has another declaration. */
  | { readonly kind: 'differs'; readonly session: Session };

export interface SessionStore {
  /** One conditional write: fifty racing starts of one id leave one record. An ended or expired session starts anew. */
  start(session: Session, expiresAt: Millis): Promise<StartOutcome>;
  /** Undefined also for a record whose retention has passed but which TTL has not removed yet. */
  get(playId: string): Promise<Session | undefined>;
  list(query: ListQuery & { status?: SessionStatus; repository?: string }): Promise<Page<SessionSummary>>;
  /** Ends an active session; returns what is stored now, undefined when there is none. Ending twice keeps the first end. */
  end(playId: string, status: Exclude<SessionStatus, 'active'>, at: Millis): Promise<Session | undefined>;
}

/** Sends ids to a stage; delivery is at least once, order is not kept. */
export interface Queues {
  send<Q extends QueueName>(queue: Q, message: Message<Q>, delaySeconds?: number): Promise<void>;
}

/** A range of the log that could not be read, with the reason as a sentence. */
export interface LogGap {
  readonly window: Window;
  readonly reason: string;
}

export interface LogQuery {
  /** LogQL stream selector, e.g. `{namespace="cto"}`; values pass through the adapter's escaper. */
  readonly selector: string;
  /** RE2 expression for a server-side line filter; absent reads everything. */
  readonly lineFilter?: string;
  readonly window: Window;
}

export interface LogRead {
  /** In order of time; entries of one stream keep Loki's order. */
  readonly entries: readonly LogEntry[];
  /** The part of the asked window, from its start, that was read completely. Shorter than asked when a budget ran out. */
  readonly proven: Window;
  readonly gaps: readonly LogGap[];
  readonly bytes: number;
  readonly pages: number;
}

/** Reads logs losslessly. Every method throws SourceError; an answer that is not complete never counts as read. */
export interface LogSource {
  read(query: LogQuery): Promise<LogRead>;
  /** Number of lines per pod label in the window, without a line filter: liveness. */
  countByPod(selector: string, window: Window): Promise<ReadonlyMap<string, number>>;
  /** The earliest entry of the selector in the window. */
  first(selector: string, window: Window): Promise<LogEntry | undefined>;
  /** Whether any stream matches the selector in the window. */
  hasStreams(selector: string, window: Window): Promise<boolean>;
}

/** Position in one (source, namespace). `until` moves only over proven ranges. */
export interface Cursor {
  readonly source: string;
  readonly namespace: string;
  readonly until: Nanos;
  /** When a read last proved anything, and why the last read failed, if it did. */
  readonly provenAt: Millis | null;
  readonly failure: { readonly at: Millis; readonly reason: string; readonly advice: string } | null;
  readonly lease: { readonly owner: string; readonly until: Millis } | null;
}

/** What one read of a window covered. */
export interface Coverage {
  readonly source: string;
  readonly namespace: string;
  readonly window: Window;
  readonly lines: number;
  readonly bytes: number;
  readonly pages: number;
  readonly gaps: readonly LogGap[];
  /** False when the selector matched no stream at all. */
  readonly hasStreams: boolean;
}

/** A pod that has spoken. */
export interface SeenPod {
  readonly pod: string;
  readonly firstNs: Nanos;
  readonly lastNs: Nanos;
}

export interface WindowStore {
  cursor(source: string, namespace: string): Promise<Cursor | undefined>;
  /** Takes the lease, creating the cursor at `from` when there is none. Undefined: another holder has it. */
  claim(source: string, namespace: string, from: Nanos, owner: string, until: Millis): Promise<Cursor | undefined>;
  /** Moves the cursor, conditional on lease and old value, stores the coverage, releases the lease. False: lease lost. */
  advance(cursor: Cursor, until: Nanos, coverage: Coverage, at: Millis): Promise<boolean>;
  /** Notes why nothing could be read, releases the lease; the cursor stays. */
  fail(cursor: Cursor, reason: string, advice: string, at: Millis): Promise<void>;
  /** Coverage that overlaps the window, oldest first. */
  coverage(source: string, namespace: string, window: Window): Promise<readonly Coverage[]>;
  pods(source: string, namespace: string): Promise<readonly SeenPod[]>;
  savePods(source: string, namespace: string, pods: readonly SeenPod[], expiresAt: Millis): Promise<void>;
}

/** A change of a head: what is set, under the condition that the version is still the one that was read. */
export type IncidentChange = Partial<Pick<Incident, 'state' | 'next' | 'due' | 'attempt' | 'issue' | 'severity'>> & {
  readonly event: string;
};

export interface IncidentStore {
  /**
   * Stores the occurrence once (by finding id) and makes sure that the head exists; a resolved head becomes `regressed`.
   * `isNew` tells whether this finding was unseen; the head returned is the stored one.
   */
  record(occurrence: Occurrence, fresh: Incident): Promise<{ incident: Incident; isNew: boolean }>;
  get(id: string): Promise<Incident | undefined>;
  /** Takes the lease when the head still owes work to this stage. Undefined: nothing owed, or another holder has it. */
  claim(id: string, stage: QueueName, owner: string, now: Millis, until: Millis): Promise<Incident | undefined>;
  /** Conditional on version and lease; adds a history entry, releases the lease. False: the lease was lost. */
  change(incident: Incident, change: IncidentChange, stage: string, at: Millis): Promise<boolean>;
  /** Heads whose `due` has passed, oldest first. */
  overdue(now: Millis, limit: number): Promise<readonly Incident[]>;
  /** Moves an overdue head's `due` so that only one sweep re-sends it. False: another one did. */
  reschedule(incident: Incident, due: Millis): Promise<boolean>;
  occurrences(id: string, limit: number): Promise<readonly Occurrence[]>;
  countOccurrences(id: string): Promise<number>;
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** Incidents that a play showed. */
  ofPlay(playId: string): Promise<readonly Occurrence[]>;
  list(query: ListQuery & { repository?: string; state?: IncidentState }): Promise<Page<Incident>>;
  saveDiagnosis(id: string, diagnosis: Diagnosis): Promise<void>;
  diagnosis(id: string): Promise<Diagnosis | undefined>;
  /** Stores what is about to be written outside, before it is written. Returns the stored intent if there is one. */
  intend(id: string, intent: PublicationIntent): Promise<PublicationIntent>;
}

/** Stored before an issue is created, so that a crash between effect and record cannot make a second issue. */
export interface PublicationIntent {
  readonly marker: string;
  readonly bodyHash: string;
  readonly at: Millis;
}

export interface EvidenceStore {
  save(pack: EvidencePack): Promise<void>;
  load(incidentId: string): Promise<EvidencePack | undefined>;
}

/** An issue that Healer's own App wrote. */
export interface OwnIssue extends IssueRef {
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
}

export interface IssueDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

export interface RepositoryFacts {
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  readonly hasIssues: boolean;
}

/** The write side of GitHub, held by `publish` alone. Throws SourceError; a permanent refusal has `retryable: false`. */
export interface IssueTracker {
  repository(target: string): Promise<RepositoryFacts>;
  /** The App's own issues with the label, open and closed, over all pages, newest first. */
  ownIssues(target: string, since: Millis): Promise<readonly OwnIssue[]>;
  create(target: string, draft: IssueDraft): Promise<IssueRef>;
  update(target: string, number: number, draft: IssueDraft & { isOpen?: boolean }): Promise<IssueRef>;
}

/** Tells people at once (Slack-compatible webhook). */
export interface Notifier {
  notify(message: { readonly title: string; readonly text: string; readonly url: string | null }): Promise<void>;
}

/** Secrets by name, e.g. `github-app-key`. @throws SourceError naming the secret and how to store it. */
export interface Secrets {
  get(name: string): Promise<string>;
}

/** Grants content writes per installation and minute (GitHub allows about 80 a minute, 500 an hour). */
export interface WritePacer {
  /** Takes one permit, or says when the next one is free. */
  take(installation: string, now: Millis): Promise<{ granted: true } | { granted: false; until: Millis }>;
}
