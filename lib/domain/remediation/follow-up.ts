import type { IncidentState } from '../incident/incident.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, type Millis } from '../time.ts';
import type { Exposure } from './exposure.ts';
import { MAX_PATCHES, type Remediation, type RemediationOutcome } from './remediation.ts';

/** A fix counts as held no sooner than this after the merge, and not without an exposure. */
export const VERIFY_MS = 24 * MILLIS_PER_HOUR;
/** Without any exposure the incident is closed after this time, which says so. */
export const UNEXERCISED_MS = 14 * MILLIS_PER_DAY;

const MINUTE = 60_000;
/** Shortest and longest pause between two looks at GitHub; a webhook asks for one at once. */
const PAUSES: Readonly<Partial<Record<IncidentState, readonly [number, number]>>> = {
  reported: [15 * MINUTE, 12 * MILLIS_PER_HOUR],
  proposed: [2 * MINUTE, 4 * MILLIS_PER_HOUR],
  verifying: [15 * MINUTE, 6 * MILLIS_PER_HOUR],
};

/** What GitHub says at one moment. */
export interface Facts {
  readonly issue: {
    readonly isOpen: boolean;
    /** Why it is closed; null while it is open. */
    readonly reason: 'completed' | 'not_planned' | null;
  };
  /** Null: there is no pull request yet. */
  readonly pull: {
    readonly isOpen: boolean;
    readonly mergedAt: Millis | null;
    /** Last commit of the branch. */
    readonly head: string;
  } | null;
  /** Of the pull request's head; null when nothing is known of it. */
  readonly checks: 'pending' | 'green' | 'red' | 'none' | null;
  /** Login of a person with write access whose label `healer:fix` stands; null without one. */
  readonly approvedBy: string | null;
}

export interface FollowUp {
  readonly state: IncidentState;
  readonly remediation: Remediation;
  /** What `remediate` came to for the next attempt; undefined when it was not asked, or has not answered. */
  readonly outcome: RemediationOutcome | undefined;
  /** Whether a proposal of this kind needs a maintainer's label in this repository. */
  readonly needsApproval: boolean;
  /** `label`: not even asked for without the label. `off`: never. */
  readonly asks: 'at once' | 'with label' | 'never';
  readonly exposures: readonly Exposure[];
  readonly now: Millis;
}

export type Decision =
  /** A person closed the issue as not planned. */
  | { readonly kind: 'dismiss' }
  /** A person closed the issue as completed. */
  | { readonly kind: 'accept' }
  /** `remediate` is asked for the next attempt. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'propose'; readonly approvedBy: string | null }
  /** The proposal is ready and waits for a maintainer's label. */
  | { readonly kind: 'hold'; readonly until: Millis }
  /** The policy refused the proposal: it is described, and a person decides. */
  | { readonly kind: 'describe' }
  | { readonly kind: 'hand-over' }
  | { readonly kind: 'end'; readonly ending: 'pull-closed' | 'taken-over' }
  | { readonly kind: 'verify'; readonly mergedAt: Millis }
  | { readonly kind: 'resolve'; readonly exposure: Exposure }
  | { readonly kind: 'close-unexercised' }
  | { readonly kind: 'wait'; readonly until: Millis };

/** What to do about an incident whose issue stands. Pure: equal facts give equal decisions. */
export function decideFollowUp(facts: Facts, followUp: FollowUp): Decision {
  const ofState = followUp.state === 'verifying' ? afterMerge(followUp) : undefined;
  return ofState ?? ofPerson(facts) ?? ofPull(facts, followUp) ?? ofOutcome(facts, followUp) ?? wait(followUp);
}

function afterMerge({ remediation, exposures, now }: FollowUp): Decision | undefined {
  const mergedAt = remediation.mergedAt ?? now;
  const [exposure] = exposures;
  if (exposure !== undefined) return now >= mergedAt + VERIFY_MS ? { kind: 'resolve', exposure } : undefined;
  return now >= mergedAt + UNEXERCISED_MS ? { kind: 'close-unexercised' } : undefined;
}

function ofPerson({ issue, pull }: Facts): Decision | undefined {
  if (issue.isOpen) return undefined;
  if (issue.reason === 'not_planned') return { kind: 'dismiss' };
  // A merge that closes the issue by a reference is a merge: the fix is verified first.
  return pull?.mergedAt == null ? { kind: 'accept' } : undefined;
}

function ofPull({ pull, checks }: Facts, followUp: FollowUp): Decision | undefined {
  const { remediation, state } = followUp;
  if (pull === null || state === 'verifying') return undefined;
  if (pull.mergedAt !== null) return { kind: 'verify', mergedAt: pull.mergedAt };
  if (remediation.ended !== null) return wait(followUp);
  if (!pull.isOpen) return { kind: 'end', ending: 'pull-closed' };
  const last = remediation.attempts.at(-1);
  if (last?.sha != null && last.sha !== pull.head) return { kind: 'end', ending: 'taken-over' };
  return checks === 'red' ? undefined : wait(followUp);
}

/** No pull request yet, or a red one: the next attempt. */
function ofOutcome(facts: Facts, followUp: FollowUp): Decision | undefined {
  const { remediation, outcome, asks, state } = followUp;
  if (remediation.ended !== null || state === 'verifying') return undefined;
  const isFirst = remediation.attempts.length === 0;
  if (outcome === undefined) {
    if (asks === 'never' && isFirst) return undefined;
    return asks === 'with label' && isFirst && facts.approvedBy === null ? undefined : { kind: 'ask' };
  }
  if (outcome.kind === 'handover') return { kind: 'hand-over' };
  if (outcome.kind === 'refused') return isFirst ? { kind: 'describe' } : { kind: 'hand-over' };
  if (outcome.kind === 'none') return isFirst ? undefined : { kind: 'hand-over' };
  if (remediation.attempts.length >= MAX_PATCHES) return { kind: 'hand-over' };
  const approvedBy = facts.approvedBy ?? remediation.approvedBy;
  return followUp.needsApproval && approvedBy === null
    ? { kind: 'hold', until: nextLook(followUp) }
    : { kind: 'propose', approvedBy };
}

const wait = (followUp: FollowUp): Decision => ({ kind: 'wait', until: nextLook(followUp) });

/** Half of the time since the last change, within the bounds of the state; never past the end of the verification. */
function nextLook({ state, remediation, now }: FollowUp): Millis {
  const [least, most] = PAUSES[state] ?? [MILLIS_PER_HOUR, MILLIS_PER_DAY];
  const at = now + Math.min(most, Math.max(least, (now - remediation.changedAt) / 2));
  const verified = (remediation.mergedAt ?? 0) + VERIFY_MS;
  return state === 'verifying' && verified > now ? Math.min(at, verified) : at;
}
