import type { EvidencePiece } from '../evidence/evidence-pack.ts';
import { plainSummary, toChain, toConsequences } from './chain.ts';
import { type Claim, type Diagnosis, NOT_PROVABLE, type Step } from './diagnosis.ts';
import { quotedWords, says } from './quotes.ts';
import { excerpt, type Subject, toWord } from './subject.ts';

/** A sentence about a fact, or one that must rest on a certain piece; without that piece it is not said. */
export type Statement = string | { readonly text: string; readonly of: EvidencePiece | undefined };

/** What a diagnoser answers: sentences; which pieces they rest on is found by {@link fact}. */
export interface Explanation {
  /** What an on-call person needs at 3 a.m.: what failed, what it means, what to do first. */
  readonly summary: string;
  readonly cause: readonly Statement[];
  readonly remedy: readonly Step[];
  readonly verify: readonly Step[];
  /** What this kind of failure hides, each a sentence. */
  readonly unseen?: readonly string[];
  readonly confidence: 'certain' | 'likely';
}

/**
 * The statement as a claim: cites the first hit (or the piece it must rest on), and for each quoted word that stands
 * elsewhere the first piece that says it. Empty when a quoted word stands nowhere: then the sentence is not a fact.
 */
function fact(subject: Subject, statement: Statement): readonly Claim[] {
  const text = typeof statement === 'string' ? statement : statement.text;
  const first = typeof statement === 'string' ? subject.anchor : statement.of;
  if (first === undefined) return [];
  const cited = [first];
  for (const word of quotedWords(text)) {
    if (cited.some((piece) => says(piece, word))) continue;
    const witness = [...subject.hits, ...subject.declared, ...subject.context].find((piece) => says(piece, word));
    if (witness === undefined) return [];
    cited.push(witness);
  }
  return [{ text, evidence: cited.map((piece) => piece.id) }];
}

/** What the entry that says it best says, word for word. */
export const lineSays = ({ anchor }: Subject): Statement => ({
  text:
    anchor === undefined ? '' : `${anchor.kind === 'kubernetes' ? 'Kubernetes' : 'The log'} says ${excerpt(anchor)}.`,
  of: anchor,
});

/** The diagnosis that an explanation amounts to with the evidence at hand. */
export function toDiagnosis(subject: Subject, explanation: Explanation): Diagnosis {
  const said = withoutEchoes(
    subject,
    explanation.cause.flatMap((statement) => fact(subject, statement)),
  );
  const cause = said.length > 0 ? said : quoteOnly(subject);
  const hasGround = cause.length > 0;
  return {
    source: 'rules',
    summary: hasGround
      ? `${explanation.summary}${toCompany(subject)}`
      : `${NOT_PROVABLE} What was detected: ${subject.finding.summary}`,
    cause,
    chain: toChain(subject),
    consequences: toConsequences(subject),
    remedy: explanation.remedy,
    verify: explanation.verify,
    gaps: [...new Set([...subject.pack.gaps, ...(explanation.unseen ?? []), ...evidenceGaps(subject)])],
    confidence: hasGround ? explanation.confidence : 'not provable',
  };
}

/** How the failure stands to those of other pods: what it follows from, and what followed from it. */
function toCompany({ finding, pack }: Subject): string {
  const { cause } = finding;
  const others = (pack.consequences ?? []).map(({ agent, pod }) => toWord(agent ?? pod));
  const names = [...new Set(others)];
  const shown = names.slice(0, 4).join(', ') + (names.length > 4 ? ` and ${names.length - 4} more` : '');
  const from =
    cause === undefined
      ? ''
      : ` It follows from a failure of ${toWord(cause.agent ?? `pod ${cause.pod}`)} (${plainSummary(cause.summary, cause.agent)}): repair that first.`;
  const many = others.length === 1 ? 'Another failure' : `${others.length} other failures`;
  const then =
    others.length === 0
      ? ''
      : ` ${many} of the same play ${others.length === 1 ? 'follows' : 'follow'} from it: ${shown}.`;
  return `${from}${then}`;
}

/**
 * A name that stands plainly in the quoted line needs no sentence of its own. In a line of JSON people do not find it, so
 * there the sentence stays.
 */
function withoutEchoes(subject: Subject, claims: readonly Claim[]): readonly Claim[] {
  const { anchor } = subject;
  if (anchor === undefined || /^\s*[[{]/.test(anchor.text)) return claims;
  const quoted = claims.findIndex((claim) => claim.text.includes(excerpt(anchor)));
  const line = claims[quoted]?.text ?? '';
  const isEcho = (claim: Claim): boolean => {
    const words = quotedWords(claim.text);
    return claim.evidence.join() === anchor.id && words.length > 0 && words.every((word) => line.includes(word));
  };
  return claims.filter((claim, index) => index <= quoted || quoted < 0 || !isEcho(claim));
}

const quoteOnly = (subject: Subject): readonly Claim[] => fact(subject, lineSays(subject));

function evidenceGaps(subject: Subject): readonly string[] {
  if (subject.anchor === undefined) return ['The log lines of the failure could not be read again.'];
  const shown = subject.hits.length;
  return subject.finding.count > shown
    ? [`${subject.finding.count} log entries belong to this failure; ${shown} of them are kept as evidence.`]
    : [];
}
