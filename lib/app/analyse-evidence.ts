import { HealerError, SourceError } from '#lib/domain/errors.ts';
import { type Analysis, evidenceDigest } from '#lib/domain/evaluation/analysis.ts';
import { toAnalysisGap, UNPROVED_GAP } from '#lib/domain/evaluation/analysis-gap.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { mergeDiagnosis, toModelDiagnosis } from '#lib/domain/evaluation/merge-diagnosis.ts';
import { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { PROMPT_VERSION } from '#lib/domain/evaluation/prompt/instructions.ts';
import { renderPrompt } from '#lib/domain/evaluation/prompt/render-prompt.ts';
import { quoteEvidence } from '#lib/domain/evaluation/quote-evidence.ts';
import { reuseDiagnosis } from '#lib/domain/evaluation/reuse-diagnosis.ts';
import { boundAnswer, mapTexts, toHarmless } from '#lib/domain/evaluation/tame-answer.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { BudgetError } from '#lib/domain/model/model-errors.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { type AskPorts, askModel } from './ask-model.ts';
import type { CallLimits } from './ports.ts';
import { isOwnFault } from './work-on-incident.ts';

/** A model that may improve diagnoses, with what it takes to ask it. */
export interface Analyst extends AskPorts {
  /** Made when it is needed: its rules are many. */
  readonly redactor: () => Promise<Redactor>;
  /** Told why no usable answer came. */
  readonly onFault: (error: unknown) => void;
}

/** What the model is asked about. */
export interface Case {
  readonly incident: Incident;
  readonly pack: EvidencePack;
  /** The deterministic diagnosis, checked. */
  readonly rules: Diagnosis;
  readonly stored: Diagnosis | undefined;
}

/** Tokens of an answer, thinking included. */
const MAX_OUTPUT_TOKENS = 8_000;

/** Tries of the evaluation that wait for an endpoint to recover; after them the rules' diagnosis goes alone. */
const WAITING_TRIES = 1;
/** An endpoint that asks for a longer pause is not waited for. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * The diagnosis with what the model adds: the stored analysis where it still holds, else a call. Without a usable answer it
 * is the rules' diagnosis, and a gap says why.
 * @throws SourceError when waiting may help, and for faults of Healer's own systems.
 */
export async function analyseEvidence(analyst: Analyst, about: Case, limits: CallLimits): Promise<Diagnosis> {
  const { rules } = about;
  const asked = toAsked(analyst, about);
  const again = reuse(about, asked);
  if (again !== undefined) return again;
  try {
    const merged = mergeDiagnosis(rules, await askAbout(analyst, about, limits));
    if (merged === undefined) return alone(rules, UNPROVED_GAP, { ...asked, status: 'unproved' });
    return { ...merged, analysis: { ...asked, status: 'proved' } };
  } catch (error) {
    if (isOwnFault(error) || isWorthWaiting(error, about.incident)) throw error;
    analyst.onFault(error);
    // Without a key there is no model: the diagnosis is what it is without one.
    if (isUnstoredKey(error)) return rules;
    const status = error instanceof BudgetError ? 'over budget' : 'failed';
    return alone(rules, toAnalysisGap(error instanceof HealerError ? error : undefined), { ...asked, status });
  }
}

/** The diagnosis of an incident that is told at once: without a call; the model is asked when its issue stands. */
export function postponeAnalysis(analyst: Analyst, about: Case): Diagnosis {
  const asked = toAsked(analyst, about);
  return reuse(about, asked) ?? { ...about.rules, analysis: { ...asked, status: 'pending' } };
}

const toAsked = (analyst: Analyst, { pack }: Case): Omit<Analysis, 'status'> => ({
  model: analyst.model.name,
  promptVersion: PROMPT_VERSION,
  evidence: evidenceDigest(pack),
});

/** What was answered before, as far as it still holds. */
function reuse({ stored, rules, pack }: Case, asked: Omit<Analysis, 'status'>): Diagnosis | undefined {
  if (isUnproved(stored?.analysis, asked)) return alone(rules, UNPROVED_GAP, { ...asked, status: 'unproved' });
  const again = reuseDiagnosis(stored, asked, rules, pack);
  return again && { ...again, analysis: { ...asked, status: 'proved' } };
}

async function askAbout(analyst: Analyst, { incident, pack, rules }: Case, limits: CallLimits): Promise<Diagnosis> {
  const prompt = renderPrompt(pack, rules);
  const answer = await askModel(
    analyst,
    { incident: incident.id, play: pack.playId, promptVersion: prompt.version },
    {
      instructions: prompt.instructions,
      messages: [{ role: 'user', text: prompt.text }],
      answer: { name: 'analysis', schema: AnalysisAnswer },
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    },
    limits,
  );
  const redactor = await analyst.redactor();
  // Redaction comes first, since taking markup out can take a secret's tell-tale apart, and last, since it can put one together.
  const tame = await mapTexts(boundAnswer(answer.value), async (texts) => {
    const clean = await redactor.redactLines(texts);
    return redactor.redactLines(clean.map((text) => quoteEvidence(toHarmless(text, pack), pack)));
  });
  return toModelDiagnosis(tame, pack);
}

const alone = (rules: Diagnosis, gap: string, analysis: Analysis): Diagnosis => ({
  ...rules,
  gaps: [...rules.gaps, gap],
  analysis,
});

/** The same question has been answered with nothing that holds; it is not paid for twice. */
const isUnproved = (analysis: Analysis | undefined, asked: Omit<Analysis, 'status'>): boolean =>
  analysis?.status === 'unproved' &&
  analysis.model === asked.model &&
  analysis.promptVersion === asked.promptVersion &&
  analysis.evidence === asked.evidence;

const isWorthWaiting = (error: unknown, { attempt }: Incident): boolean =>
  error instanceof SourceError &&
  error.retryable &&
  attempt < WAITING_TRIES &&
  (error.retryAfterMs ?? 0) <= LONGEST_PAUSE_MS;

const isUnstoredKey = (error: unknown): boolean =>
  error instanceof SourceError && error.source === 'secrets' && error.status === 404;
