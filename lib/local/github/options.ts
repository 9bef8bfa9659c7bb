/** A repository that exists from the start. */
export interface RepositorySeed {
  /** `owner/name` in lower case, the form in which Healer writes names; the owner becomes an organization. */
  readonly name: string;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  readonly hasIssues?: boolean;
  /** Whether the App is installed on it; true unless said otherwise. */
  readonly isInstalled?: boolean;
  /** Path to text, committed to the default branch `main`. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A person with a token of their own. */
export interface UserSeed {
  readonly login: string;
  readonly token: string;
  /** `owner/name` to what the person may do there. Without an entry the person only reads what is public. */
  readonly permissions?: Readonly<Record<string, 'read' | 'triage' | 'push' | 'maintain' | 'admin'>>;
}

/** One job of a check run on a head commit of a pull request. */
export interface CiJob {
  readonly name: string;
  readonly conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out';
  readonly log: string;
}

/** What continuous integration does with a head; `attempt` counts the heads of that branch, from 1. */
export type CiScript = (head: {
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  readonly attempt: number;
}) => readonly CiJob[];

export interface GitHubOptions {
  readonly repositories: readonly RepositorySeed[];
  readonly users?: readonly UserSeed[];
  /** Slug of the App; it writes as `<slug>[bot]`. */
  readonly appSlug?: string;
  /** Overrides what the App's installations grant, to try out missing rights. */
  readonly appPermissions?: Readonly<Record<string, 'read' | 'write'>>;
  /** Where the App's events go (`issues`, `pull_request`, `check_run`), signed with the secret. */
  readonly webhook?: {
    readonly url: string;
    readonly secret: string;
    /** Where events really go, whatever the webhook's address is: for addresses that lead nowhere from here. */
    readonly deliverTo?: string;
  };
  readonly ci?: CiScript;
  /** Port on 127.0.0.1; 0 or absent takes any. */
  readonly port?: number;
}

export const DEFAULT_BRANCH = 'main';
