import type { EvidencePack, EvidencePiece } from '../evidence/evidence-pack.ts';
import type { Analysis } from './analysis.ts';
import type { Claim, Diagnosis, Step } from './diagnosis.ts';
import { mergeDiagnosis } from './merge-diagnosis.ts';
import { quotedWords, says } from './quotes.ts';
import { verifyClaims } from './verify-claims.ts';

/**
 * A stored diagnosis with a model's part, for evidence of another occurrence of the same failure: each claim cites the
 * pieces that say its quotations now. Undefined when it was made otherwise (another model or prompt), or when none of its
 * causes is said by this evidence: then a model is asked again.
 */
export function reuseDiagnosis(
  stored: Diagnosis | undefined,
  asked: Pick<Analysis, 'model' | 'promptVersion'>,
  rules: Diagnosis,
  pack: EvidencePack,
): Diagnosis | undefined {
  const analysis = stored?.analysis;
  if (stored === undefined || analysis?.status !== 'proved') return undefined;
  if (analysis.model !== asked.model || analysis.promptVersion !== asked.promptVersion) return undefined;
  const known = new Set(rules.cause.map((claim) => claim.text));
  const cause = stored.cause.filter((claim) => !known.has(claim.text)).flatMap((claim) => citeAgain(claim, pack));
  // Times and gaps are those of the occurrence that the model saw, and commands are the rules' own.
  const withoutCommands = (steps: readonly Step[]) => steps.filter((step) => step.command === undefined);
  const again: Diagnosis = {
    ...stored,
    cause,
    chain: [],
    consequences: [],
    remedy: withoutCommands(stored.remedy),
    verify: withoutCommands(stored.verify),
    gaps: [],
    confidence: 'likely',
  };
  return mergeDiagnosis(rules, verifyClaims(again, pack));
}

function citeAgain(claim: Claim, pack: EvidencePack): readonly Claim[] {
  const ranked = pack.pieces.toSorted((a, b) => RANK[a.role] - RANK[b.role]);
  const witnesses = quotedWords(claim.text).map((word) => ranked.find((piece) => says(piece, word)));
  if (witnesses.some((piece) => piece === undefined)) return [];
  return [{ text: claim.text, evidence: [...new Set(witnesses.flatMap((piece) => piece?.id ?? []))] }];
}

const RANK: Readonly<Record<EvidencePiece['role'], number>> = { hit: 0, declared: 1, context: 2 };
