import * as z from 'zod';
import { GuardError } from '../errors.ts';
import type { EvidencePack, EvidencePiece } from '../evidence/evidence-pack.ts';
import { type Claim, type Diagnosis, NOT_PROVABLE } from './diagnosis.ts';
import { quotedWords, says } from './quotes.ts';

const GUARD = 'citation check';

const ClaimShape = z.object({ text: z.string().min(1), evidence: z.array(z.string()) });
const StepShape = z.object({ text: z.string().min(1), command: z.string().optional() });
const DiagnosisShape = z.object({
  source: z.enum(['rules', 'model']),
  summary: z.string().min(1),
  cause: z.array(ClaimShape),
  chain: z.array(ClaimShape),
  consequences: z.array(ClaimShape),
  remedy: z.array(StepShape),
  verify: z.array(StepShape),
  gaps: z.array(z.string()),
  confidence: z.enum(['certain', 'likely', 'not provable']),
});
const PiecesShape = z.array(
  z.object({
    id: z.string().min(1),
    text: z.string(),
    agent: z.string().nullable(),
    pod: z.string().nullable(),
    at: z.string().nullable(),
  }),
);

/**
 * The citation check. Keeps a claim only when it cites at least one piece, every id it cites exists in the pack, and each
 * word that it quotes stands in one of the cited pieces. A summary that quotes what no piece says is replaced by what
 * remains of the cause. Without a claim about the cause or the chain the diagnosis is `not provable` and says so.
 *
 * @throws GuardError when diagnosis or pack do not have their shape, or ids of pieces repeat: nothing is published then.
 */
export function verifyClaims(diagnosis: Diagnosis, pack: EvidencePack): Diagnosis {
  const pieces = indexPieces(diagnosis, pack);
  const keep = (claims: readonly Claim[]): readonly Claim[] => claims.filter((claim) => isGrounded(claim, pieces));
  const cause = keep(diagnosis.cause);
  const chain = keep(diagnosis.chain);
  const checked = { ...diagnosis, cause, chain, consequences: keep(diagnosis.consequences) };
  if (cause.length === 0 && chain.length === 0) return toUnproven(checked, pack);
  return { ...checked, summary: groundedSummary(checked, pack) };
}

function indexPieces(diagnosis: Diagnosis, pack: EvidencePack): ReadonlyMap<string, EvidencePiece> {
  if (!DiagnosisShape.safeParse(diagnosis).success)
    throw new GuardError(GUARD, 'the diagnosis does not have its shape');
  if (!PiecesShape.safeParse(pack?.pieces).success || pack.finding === undefined) {
    throw new GuardError(GUARD, 'the evidence pack does not have its shape');
  }
  const pieces = new Map(pack.pieces.map((piece) => [piece.id, piece]));
  if (pieces.size !== pack.pieces.length) throw new GuardError(GUARD, 'two pieces of the evidence pack share an id');
  return pieces;
}

function isGrounded(claim: Claim, pieces: ReadonlyMap<string, EvidencePiece>): boolean {
  const cited = claim.evidence.map((id) => pieces.get(id)).filter((piece) => piece !== undefined);
  if (cited.length === 0 || cited.length < claim.evidence.length) return false;
  return quotedWords(claim.text).every((word) => cited.some((piece) => says(piece, word)));
}

function groundedSummary(diagnosis: Diagnosis, pack: EvidencePack): string {
  const known = [...pack.pieces, asPiece(pack)];
  const isSaid = quotedWords(diagnosis.summary).every((word) => known.some((piece) => says(piece, word)));
  if (isSaid) return diagnosis.summary;
  return [...diagnosis.cause, ...diagnosis.chain].map((claim) => claim.text).join(' ');
}

function toUnproven(diagnosis: Diagnosis, pack: EvidencePack): Diagnosis {
  const summary = diagnosis.summary.startsWith(NOT_PROVABLE)
    ? diagnosis.summary
    : `${NOT_PROVABLE} What was detected: ${pack.finding.summary}`;
  return { ...diagnosis, summary, confidence: 'not provable' };
}

/** What the finding itself names may be quoted by a summary as well. */
function asPiece(pack: EvidencePack): EvidencePiece {
  const { finding } = pack;
  const text = [...Object.values(finding.identity), finding.summary, pack.playId, pack.repository, pack.namespace];
  return {
    id: '',
    kind: 'log',
    role: 'context',
    at: null,
    agent: finding.agent,
    pod: finding.pod,
    text: text.join('\n'),
  };
}
