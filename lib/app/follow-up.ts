import type { IncidentState } from '#lib/domain/incident/incident.ts';
import { recurrenceNote } from '#lib/domain/publication/follow-up-notes.ts';
import { type Decision, decideFollowUp, type Facts } from '#lib/domain/remediation/follow-up.ts';
import { FIX_LABEL, modeOf, needsApproval } from '#lib/domain/remediation/modes.ts';
import { readOutcome } from '#lib/domain/remediation/read-outcome.ts';
import {
  freshRemediation,
  isUnfinished,
  type Remediation,
  type RemediationOutcome,
} from '#lib/domain/remediation/remediation.ts';
import { act } from './act-on-decision.ts';
import type { Followed } from './publish-issue.ts';
import { type PublishOptions, type PublishPorts, postNote } from './publish-ports.ts';
import { publishProposal } from './publish-proposal.ts';
import type { StageResult } from './work-on-incident.ts';

const FOLLOWED: ReadonlySet<IncidentState> = new Set(['reported', 'proposed', 'verifying']);

/** Reads how issue and pull request stand on GitHub, decides, and acts. Each effect is idempotent: a crash repeats it. */
export async function followUp(ports: PublishPorts, options: PublishOptions, of: Followed): Promise<StageResult> {
  if (!FOLLOWED.has(of.state)) return { next: null, event: null };
  const remediation = await currentRemediation(ports, of);
  const attempt = remediation.attempts.length + (isUnfinished(remediation) ? 0 : 1);
  const outcome = readOutcome(await ports.outcomes.load(of.incident.id, remediation.cycle, attempt));
  if (isUnfinished(remediation) && outcome?.kind === 'proposal') {
    return publishProposal(ports, options, { ...of, remediation, proposal: outcome.proposal });
  }
  const decision = await decide(ports, options, of, { remediation, outcome });
  return act(ports, options, { ...of, remediation, outcome }, decision);
}

/** The stored remediation; a recurrence begins the next cycle, and says what changed. */
async function currentRemediation(ports: PublishPorts, of: Followed): Promise<Remediation> {
  const { incident, pack, published } = of;
  const now = ports.clock.now();
  const stored = await ports.remediations.get(incident.id);
  const isOver = stored !== undefined && (stored.mergedAt !== null || stored.resolvedAt !== null);
  if (stored !== undefined && !(incident.state === 'diagnosed' && isOver)) return stored;
  if (stored !== undefined) {
    await postNote(ports, incident, published.issue.number, recurrenceNote(incident, stored, pack));
  }
  const fresh = freshRemediation(incident, pack, now, (stored?.cycle ?? 0) + 1);
  await ports.remediations.save(incident.id, fresh);
  return fresh;
}

interface Standing {
  readonly remediation: Remediation;
  readonly outcome: RemediationOutcome | undefined;
}

async function decide(
  ports: PublishPorts,
  options: PublishOptions,
  of: Followed,
  { remediation, outcome }: Standing,
): Promise<Decision> {
  const mode = modeOf(options.modes, of.incident.target);
  const needs = outcome?.kind === 'proposal' && needsApproval(mode, outcome.proposal);
  const facts = await readFacts(ports, of, remediation, needs || mode === 'label');
  return decideFollowUp(facts, {
    state: of.state,
    remediation,
    outcome: mode === 'off' && remediation.attempts.length === 0 ? undefined : outcome,
    needsApproval: needs,
    asks: mode === 'off' ? 'never' : mode === 'label' ? 'with label' : 'at once',
    exposures: of.state === 'verifying' ? await ports.remediations.exposures(of.incident.id) : [],
    now: ports.clock.now(),
  });
}

async function readFacts(
  ports: PublishPorts,
  of: Followed,
  remediation: Remediation,
  asksForLabel: boolean,
): Promise<Facts> {
  const { target } = of.incident;
  const { issue } = of.published;
  const pull = remediation.pull === null ? null : await ports.pulls.get(target, remediation.pull.number);
  const isOwn = pull !== null && pull.isOpen && pull.head === remediation.attempts.at(-1)?.sha;
  const isLabelled = asksForLabel && issue.isOpen && issue.labels.includes(FIX_LABEL);
  return {
    issue: { isOpen: issue.isOpen, reason: issue.reason },
    pull: pull === null ? null : { isOpen: pull.isOpen, mergedAt: pull.mergedAt, head: pull.head },
    checks: isOwn && remediation.ended === null ? await ports.pulls.checks(target, pull.head) : null,
    approvedBy: isLabelled ? ((await ports.thread.labelledBy(target, issue.number, FIX_LABEL)) ?? null) : null,
  };
}
