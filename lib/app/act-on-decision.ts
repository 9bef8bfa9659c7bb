import {
  handOverNote,
  holdNote,
  refusedNote,
  resolvedNote,
  takenOverNote,
  unexercisedNote,
} from '#lib/domain/publication/follow-up-notes.ts';
import type { Note } from '#lib/domain/publication/note.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Decision } from '#lib/domain/remediation/follow-up.ts';
import { readOutcome } from '#lib/domain/remediation/read-outcome.ts';
import type { Remediation, RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import { type Followed, RESOLVED_LABEL } from './publish-issue.ts';
import { type PublishOptions, type PublishPorts, postNote, takePermit } from './publish-ports.ts';
import { publishProposal } from './publish-proposal.ts';
import { redactFailure, redactProposal } from './redact-proposal.ts';
import type { StageResult } from './work-on-incident.ts';

/** What a decision is about. */
export interface Standing extends Followed {
  readonly remediation: Remediation;
  readonly outcome: RemediationOutcome | undefined;
}

const NEEDS_HUMAN = 'needs-human';
const NEEDS_ATTENTION = 'needs-attention';
/** After a change the first look comes this soon. */
const SOON_MS = 2 * 60_000;

/** Carries a decision out. Notes and labels come before the state: a crash between them repeats what is there already. */
export function act(
  ports: PublishPorts,
  options: PublishOptions,
  of: Standing,
  decision: Decision,
): Promise<StageResult> | StageResult {
  switch (decision.kind) {
    case 'wait':
      return { restUntil: decision.until };
    case 'dismiss':
      return { state: 'dismissed', next: null, event: 'a person closed the issue as not planned' };
    case 'ask':
      return { next: 'remediation', event: `asked for remedy ${of.remediation.attempts.length + 1}` };
    case 'propose':
      return propose(ports, options, of, decision.approvedBy);
    case 'hold':
      return hold(ports, of, decision.until);
    case 'describe':
      return describe(ports, of);
    case 'hand-over':
      return handOver(ports, of);
    case 'end':
      return end(ports, of, decision.ending);
    default:
      return conclude(ports, of, decision);
  }
}

type Conclusion = Extract<Decision, { kind: 'accept' | 'verify' | 'resolve' | 'close-unexercised' }>;

/** What becomes of an incident whose fix was merged, or whose issue a person closed. */
function conclude(ports: PublishPorts, of: Standing, decision: Conclusion): Promise<StageResult> {
  if (decision.kind === 'accept') {
    return settle(ports, of, { resolvedAt: ports.clock.now() }, 'a person closed the issue as completed');
  }
  if (decision.kind === 'verify') return verify(ports, of, decision.mergedAt);
  if (decision.kind === 'close-unexercised') return close(ports, of, unexercisedNote(of.incident, of.remediation), []);
  const note = resolvedNote(of.incident, of.remediation, decision.exposure);
  return close(ports, of, note, [RESOLVED_LABEL]);
}

async function change(ports: PublishPorts, of: Standing, to: Partial<Remediation>): Promise<void> {
  await ports.remediations.save(of.incident.id, { ...of.remediation, ...to, changedAt: ports.clock.now() });
}

const tell = (ports: PublishPorts, of: Standing, note: Note): Promise<void> =>
  postNote(ports, of.incident, of.published.issue.number, note);

async function label(ports: PublishPorts, of: Standing, add: readonly string[], isOpen?: boolean): Promise<void> {
  await takePermit(ports, of.incident);
  const to = isOpen === undefined ? { add } : { add, isOpen };
  await ports.thread.amend(of.incident.target, of.published.issue.number, to);
}

async function settle(
  ports: PublishPorts,
  of: Standing,
  to: Partial<Remediation>,
  event: string,
): Promise<StageResult> {
  await change(ports, of, to);
  return { state: 'resolved', next: null, event };
}

function propose(
  ports: PublishPorts,
  options: PublishOptions,
  of: Standing,
  approvedBy: string | null,
): Promise<StageResult> | StageResult {
  if (of.outcome?.kind !== 'proposal') return { next: null, event: 'there is no proposal' };
  const remediation = { ...of.remediation, approvedBy };
  return publishProposal(ports, options, { ...of, remediation, proposal: of.outcome.proposal });
}

async function hold(ports: PublishPorts, of: Standing, until: number): Promise<StageResult> {
  if (of.outcome?.kind === 'proposal') {
    const proposal = await redactProposal(ports.redactor, of.outcome.proposal);
    await tell(ports, of, holdNote(of.incident, of.remediation, proposal));
  }
  return { restUntil: until };
}

async function describe(ports: PublishPorts, of: Standing): Promise<StageResult> {
  if (of.outcome?.kind !== 'refused') return { next: null, event: 'there is nothing to describe' };
  const proposal = await redactProposal(ports.redactor, of.outcome.proposal);
  await tell(ports, of, refusedNote(of.incident, of.remediation, proposal, of.outcome.rule));
  await label(ports, of, [NEEDS_HUMAN]);
  await change(ports, of, { ended: 'refused' });
  const lookAgainAt = ports.clock.now() + SOON_MS;
  return { lookAgainAt, event: `a proposal was refused by the rule ${of.outcome.rule} and is described` };
}

async function handOver(ports: PublishPorts, of: Standing): Promise<StageResult> {
  const { incident, remediation, outcome } = of;
  const outcomes = await Promise.all(
    remediation.attempts.map((_one, index) => ports.outcomes.load(incident.id, remediation.cycle, index + 1)),
  );
  const tried = await Promise.all(outcomes.flatMap((one) => titleOf(ports.redactor, readOutcome(one))));
  const failure = await redactFailure(ports.redactor, outcome?.failure ?? null);
  const reason =
    outcome?.kind === 'handover' || outcome?.kind === 'none' ? outcome.reason : 'no further patch may go out.';
  await tell(ports, of, handOverNote(incident, remediation, tried, failure, await ports.redactor.redact(reason)));
  await label(ports, of, [NEEDS_HUMAN, NEEDS_ATTENTION]);
  await change(ports, of, { ended: 'handed-over' });
  return { state: 'escalated', next: null, event: `handed over to a person after ${tried.length} patches` };
}

const titleOf = (redactor: Redactor, one: RemediationOutcome | undefined): readonly Promise<string>[] =>
  one?.kind === 'proposal' ? [redactor.redact(one.proposal.title)] : [];

async function end(ports: PublishPorts, of: Standing, ending: 'pull-closed' | 'taken-over'): Promise<StageResult> {
  if (ending === 'taken-over') await tell(ports, of, takenOverNote(of.incident, of.remediation));
  await change(ports, of, { ended: ending });
  const lookAgainAt = ports.clock.now() + SOON_MS;
  if (ending === 'taken-over') return { lookAgainAt, event: 'a person took the branch over' };
  return { state: 'reported', lookAgainAt, event: 'a person closed the pull request; no further attempt' };
}

async function verify(ports: PublishPorts, of: Standing, mergedAt: number): Promise<StageResult> {
  await change(ports, of, { mergedAt });
  const pull = of.remediation.pull?.number ?? 0;
  const event = `pull request #${pull} was merged; waiting for a play that passes the same point`;
  return { state: 'verifying', lookAgainAt: ports.clock.now() + SOON_MS, event };
}

async function close(ports: PublishPorts, of: Standing, note: Note, labels: readonly string[]): Promise<StageResult> {
  await tell(ports, of, note);
  await label(ports, of, labels, false);
  const how = labels.length > 0 ? 'the fix held; issue closed' : 'not exercised since the merge; issue closed';
  return settle(ports, of, { resolvedAt: ports.clock.now() }, how);
}
