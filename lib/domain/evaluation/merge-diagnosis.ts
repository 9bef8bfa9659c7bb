import type { EvidencePack } from '../evidence/evidence-pack.ts';
import type { Claim, Diagnosis, Step } from './diagnosis.ts';
import type { AnalysisAnswer } from './prompt/analysis-answer.ts';
import { quotedWords, says } from './quotes.ts';
import { verifyClaims } from './verify-claims.ts';

/**
 * A tamed answer as a diagnosis, as far as the evidence proves it: each claim with a quotation that its pieces hold, no
 * commands, never more than `likely`.
 */
export function toModelDiagnosis(answer: AnalysisAnswer, pack: EvidencePack): Diagnosis {
  const quoting = (claims: readonly Claim[]): readonly Claim[] => claims.filter(({ text }) => quotesSomething(text));
  const steps = (texts: readonly string[]): readonly Step[] => said(texts).map((text) => ({ text }));
  const alternatives = verifyAlternatives(quoting(answer.alternatives), pack);
  const drafted: Diagnosis = {
    source: 'model',
    summary: answer.summary || '?',
    cause: quoting([answer.root_cause, ...answer.claims]),
    chain: quoting(answer.causal_chain),
    consequences: [],
    remedy: steps(answer.remedy),
    verify: steps(answer.verify),
    gaps: [...said(answer.gaps), ...alternatives.map((claim) => `Not ruled out: ${claim.text}`)],
    confidence: answer.confidence === 'not provable' ? 'not provable' : 'likely',
  };
  return withQuotedSummary(verifyClaims(drafted, pack));
}

const said = (texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '');

/** A word of a letter or two stands everywhere and proves nothing. */
const SHORTEST_QUOTE = 3;

const quotesSomething = (text: string): boolean =>
  quotedWords(text).some((word) => (word.match(/[\p{L}\p{N}]/gu) ?? []).length >= SHORTEST_QUOTE);

/** A summary that quotes nothing could say anything; what is left of the cause says it with proof. */
const withQuotedSummary = (checked: Diagnosis): Diagnosis =>
  quotesSomething(checked.summary) ? checked : { ...checked, summary: joined([...checked.cause, ...checked.chain]) };

const joined = (claims: readonly Claim[]): string => claims.map((claim) => claim.text).join(' ') || '?';

function verifyAlternatives(claims: readonly Claim[], pack: EvidencePack): readonly Claim[] {
  const pieces = new Map(pack.pieces.map((piece) => [piece.id, piece]));
  return claims.filter(({ text, evidence }) => {
    const cited = evidence.flatMap((id) => pieces.get(id) ?? []);
    if (cited.length === 0 || cited.length < evidence.length) return false;
    return quotedWords(text).every((word) => cited.some((piece) => says(piece, word)));
  });
}

/**
 * The merge rule. The rules' diagnosis stays whole: where it is certain it comes first and the model adds to it; else the
 * model's grounded claims come first. Without a ground of the model's own the answer is undefined, and the rules' diagnosis
 * stands alone.
 */
export function mergeDiagnosis(rules: Diagnosis, model: Diagnosis): Diagnosis | undefined {
  if (model.confidence === 'not provable' || model.cause.length === 0) return undefined;
  const isCertain = rules.confidence === 'certain';
  const order = <T extends { readonly text: string }>(ours: readonly T[], theirs: readonly T[]): readonly T[] =>
    withoutTwins(isCertain ? [...ours, ...theirs] : [...theirs, ...ours]);
  return {
    source: 'model',
    summary: isCertain ? rules.summary : model.summary,
    cause: order(rules.cause, model.cause),
    chain: rules.chain.length > 1 && isCertain ? rules.chain : pickChain(rules, model),
    consequences: rules.consequences,
    remedy: order<Step>(rules.remedy, model.remedy),
    verify: order<Step>(rules.verify, model.verify),
    gaps: [...new Set([...rules.gaps, ...model.gaps])],
    confidence: isCertain ? 'certain' : 'likely',
  };
}

const pickChain = (rules: Diagnosis, model: Diagnosis): readonly Claim[] =>
  model.chain.length > 1 ? model.chain : rules.chain;

function withoutTwins<T extends { readonly text: string }>(items: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return items.filter(({ text }) => !seen.has(text) && seen.add(text));
}
