import type * as z from 'zod';
import type { ClusterState } from '#lib/domain/cluster/objects.ts';
import type { AttributionRule } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { ForgeNote, ForgePull } from '#lib/domain/evidence/forge.ts';
import type { HistoryEntry, Incident, IncidentState, IssueRef, Occurrence } from '#lib/domain/incident/incident.ts';
import type { Message } from '#lib/domain/messages.ts';
import type { BudgetScope, ModelPrices, ModelUsage, Spend } from '#lib/domain/model/spend.ts';
import type { IssueDraft } from '#lib/domain/publication/issue-draft.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { Ender, Session, SessionStatus, SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis, Nanos, Window } from '#lib/domain/time.ts';
import type { TokenRecord } from '#lib/domain/token.ts';
import type { QueueName } from '#lib/flow.ts';

export type * from './remediation-ports.ts';
export type { IssueDraft };

/** What use cases need of the outside. Adapters implement these; `wiring` joins the two. */

export interface Clock {
  now(): Millis;
}

export interface Ids {
  uuid(): string;
}

/** Cryptographically strong randomness. */
export interface Random {
  bytes(length: number): Uint8Array;
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
  start(session: Session, times: { expiresAt: Millis; removeAt: Millis }): Promise<StartOutcome>;
  /** Undefined also for a record whose retention has passed but which TTL has not removed yet. */
  get(playId: string): Promise<Session | undefined>;
  /** `repository` is the canonical name. Statuses are those that {@link get} shows. */
  list(
    query: ListQuery & { status?: SessionStatus | undefined; repository?: string | undefined },
  ): Promise<Page<SessionSummary>>;
  /**
   * Ends an active session; returns what is stored now, undefined when there is none. Ending twice keeps the first end.
   * The record is kept for its retention from then on.
   *
   * @param by who ends it; the end call when absent.
   */
  end(playId: string, status: EndStatus, at: Millis, by?: Ender): Promise<Session | undefined>;
  /** Stores the end of active sessions whose time is over, oldest first, at most `limit`. Returns their number. */
  endExpired(now: Millis, limit: number): Promise<number>;
}

/** The bearer tokens of the API. Only hashes of secrets are stored. */
export interface TokenStore {
  /** Returns the token, which cannot be read again later. Expires never when `expiresAt` is absent. */
  create(token: { name: string; now: Millis; expiresAt?: Millis }): Promise<{ id: string; token: string }>;
  find(id: string): Promise<TokenRecord | undefined>;
  /** Oldest first, as it is at this moment. */
  list(): Promise<readonly TokenRecord[]>;
  /** Notes the hour of the last use, once an hour and within a second. @throws SourceError */
  noteUse(id: string, hour: Millis): Promise<void>;
  /** Revoking twice keeps the first moment. Undefined: there is no such token. */
  revoke(id: string, now: Millis): Promise<TokenRecord | undefined>;
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
  /** What was read completely, from the window's start; shorter than asked when a budget ran out or a later part failed. */
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

/** Reads what a Kubernetes cluster holds of a namespace, and changes nothing. */
export interface Cluster {
  /**
   * Pods, jobs, CodeRuns and events. A kind of object that the account may not read, or that the cluster does not know,
   * is told in `unread`. @throws SourceError when the cluster did not answer, or nothing could be read.
   */
  read(namespace: string, options: { readonly events: 'warnings' | 'all' }): Promise<ClusterState>;
}

/** What the last look at the cluster of a namespace brought; null where no cluster is configured. */
export interface ClusterSight {
  readonly at: Millis;
  /** Null when all was read; else what could not be read, and what an operator can do. */
  readonly failure: { readonly reason: string; readonly advice: string } | null;
}

/** Reads what GitHub knows of a play's pull requests, with the read token. Throws SourceError. */
export interface Forge {
  /** The pull requests that changed last, newest first, back to `since`; at most 200. */
  pulls(target: string, since: Millis): Promise<ForgeReading<ForgePull>>;
  /** One by its number; undefined when there is none. */
  pull(target: string, number: number): Promise<ForgePull | undefined>;
  /** Comments, reviews, check runs and commit statuses of a pull request's head, since that moment. */
  activity(target: string, pull: ForgePull, since: Millis): Promise<ForgeReading<ForgeNote>>;
}

/** What was read of one thing; what was left out is told as a sentence. */
export interface ForgeReading<T> {
  readonly items: readonly T[];
  readonly gaps: readonly string[];
}

/** Position in one (source, namespace). `until` moves only over proven ranges. */
export interface Cursor {
  readonly source: string;
  readonly namespace: string;
  readonly until: Nanos;
  /** Plays whose logs have been read from their own start; another one makes the next read begin earlier. */
  readonly plays: readonly string[];
  /** When a read last proved anything, and why the last read failed, if it did. */
  readonly provenAt: Millis | null;
  readonly failure: { readonly at: Millis; readonly reason: string; readonly advice: string } | null;
  readonly lease: { readonly owner: string; readonly until: Millis } | null;
  /** Null or absent where no cluster is configured, or none was looked at yet. */
  readonly cluster?: ClusterSight | null;
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
  /** Pods of the namespace that spoke and that no session claims; at most 20 names. */
  readonly unclaimed?: UnclaimedPods;
}

export interface UnclaimedPods {
  readonly count: number;
  readonly pods: readonly string[];
}

/** A pod that has spoken, and what its agent's own start event told. */
export interface SeenPod {
  readonly pod: string;
  readonly playId: string;
  readonly agent: string | null;
  readonly firstNs: Nanos;
  readonly lastNs: Nanos;
  /** `failed` once a finding with a code stands; `passed` once a start event offered all that was declared. */
  readonly preflight: 'pending' | 'passed' | 'failed' | 'unseen';
  /** The rule by which its lines belong to the play; absent in what was stored without one. */
  readonly rule?: AttributionRule;
  /** Lines of the last look in which it spoke, whatever they say. */
  readonly lines?: number;
}

export interface WindowStore {
  cursor(source: string, namespace: string): Promise<Cursor | undefined>;
  /** Takes the lease, creating the cursor at `from` when there is none. Undefined: another holder has it. */
  claim(claim: {
    source: string;
    namespace: string;
    from: Nanos;
    owner: string;
    now: Millis;
    until: Millis;
  }): Promise<Cursor | undefined>;
  /**
   * Moves the cursor, conditional on the lease, stores the coverage, releases the lease. `due`: when to look again even if
   * nothing asks for it. `cluster`: what the look at the cluster brought. False: the lease was lost.
   */
  advance(
    cursor: Cursor,
    proven: {
      until: Nanos;
      coverage: Coverage;
      plays: readonly string[];
      at: Millis;
      due: Millis;
      cluster?: ClusterSight | null;
    },
  ): Promise<boolean>;
  /** Notes why nothing could be read, releases the lease; the cursor stays and is due again at `due`. */
  fail(cursor: Cursor, failure: { reason: string; advice: string; at: Millis; due: Millis }): Promise<void>;
  /** Gives the lease back without having read anything. */
  release(cursor: Cursor): Promise<void>;
  /** Nothing is watched any more: the cursor owes no read. Harmless when there is none, or a reader holds it. */
  rest(source: string, namespace: string, now: Millis): Promise<void>;
  /** Cursors whose `due` has passed, oldest first, at most `limit`. */
  overdue(now: Millis, limit: number): Promise<readonly { source: string; namespace: string }[]>;
  /** Coverage that overlaps the window, oldest first. */
  coverage(source: string, namespace: string, window: Window): Promise<readonly Coverage[]>;
  /** Pods of one play that have spoken. */
  pods(source: string, namespace: string, playId: string): Promise<readonly SeenPod[]>;
  savePods(source: string, namespace: string, pods: readonly SeenPod[], at: Millis): Promise<void>;
}

/** A change of a head: what is set, under the condition that the version is still the one that was read. */
export type IncidentChange = Partial<
  Pick<Incident, 'state' | 'next' | 'due' | 'notBefore' | 'attempt' | 'issue' | 'pull' | 'severity'>
> & {
  /** `next` merely looks again at `due`: whoever has work for another stage may put that in. */
  readonly rests?: boolean;
  /** What happened, for the history: a sentence without payloads. */
  readonly event: string;
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
  /** Heads whose `due` has passed, oldest first. */
  overdue(now: Millis, limit: number): Promise<readonly Incident[]>;
  /** Moves an overdue head's `due` so that only one sweep re-sends it. False: another one did. */
  reschedule(incident: Incident, due: Millis): Promise<boolean>;
  /** Newest first. */
  occurrences(id: string, limit: number): Promise<readonly Occurrence[]>;
  countOccurrences(id: string): Promise<number>;
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** Occurrences and consequences that a play showed, newest first. */
  ofPlay(playId: string): Promise<readonly Occurrence[]>;
  list(
    query: ListQuery & { repository?: string | undefined; state?: IncidentState | undefined },
  ): Promise<Page<Incident>>;
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

/** An issue that Healer's own App wrote. */
export interface OwnIssue extends IssueRef {
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
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
  /** Adds labels and removes none. @throws GuardError for an issue that the App did not write. */
  update(target: string, number: number, draft: IssueDraft & { isOpen?: boolean }): Promise<IssueRef>;
}

/** The permission sets that the token broker grants, one an alias. */
export type PermissionSet = 'read' | 'write';

/** A GitHub token for one repository. */
export interface RepositoryToken {
  readonly token: string;
  readonly expiresAt: Millis;
  /** Writes are paced by it: an installation's repositories share GitHub's limits. */
  readonly installationId: string;
  /** Login under which the token writes, e.g. `healer[bot]`; own issues are recognised by it. */
  readonly author: string;
}

/** Tokens of the GitHub App. Throws SourceError; not installed, suspended or short of rights has `retryable: false`. */
export interface AppTokens {
  mint(target: string, permissions: Readonly<Record<string, 'read' | 'write'>>): Promise<RepositoryToken>;
}

/** Tells people at once (Slack-compatible webhook). Title and text are mrkdwn as `renderNotification` escapes it. */
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

/** What a use case may use up of the invocation that it runs in. */
export interface CallLimits {
  /** Aborted shortly before the function is stopped. */
  readonly signal: AbortSignal;
  /** Milliseconds until the function is stopped. */
  readonly remainingMs: () => number;
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ModelRequest<T> {
  /** What Healer asks for; holds no data from outside. */
  readonly instructions: string;
  /** The conversation, from the first message to the one that is to be answered. */
  readonly messages: readonly ModelMessage[];
  /** Shape of the answer: an object; optional properties are asked for as nullable. `name` is letters, digits, `_`, `-`. */
  readonly answer: { readonly name: string; readonly schema: z.ZodType<T> };
  /** Tokens that the answer, and what is thought before it, may take. */
  readonly maxOutputTokens: number;
}

export interface ModelAnswer<T> {
  readonly value: T;
  /** The answer as it came, for hashing and for the conversation that goes on. */
  readonly text: string;
  readonly usage: ModelUsage;
  /** The model that answered, as the endpoint names it. */
  readonly model: string;
}

/**
 * A language model. An answer that is no answer (refused, cut off, filtered, not JSON, not of the schema, too long) is a
 * ModelAnswerError with raw text and usage; an endpoint that does not answer is a SourceError of source `openai`, whose
 * `status` is set when it answered with an error, and then nothing was used.
 */
export interface Model {
  readonly name: string;
  readonly prices: ModelPrices;
  ask<T>(request: ModelRequest<T>, limits: CallLimits): Promise<ModelAnswer<T>>;
}

/** What one call may use at most, held for it before it is made. */
export interface Reservation {
  /** Unique; reserving or settling it twice does it once. */
  readonly id: string;
  readonly incident: string;
  readonly play: string;
  readonly at: Millis;
  readonly most: Spend;
}

/** What models may use per incident, per play and per day (UTC), in tokens and money. */
export interface BudgetStore {
  /** Holds `most` in all three budgets or in none; a budget without that much room refuses. */
  reserve(reservation: Reservation): Promise<{ granted: true } | { granted: false; scope: BudgetScope }>;
  /** Puts what was really used in the place of what was held. */
  settle(reservation: Reservation, used: Spend): Promise<void>;
}
