import { toSafeJson } from '#lib/domain/evaluation/prompt/escape.ts';
import { toFenced } from '#lib/domain/evaluation/prompt/fence.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import type { CiFailure } from '#lib/domain/remediation/remediation.ts';
import { REMEDY_INSTRUCTIONS, REMEDY_PROMPT_VERSION, RemedyStep } from '#lib/domain/remediation/remedy-step.ts';
import { type AskPorts, askModel } from './ask-model.ts';
import { repositoryLooks } from './look-into-repository.ts';
import type { CallLimits, ModelMessage, RepositoryReader, Snapshot } from './ports.ts';

/** A model that may write patches, with what it takes to ask it. */
export interface PatchAuthor extends AskPorts {
  readonly redactor: Redactor;
}

/** What the model is asked about. */
export interface Commission {
  readonly incident: string;
  readonly play: string;
  readonly target: string;
  readonly issue: { readonly title: string; readonly body: string };
  readonly snapshot: Snapshot;
  /** Titles of what was proposed before, and how CI failed last. */
  readonly tried: readonly string[];
  readonly failure: CiFailure | null;
}

/** Answers of one attempt, looks and proposal together. */
const MAX_STEPS = 12;
const MAX_OUTPUT_TOKENS = 8_000;
const MAX_ISSUE = 24_000;
/** No step begins when less than this is left of the invocation. */
const STEP_MS = 30_000;

export type Advice =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Lets the model look into the repository, a bounded number of times, until it proposes a patch or stops. What it says is
 * hostile input: nobody has checked the proposal yet.
 * @throws BudgetError, ModelAnswerError and SourceError as {@link askModel} does
 */
export async function askForProposal(
  author: PatchAuthor,
  reader: Pick<RepositoryReader, 'text'>,
  commission: Commission,
  limits: CallLimits,
): Promise<Advice> {
  const look = repositoryLooks({ reader, redactor: author.redactor }, commission.target, commission.snapshot);
  const messages: ModelMessage[] = [{ role: 'user', text: await render(author.redactor, commission) }];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (limits.remainingMs() < STEP_MS) return { kind: 'none', reason: 'the model did not come to an end in time.' };
    const answer = await askModel(
      author,
      { incident: commission.incident, play: commission.play, promptVersion: REMEDY_PROMPT_VERSION },
      {
        instructions: REMEDY_INSTRUCTIONS,
        messages,
        answer: { name: 'step', schema: RemedyStep },
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      limits,
    );
    const { action, proposal } = answer.value;
    if (action === 'propose' && proposal !== null) return { kind: 'proposal', proposal: toProposal(proposal) };
    if (action === 'stop' || action === 'propose') return { kind: 'none', reason: 'the model has no proposal.' };
    messages.push({ role: 'assistant', text: answer.text });
    messages.push({ role: 'user', text: toFenced([toSafeJson(await look(answer.value))]) });
  }
  return { kind: 'none', reason: `the model came to no proposal in ${MAX_STEPS} steps.` };
}

/** A model names no sources and expects nothing: only a rule's word counts for that. */
const toProposal = (proposal: NonNullable<RemedyStep['proposal']>): Proposal => ({
  ...proposal,
  source: 'model',
  declaredIn: [],
  expects: null,
});

async function render(redactor: Redactor, { issue, snapshot, tried, failure }: Commission): Promise<string> {
  const body = (await redactor.redact(issue.body)).slice(0, MAX_ISSUE);
  return toFenced([
    toSafeJson({ type: 'issue', title: await redactor.redact(issue.title), body }),
    toSafeJson({ type: 'repository', files: snapshot.files.length, commit: snapshot.commit }),
    ...tried.map((title) => toSafeJson({ type: 'tried', title: title.slice(0, 200) })),
    ...(failure === null ? [] : [toSafeJson({ type: 'ci', checks: failure.checks, log: failure.log.join('\n') })]),
  ]);
}
