import { createHash } from 'node:crypto';
import type { Finding } from '../detection/finding.ts';
import type { Incident, IssueRef } from '../incident/incident.ts';
import type { Millis } from '../time.ts';
import type { Proposal } from './proposal.ts';

/** Commits that Healer makes for one incident: the first patch and at most two more (section 9 of the design). */
export const MAX_PATCHES = 3;

/** One patch that went out, or is about to: stored before the effect. */
export interface Attempt {
  /** Hash of the proposal; the commit's message ends with it, so that it is known again after a crash. */
  readonly proposal: string;
  /** Commit on which the patch stands. */
  readonly parent: string;
  /** The commit itself, once it is on the branch. */
  readonly sha: string | null;
}

/** Why no further patch of this incident goes out, until it comes back after a resolution. */
export type Ending = 'pull-closed' | 'taken-over' | 'refused' | 'handed-over';

/**
 * What Healer did about an incident outside of its issue; an item of its own, written by the holder of the lease. A
 * recurrence begins the next `cycle` with another branch.
 */
export interface Remediation {
  readonly cycle: number;
  readonly branch: string;
  /** Branch that the pull request is for. */
  readonly base: string | null;
  readonly attempts: readonly Attempt[];
  readonly pull: IssueRef | null;
  readonly ended: Ending | null;
  /** Login of the maintainer whose label let the proposal go out. */
  readonly approvedBy: string | null;
  readonly mergedAt: Millis | null;
  readonly resolvedAt: Millis | null;
  /** Repository of the play that showed the failure; sessions of it exercise the fix. */
  readonly repository: string;
  /** Named parts of the failure, by which an exposure is known. */
  readonly identity: Finding['identity'];
  /** What the agent's start event offers once the fix holds. */
  readonly expects: Proposal['expects'];
  /** When anything of this last changed: looks at GitHub grow rarer from then on. */
  readonly changedAt: Millis;
}

export const freshRemediation = (
  incident: Pick<Incident, 'fingerprint' | 'id'>,
  pack: { readonly repository: string; readonly finding: Pick<Finding, 'identity'> },
  now: Millis,
  cycle = 1,
): Remediation => ({
  cycle,
  branch: toBranch(incident, cycle),
  base: null,
  attempts: [],
  pull: null,
  ended: null,
  approvedBy: null,
  mergedAt: null,
  resolvedAt: null,
  repository: pack.repository,
  identity: pack.finding.identity,
  expects: null,
  changedAt: now,
});

/** The last attempt was begun, and its commit or the pull request is not known to be there yet. */
export const isUnfinished = ({ attempts, pull, ended }: Remediation): boolean =>
  attempts.length > 0 && ended === null && (attempts.at(-1)?.sha === null || pull === null);

/** `healer/<fingerprint>`, with only what a branch of Healer may hold, and the cycle from the second on. */
export function toBranch({ fingerprint, id }: Pick<Incident, 'fingerprint' | 'id'>, cycle: number): string {
  const name =
    fingerprint
      .replaceAll(/[^\w-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 60) || id.slice(0, 32);
  return `healer/${name}${cycle > 1 ? `-${cycle}` : ''}`;
}

/** Identity of a proposal: the same edits for the same attempt are the same patch. */
export const proposalId = (incidentId: string, cycle: number, attempt: number, proposal: Proposal): string =>
  createHash('sha256')
    .update(JSON.stringify([incidentId, cycle, attempt, proposal.edits]))
    .digest('hex')
    .slice(0, 32);

/** What failed in CI, redacted; equal failures have equal signatures. */
export interface CiFailure {
  readonly signature: string;
  /** Names of the failed checks. */
  readonly checks: readonly string[];
  /** End of the log, redacted, at most 60 lines. */
  readonly log: readonly string[];
}

/** What `remediate` came to for one attempt; hostile where a model had a part in it. */
export type RemediationOutcome = { readonly failure: CiFailure | null } & (
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  /** The policy refuses it: a person decides. `rule` names the guard. */
  | { readonly kind: 'refused'; readonly proposal: Proposal; readonly rule: string }
  /** Nothing more to try: a person takes over. */
  | { readonly kind: 'handover'; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string }
);
