import type { EvidencePack } from '../evidence/evidence-pack.ts';
import type { Incident } from '../incident/incident.ts';
import type { Exposure } from '../remediation/exposure.ts';
import { FIX_LABEL } from '../remediation/modes.ts';
import type { Proposal } from '../remediation/proposal.ts';
import type { CiFailure, Remediation } from '../remediation/remediation.ts';
import { toIso } from '../time.ts';
import { type Note, toNote } from './note.ts';
import { renderEdits } from './render-proposal.ts';
import { toFence, toInlineCode, toMarkdown } from './safe-text.ts';

type Id = Pick<Incident, 'id'>;

const when = (ms: number | null): string => (ms === null ? 'an unknown time' : toIso(ms));
const pullOf = ({ pull }: Remediation): string => (pull === null ? 'no pull request' : `#${pull.number}`);

/** The proposal waits for a maintainer. */
export const holdNote = (incident: Id, { cycle, attempts }: Remediation, proposal: Proposal): Note =>
  toNote(incident, `hold-${cycle}-${attempts.length + 1}`, [
    `Healer has a proposal: ${toMarkdown(proposal.title, 200)}. It is not published yet, since CI would run what it changes.`,
    toMarkdown(proposal.why, 2_000),
    renderEdits(proposal.edits),
    `A person with write access lets it out by setting the label \`${FIX_LABEL}\`; Healer then opens a draft pull request.`,
  ]);

/** The patch policy refused the proposal. */
export const refusedNote = (
  incident: Id,
  { cycle }: Remediation,
  proposal: Pick<Proposal, 'title' | 'why' | 'edits'>,
  rule: string,
): Note =>
  toNote(incident, `refused-${cycle}`, [
    `Healer has an idea for a fix and does not propose it as a pull request: its rule ${toInlineCode(rule)} leaves such a change to people.`,
    `**What.** ${toMarkdown(proposal.title, 200)}`,
    `**Why.** ${toMarkdown(proposal.why, 2_000)}`,
    renderEdits(proposal.edits),
  ]);

/** Healer gives up: what was tried, what failed, what to look at. */
export function handOverNote(
  incident: Id,
  remediation: Remediation,
  tried: readonly string[],
  failure: CiFailure | null,
  reason: string,
): Note {
  const checks = failure?.checks.map((name) => toInlineCode(name.slice(0, 100))).join(', ') ?? '';
  return toNote(incident, `hand-over-${remediation.cycle}`, [
    `Healer hands this over to a person: ${toMarkdown(reason, 500)}`,
    '**What was tried**',
    tried.map((title, index) => `${index + 1}. ${toMarkdown(title, 200)}`).join('\n') || 'Nothing was published.',
    ...(failure === null ? [] : [`**What failed**: ${checks || 'a check'}`, toFence(failure.log.slice(-40), 'text')]),
    `**What to look at**: ${pullOf(remediation)}, branch ${toInlineCode(remediation.branch)}. Healer makes no further commit; what you push there, and a merge, it follows.`,
  ]);
}

export const takenOverNote = (incident: Id, remediation: Remediation): Note =>
  toNote(incident, `taken-over-${remediation.cycle}`, [
    `Somebody pushed to ${toInlineCode(remediation.branch)}: the branch is theirs from here on, Healer makes no further commit. It still follows ${pullOf(remediation)}.`,
  ]);

export const resolvedNote = (incident: Id, remediation: Remediation, exposure: Exposure): Note =>
  toNote(incident, `resolved-${remediation.cycle}`, [
    `The fix held. ${pullOf(remediation)} was merged at ${when(remediation.mergedAt)}; since then play ${toInlineCode(exposure.playId)} passed the same point at ${when(exposure.at)}: ${toMarkdown(exposure.proof, 300)}. The failure has not come back for 24 hours.`,
    'Healer closes this issue, and opens it again if the failure comes back.',
  ]);

export const unexercisedNote = (incident: Id, remediation: Remediation): Note =>
  toNote(incident, `unexercised-${remediation.cycle}`, [
    `${pullOf(remediation)} was merged at ${when(remediation.mergedAt)}. Not exercised since: in 14 days no play of ${toInlineCode(remediation.repository)} came to the same point, and the failure was not seen either.`,
    'Healer closes this issue, and opens it again if the failure comes back.',
  ]);

/** The failure is back: what is different from the last time. */
export const recurrenceNote = (incident: Id, last: Remediation, pack: EvidencePack): Note =>
  toNote(incident, `recurrence-${last.cycle + 1}`, [
    `The failure came back: play ${toInlineCode(pack.playId)} of ${toInlineCode(pack.repository)}, ${pack.occurrences.count} findings so far.`,
    last.pull === null
      ? `It was taken for resolved at ${when(last.resolvedAt)}, without a pull request of Healer.`
      : `What changed since it was reported: ${pullOf(last)} was merged at ${when(last.mergedAt)}${last.resolvedAt === null ? ', and had not been verified yet' : `, and was taken for the fix at ${when(last.resolvedAt)}`}. Either it did not fix the cause, or something undid it.`,
  ]);
