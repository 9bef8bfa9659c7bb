import { GuardError } from '#lib/domain/errors.ts';
import { refusedNote, takenOverNote } from '#lib/domain/publication/follow-up-notes.ts';
import { toPublicDiagnosis } from '#lib/domain/publication/public-view.ts';
import { renderCommitMessage, renderProposal, toTrailer } from '#lib/domain/publication/render-proposal.ts';
import { withMemory } from '#lib/domain/redaction/redactor.ts';
import { createSecretMemory } from '#lib/domain/redaction/secret-memory.ts';
import { type CheckedPatch, checkPatch } from '#lib/domain/remediation/patch-policy.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import { type Attempt, isUnfinished, proposalId, type Remediation } from '#lib/domain/remediation/remediation.ts';
import type { PullView, Snapshot } from './ports.ts';
import { type Followed, showsEvidence } from './publish-issue.ts';
import { type PublishOptions, type PublishPorts, postNote, takePermit } from './publish-ports.ts';
import { redactProposal } from './redact-proposal.ts';
import type { StageResult } from './work-on-incident.ts';

export interface Proposed extends Followed {
  readonly remediation: Remediation;
  /** Of the right form; hostile until the policy has judged it here. */
  readonly proposal: Proposal;
}

const FIRST_LOOK_MS = 2 * 60_000;

/**
 * Puts a proposal on Healer's branch as one commit, and opens the draft pull request with the first one. The intent is
 * stored before each effect, the commit carries the proposal's id, and what GitHub has already is taken as done, so that a
 * crash at any point leads to the same one branch, commit and pull request.
 */
export async function publishProposal(
  ports: PublishPorts,
  options: PublishOptions,
  of: Proposed,
): Promise<StageResult> {
  const remediation = await intend(ports, of);
  const attempt = remediation.attempts.at(-1);
  if (attempt === undefined) throw new GuardError('remediation', 'there is no attempt to publish');
  const task = { ...of, remediation };
  const sha = attempt.sha ?? (await ensureCommit(ports, task, attempt));
  if (sha instanceof GuardError) return refuse(ports, of, sha);
  if (sha === undefined) return takeOver(ports, task);
  const attempts = [...remediation.attempts.slice(0, -1), { ...attempt, sha }];
  const committed = { ...remediation, attempts };
  await save(ports, of, committed);
  const pull = committed.pull ?? (await ensurePull(ports, options, { ...task, remediation: committed }));
  await save(ports, of, { ...committed, pull: { number: pull.number, url: pull.url } });
  return {
    state: 'proposed',
    pull: { number: pull.number, url: pull.url },
    lookAgainAt: ports.clock.now() + FIRST_LOOK_MS,
    event: `patch ${attempts.length} is proposed in pull request #${pull.number}`,
  };
}

const save = (ports: PublishPorts, of: Proposed, remediation: Remediation): Promise<void> =>
  ports.remediations.save(of.incident.id, { ...remediation, changedAt: ports.clock.now() });

/** The attempt is stored with the commit that it stands on, before anything is written outside. */
async function intend(ports: PublishPorts, of: Proposed): Promise<Remediation> {
  const { incident, remediation, proposal } = of;
  if (isUnfinished(remediation)) return remediation;
  const base = remediation.base ?? (await ports.pulls.base(incident.target));
  const parent = remediation.attempts.at(-1)?.sha ?? (await ports.pulls.head(incident.target, base));
  if (parent === undefined) throw new GuardError('base branch', 'the default branch has no commit');
  const id = proposalId(incident.id, remediation.cycle, remediation.attempts.length + 1, proposal);
  const attempts = [...remediation.attempts, { proposal: id, parent, sha: null }];
  const expects = proposal.expects ?? remediation.expects;
  const intended = { ...remediation, base, attempts, expects };
  await save(ports, of, intended);
  return intended;
}

/** The commit on the branch. Undefined: the branch is somebody else's. GuardError: the policy refuses the patch. */
async function ensureCommit(
  ports: PublishPorts,
  of: Proposed,
  attempt: Attempt,
): Promise<string | GuardError | undefined> {
  const { incident, remediation } = of;
  const isFirst = remediation.attempts.length === 1;
  const known = await ports.pulls.head(incident.target, remediation.branch);
  if (known !== undefined && (await isOurs(ports, of, known, attempt))) return known;
  if (isFirst ? known !== undefined : known !== attempt.parent) return undefined;
  const parent = await ports.pulls.snapshot(incident.target, attempt.parent);
  const patch = await check(ports, of, parent);
  if (patch instanceof GuardError) return patch;
  await takePermit(ports, incident);
  const message = await ports.redactor.redact(
    renderCommitMessage(await redactProposal(ports.redactor, of.proposal), of.published.issue.number, attempt.proposal),
  );
  if (!message.includes(toTrailer(attempt.proposal))) throw new GuardError('redaction', 'the trailer did not survive');
  const files = patch.files.map(({ path, after, mode }) => ({ path, content: after, mode }));
  const sha = await ports.pulls.makeCommit(incident.target, { parent, files, message });
  const isMade = isFirst
    ? await ports.pulls.createBranch(incident.target, remediation.branch, sha)
    : await ports.pulls.moveBranch(incident.target, remediation.branch, sha);
  if (isMade) return sha;
  const after = await ports.pulls.head(incident.target, remediation.branch);
  return after !== undefined && (await isOurs(ports, of, after, attempt)) ? after : undefined;
}

/** A commit of this very attempt: right parent, right trailer. */
async function isOurs(ports: PublishPorts, of: Proposed, sha: string, attempt: Attempt): Promise<boolean> {
  const { message, parents } = await ports.pulls.commit(of.incident.target, sha);
  const lines = message.split('\n');
  return parents.length === 1 && parents[0] === attempt.parent && lines.includes(toTrailer(attempt.proposal));
}

/** The policy's verdict on the very commit that the patch will stand on. */
async function check(ports: PublishPorts, of: Proposed, parent: Snapshot): Promise<CheckedPatch | GuardError> {
  const wanted = new Set([...of.proposal.edits.map(({ path }) => path), ...of.proposal.declaredIn]);
  const texts = new Map<string, string>();
  for (const file of parent.files.filter(({ path }) => wanted.has(path))) {
    const text = await ports.pulls.text(of.incident.target, file);
    if (text !== undefined) texts.set(file.path, text);
  }
  try {
    return await checkPatch(of.proposal, { files: parent.files, texts }, ports.redactor);
  } catch (error) {
    if (error instanceof GuardError) return error;
    throw error;
  }
}

async function ensurePull(ports: PublishPorts, options: PublishOptions, of: Proposed): Promise<PullView> {
  const { incident, remediation, published, pack } = of;
  const known = await ports.pulls.find(incident.target, remediation.branch);
  const diagnosis = showsEvidence(published.repository, options) ? of.diagnosis : toPublicDiagnosis(of.diagnosis, pack);
  const rendered = renderProposal({
    incident,
    issue: published.issue.number,
    proposal: await redactProposal(ports.redactor, of.proposal),
    cause: diagnosis.cause,
    approvedBy: remediation.approvedBy,
  });
  const one = withMemory(ports.redactor, createSecretMemory());
  const body = await one.redact(rendered.body);
  const title = await one.redact(rendered.title);
  if (known === undefined) await takePermit(ports, incident);
  const pull =
    known ??
    (await ports.pulls.open(incident.target, {
      branch: remediation.branch,
      base: remediation.base ?? '',
      title,
      body,
    }));
  await ports.remediations.link(incident.target, pull.number, incident.id);
  return pull;
}

/** What the policy refuses at the last moment is described to people instead. */
async function refuse(ports: PublishPorts, of: Proposed, fault: GuardError): Promise<StageResult> {
  const { incident, remediation, published } = of;
  const proposal = await redactProposal(ports.redactor, of.proposal);
  const note = refusedNote(incident, remediation, proposal, fault.guard);
  await postNote(ports, incident, published.issue.number, note);
  await takePermit(ports, incident);
  await ports.thread.amend(incident.target, published.issue.number, { add: ['needs-human'] });
  const attempts = remediation.attempts.filter(({ sha }) => sha !== null);
  await save(ports, of, { ...remediation, attempts, ended: 'refused' });
  const lookAgainAt = ports.clock.now() + FIRST_LOOK_MS;
  return { lookAgainAt, event: `a proposal was refused by the rule ${fault.guard} and is described` };
}

async function takeOver(ports: PublishPorts, of: Proposed): Promise<StageResult> {
  const { incident, remediation, published } = of;
  await postNote(ports, incident, published.issue.number, takenOverNote(incident, remediation));
  const attempts = remediation.attempts.filter(({ sha }) => sha !== null);
  await save(ports, of, { ...remediation, attempts, ended: 'taken-over' });
  return { lookAgainAt: ports.clock.now() + FIRST_LOOK_MS, event: 'the branch is somebody else’s; no further commit' };
}
