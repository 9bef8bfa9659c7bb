import type { EvidencePiece } from '../evidence/evidence-pack.ts';
import type { Claim } from './diagnosis.ts';
import { excerpt, type Subject } from './subject.ts';

const MAX_FOLLOWING = 5;

/** Words with which programs, runtimes and Kubernetes tell that something ended badly. */
const TROUBLE =
  /\b(?:errors?|fail(?:ed|ure|s)?|fatal|panick?(?:ed)?|exception|unreachable|refused|denied|unauthori[sz]ed|OOMKilled|Evicted|exit(?:ed)? (?:code|status|with) [1-9]\d*|killed|abort(?:ed|ing)?|gave up|giving up|BackOff|is_error":\s*true)/i;

/** What the pack shows in order of time: the first entry of the failure, its last, and what other agents told after it. */
export function toChain(subject: Subject): readonly Claim[] {
  const hits = byTime(subject.hits);
  const [first] = hits;
  if (first === undefined) return [];
  const last = hits.at(-1);
  const ends = last === undefined || isSoon(first, last) ? [first] : [first, last];
  return byTime([...ends, ...followers(subject, first)]).map((piece) =>
    piece !== first && piece.text === first.text ? tellAgain(subject, piece) : tell(subject, piece),
  );
}

/** What Kubernetes or GitHub tell of the same pod or play after the failure. Order is a fact; cause is not claimed. */
export function toConsequences(subject: Subject): readonly Claim[] {
  const [first] = byTime(subject.hits);
  if (first?.at == null) return [];
  const since = momentKey(first);
  return subject.context
    .filter((piece) => piece.kind === 'kubernetes' || piece.kind === 'github')
    .filter((piece) => (piece.at === null || momentKey(piece) >= since) && TROUBLE.test(piece.text.slice(0, 4_000)))
    .slice(0, MAX_FOLLOWING)
    .map((piece) => ({ text: `${sourceOf(piece)} shows ${excerpt(piece)}.`, evidence: [piece.id] }));
}

function followers(subject: Subject, first: EvidencePiece): readonly EvidencePiece[] {
  if (first.at === null) return [];
  const since = momentKey(first);
  return byTime(subject.context)
    .filter((piece) => piece.kind === 'log' && piece.at !== null && momentKey(piece) > since)
    .filter((piece) => piece.pod !== first.pod && TROUBLE.test(piece.text.slice(0, 4_000)))
    .slice(0, MAX_FOLLOWING);
}

/** Entries of one second are one event: a trace, an echo. */
const isSoon = (first: EvidencePiece, last: EvidencePiece): boolean =>
  Date.parse(last.at ?? '') - Date.parse(first.at ?? '') < 1000 || last === first;

const tellAgain = ({ finding }: Subject, piece: EvidencePiece): Claim => ({
  text: `${momentOf(piece)}, ${speaker(piece)}: the same for the last time, ${finding.count} log entries in all`,
  evidence: [piece.id],
});

/** One entry as a sentence. Lines that are JSON are told by the finding's summary, for people cannot read them. */
function tell(subject: Subject, piece: EvidencePiece): Claim {
  const isOwn = piece.role === 'hit';
  const isJson = /^\s*[[{]/.test(piece.text);
  const what = isOwn && isJson ? subject.finding.summary.replaceAll(/[`"“”]/g, '') : excerpt(piece);
  return { text: `${momentOf(piece)}, ${speaker(piece)}: ${what}`, evidence: [piece.id] };
}

const speaker = (piece: EvidencePiece): string =>
  plainName(piece.agent ?? piece.pod ?? (piece.kind === 'kubernetes' ? 'Kubernetes' : 'unknown pod'));

const plainName = (name: string): string => name.replaceAll(/[`"“”\s]+/g, ' ');

const momentOf = (piece: EvidencePiece): string => piece.at?.replace(/(\.\d{3})\d*Z$/, '$1Z') ?? 'No time known';

const sourceOf = (piece: EvidencePiece): string => (piece.kind === 'github' ? 'GitHub' : 'Kubernetes');

/** Oldest first. */
export const byTime = (pieces: readonly EvidencePiece[]): readonly EvidencePiece[] =>
  [...pieces].sort((one, other) => compareText(momentKey(one), momentKey(other)));

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** RFC 3339 in UTC sorts as text once the fractions have one length; pieces without a moment come first. */
const momentKey = (piece: EvidencePiece): string => {
  const [, whole = '', fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(piece.at ?? '') ?? [];
  return whole === '' ? (piece.at ?? '') : `${whole}.${fraction.padEnd(9, '0')}`;
};
