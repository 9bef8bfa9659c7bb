import type { IssueRef } from '#lib/domain/incident/incident.ts';
import type { Exposure } from '#lib/domain/remediation/exposure.ts';
import type { TreeFile } from '#lib/domain/remediation/patch-policy.ts';
import type { Remediation, RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import type { Millis } from '#lib/domain/time.ts';

/** Ports of remediation and of what follows it. */

/** What `publish`, `detect` and the webhook remember of an incident's remediation. */
export interface RemediationStore {
  get(incidentId: string): Promise<Remediation | undefined>;
  /** By the holder of the incident's lease. */
  save(incidentId: string, remediation: Remediation): Promise<void>;
  /** Stores an exposure once by play and agent. False: it was stored before. */
  expose(exposure: Exposure): Promise<boolean>;
  /** Oldest first. */
  exposures(incidentId: string): Promise<readonly Exposure[]>;
  /** Remembers which incident an issue or pull request of Healer is about. */
  link(target: string, number: number, incidentId: string): Promise<void>;
  findByNumber(target: string, number: number): Promise<string | undefined>;
  /** False: a delivery of that id was seen before. */
  rememberDelivery(id: string, now: Millis): Promise<boolean>;
}

/** What `remediate` came to, kept apart from the head: a model may have written it. */
export interface OutcomeStore {
  save(incidentId: string, cycle: number, attempt: number, outcome: RemediationOutcome): Promise<void>;
  load(incidentId: string, cycle: number, attempt: number): Promise<RemediationOutcome | undefined>;
}

/** An issue as it stands. */
export interface IssueView extends IssueRef {
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly isOpen: boolean;
  /** Null while it is open. */
  readonly reason: 'completed' | 'not_planned' | null;
  readonly labels: readonly string[];
}

/** The files of one commit. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
  readonly files: readonly TreeFile[];
}

/** Reads one repository for `remediate`, through the broker's read alias. Throws SourceError. */
export interface RepositoryReader {
  /** Login of Healer's own App. */
  author(target: string): Promise<string>;
  issue(target: string, number: number): Promise<IssueView>;
  /** @param commit default: the head of the default branch. @throws GuardError for a tree that is too large to be listed */
  snapshot(target: string, commit?: string): Promise<Snapshot>;
  /** Undefined for what is no UTF-8 text or larger than 400,000 bytes. */
  text(target: string, file: TreeFile): Promise<string | undefined>;
  /** Failed jobs of a commit with the ends of their logs, unredacted; empty when nothing is known. */
  failedJobs(target: string, commit: string): Promise<readonly { readonly name: string; readonly log: string }[]>;
}

/** A pull request of Healer. */
export interface PullView extends IssueRef {
  readonly isOpen: boolean;
  readonly mergedAt: Millis | null;
  /** Last commit of its branch. */
  readonly head: string;
  readonly author: string;
}

/** One file as it is to be committed. */
export interface FileWrite {
  readonly path: string;
  readonly content: string;
  readonly mode: '100644' | '100755';
}

/** Branches, commits and draft pull requests, held by `publish` alone. Throws SourceError, GuardError. */
export interface PullRequests {
  /** Name of the default branch. */
  base(target: string): Promise<string>;
  /** Head of a branch; undefined when there is none. */
  head(target: string, branch: string): Promise<string | undefined>;
  commit(target: string, sha: string): Promise<{ readonly message: string; readonly parents: readonly string[] }>;
  snapshot(target: string, commit: string): Promise<Snapshot>;
  text(target: string, file: TreeFile): Promise<string | undefined>;
  /** Makes a commit that no branch holds yet. */
  makeCommit(
    target: string,
    commit: { readonly parent: Snapshot; readonly files: readonly FileWrite[]; readonly message: string },
  ): Promise<string>;
  /** False: a branch of that name exists. */
  createBranch(target: string, branch: string, sha: string): Promise<boolean>;
  /** Moves the branch forward. False: it is not an ancestor of the commit, somebody else pushed. */
  moveBranch(target: string, branch: string, sha: string): Promise<boolean>;
  /** The App's own pull request of a branch, open or closed; the newest one. */
  find(target: string, branch: string): Promise<PullView | undefined>;
  /** Opens a draft; one that exists for the branch is returned as it is. */
  open(
    target: string,
    pull: { readonly branch: string; readonly base: string; readonly title: string; readonly body: string },
  ): Promise<PullView>;
  get(target: string, number: number): Promise<PullView>;
  /** Of the check runs and statuses of a commit together; `none` when there is neither. */
  checks(target: string, commit: string): Promise<'pending' | 'green' | 'red' | 'none'>;
}

/** What people and Healer say below an issue. Throws SourceError, and GuardError for an issue that the App did not write. */
export interface IssueThread {
  get(target: string, number: number): Promise<IssueView>;
  /** Posts a comment once: `marker` is a line of it, looked for among the App's own comments. */
  comment(target: string, number: number, comment: { readonly marker: string; readonly body: string }): Promise<void>;
  /** Adds and removes labels, closes as completed, or opens; writes nothing when all is so already. */
  amend(
    target: string,
    number: number,
    change: { readonly add?: readonly string[]; readonly drop?: readonly string[]; readonly isOpen?: boolean },
  ): Promise<void>;
  /** Login of a person with write access who set the label that stands; undefined without one. */
  labelledBy(target: string, number: number, label: string): Promise<string | undefined>;
}
