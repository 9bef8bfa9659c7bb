import type { IssueRef } from '#lib/domain/incident/incident.ts';
import type { IssueDraft } from '#lib/domain/publication/issue-draft.ts';
import type { Millis } from '#lib/domain/time.ts';

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

/** Grants content writes per installation and minute (GitHub allows about 80 a minute, 500 an hour). */
export interface WritePacer {
  /** Takes one permit, or says when the next one is free. */
  take(installation: string, now: Millis): Promise<{ granted: true } | { granted: false; until: Millis }>;
}
