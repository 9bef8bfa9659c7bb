import { GuardError, SourceError } from '#lib/domain/errors.ts';
import { BudgetError } from '#lib/domain/model/model-errors.ts';
import { findRemedy, remedyFiles } from '#lib/domain/remediation/find-remedy.ts';
import { checkPatch } from '#lib/domain/remediation/patch-policy.ts';
import { type Proposal, parseProposal } from '#lib/domain/remediation/proposal.ts';
import type { CiFailure, RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import { type Advice, askForProposal } from './ask-for-proposal.ts';
import type { CallLimits, IssueView, Snapshot } from './ports.ts';
import type { RemediatePorts, Sought } from './remedy-ports.ts';
import { isOwnFault } from './work-on-incident.ts';

export interface Search extends Sought {
  readonly issue: IssueView;
  readonly failure: CiFailure | null;
}

/** Tries that wait for an endpoint of a model to recover. */
const WAITING_TRIES = 3;

/** The computed remedy for the first patch, else the model's proposal; judged here so that a refusal is known early. */
export async function seekRemedy(
  ports: RemediatePorts,
  search: Search,
  limits: CallLimits,
): Promise<RemediationOutcome> {
  const { incident, remediation, failure } = search;
  const isFirst = remediation.attempts.length === 0;
  const snapshot = await ports.reader.snapshot(incident.target, remediation.attempts.at(-1)?.sha ?? undefined);
  const computed = isFirst ? await compute(ports, search, snapshot) : undefined;
  if (computed !== undefined) return judge(ports, search, snapshot, computed);
  const advice = await ask(ports, search, snapshot, limits);
  return advice.kind === 'proposal'
    ? judge(ports, search, snapshot, advice.proposal)
    : { kind: 'none', reason: advice.reason, failure };
}

async function compute(ports: RemediatePorts, { incident, pack }: Search, snapshot: Snapshot) {
  const paths = snapshot.files.map(({ path }) => path);
  const texts = await readTexts(ports, incident.target, snapshot, remedyFiles(paths));
  return findRemedy(pack.finding, paths, texts);
}

async function readTexts(ports: RemediatePorts, target: string, { files }: Snapshot, wanted: readonly string[]) {
  const texts = new Map<string, string>();
  for (const file of files.filter(({ path }) => wanted.includes(path))) {
    const text = await ports.reader.text(target, file);
    if (text !== undefined) texts.set(file.path, text);
  }
  return texts;
}

/** What the policy says. `publish` asks it again on the commit that it writes on; this is so that people hear of a refusal. */
async function judge(
  ports: RemediatePorts,
  { incident, failure }: Search,
  snapshot: Snapshot,
  proposal: Proposal,
): Promise<RemediationOutcome> {
  try {
    const parsed = parseProposal(proposal);
    const wanted = [...parsed.edits.map(({ path }) => path), ...parsed.declaredIn];
    const texts = await readTexts(ports, incident.target, snapshot, wanted);
    await checkPatch(parsed, { files: snapshot.files, texts }, ports.redactor);
    return { kind: 'proposal', proposal: parsed, failure };
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return { kind: 'refused', proposal, rule: error.guard, failure };
  }
}

/** A model that fails, refuses or has no budget leaves no proposal; an endpoint that may recover is waited for. */
async function ask(ports: RemediatePorts, search: Search, snapshot: Snapshot, limits: CallLimits): Promise<Advice> {
  const { incident, pack, remediation, issue, failure } = search;
  if (ports.author === undefined) return { kind: 'none', reason: 'no rule knows a fix and no model is configured.' };
  const outcomes = await Promise.all(
    remediation.attempts.map((_one, index) => ports.outcomes.load(incident.id, remediation.cycle, index + 1)),
  );
  const tried = outcomes.flatMap((one) => (one?.kind === 'proposal' ? [one.proposal.title] : []));
  const about = { incident: incident.id, play: pack.playId, target: incident.target, issue, snapshot, tried, failure };
  try {
    return await askForProposal(ports.author, ports.reader, about, limits);
  } catch (error) {
    if (error instanceof GuardError || isOwnFault(error) || isFromGitHub(error)) throw error;
    if (error instanceof SourceError && error.retryable && incident.attempt < WAITING_TRIES) throw error;
    ports.onFault(error);
    const reason =
      error instanceof BudgetError ? 'the budget for models is used up.' : 'the model gave no usable answer.';
    return { kind: 'none', reason };
  }
}

const isFromGitHub = (error: unknown): boolean =>
  error instanceof SourceError && (error.source === 'github' || error.source === 'github-token');
