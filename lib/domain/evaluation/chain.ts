import type { Finding } from '../detection/finding.ts';
import type { EvidencePiece } from '../evidence/evidence-pack.ts';
import type { Claim } from './diagnosis.ts';
import { excerpt, type Subject } from './subject.ts';

const MAX_FOLLOWING = 5;
const MAX_CITED = 3;
/** What people say on GitHub is no consequence; what checks and reviewers find may be. */
const FOUND = /^(?:check run|commit status|review) /;

/** Words with which programs, runtimes and Kubernetes tell that something ended badly. */
const TROUBLE =
  /\b(?:errors?|fail(?:ed|ure|s)?|fatal|panick?(?:ed)?|exception|unreachable|refused|denied|unauthori[sz]ed|OOMKilled|Evicted|exit(?:ed)? (?:code|status|with) [1-9]\d*|killed|abort(?:ed|ing)?|gave up|giving up|BackOff|is_error":\s*true)/i;

/**
 * What the pack shows in order of time: the cause in another pod where one is known, the first entry of the failure, its
 * last, what followed from it, and what other agents told after it.
 */
export function toChain(subject: Subject): readonly Claim[] {
  const hits = byTime(subject.hits);
  const [first] = hits;
  if (first === undefined) return [];
  const last = hits.at(-1);
  const ends = last === undefined || isSoon(first, last) ? [first] : [first, last];
  const shown = [...causing(subject), ...ends, ...followers(subject, first)];
  return byTime([...new Set(shown)]).map((piece) =>
    piece !== first && piece.text === first.text ? tellAgain(subject, piece) : tell(subject, piece),
  );
}

/**
 * Failures of other pods that follow from this one, then what Kubernetes or GitHub tell of the play after it. Of the
 * latter order is a fact; cause is not claimed.
 */
export const toConsequences = (subject: Subject): readonly Claim[] => [...following(subject), ...seenAfter(subject)];

function following({ pack }: Subject): readonly Claim[] {
  return (pack.consequences ?? []).flatMap((finding) => {
    const evidence = pack.pieces.filter((piece) => piece.of === finding.id);
    const [first] = byTime(evidence);
    if (first === undefined) return [];
    const who = finding.agent === null ? '' : `agent ${plainName(finding.agent)} in `;
    const what = plainSummary(finding.summary, finding.agent);
    return [
      {
        text: `${momentOf(first)}, ${who}pod \`${plainName(finding.pod)}\`: ${what}`,
        evidence: evidence.slice(0, MAX_CITED).map(({ id }) => id),
      },
    ];
  });
}

/** The summary of another failure without its agent, which is named before it, and without marks of quotation. */
export const plainSummary = (summary: string, agent: string | null): string =>
  (agent !== null && summary.startsWith(`${agent}: `) ? summary.slice(agent.length + 2) : summary)
    .replaceAll(/[`"“”]/g, '')
    .slice(0, 300);

/** The entry that shows the cause in another pod. */
const causing = ({ pack, finding }: Subject): readonly EvidencePiece[] =>
  pack.pieces.filter((piece) => piece.of !== undefined && piece.of === finding.cause?.findingId).slice(0, 1);

function seenAfter(subject: Subject): readonly Claim[] {
  const [first] = byTime(subject.hits);
  if (first?.at == null) return [];
  const since = momentKey(first);
  return subject.context
    .filter((piece) => piece.of === undefined && (piece.kind === 'kubernetes' || FOUND.test(piece.text)))
    .filter((piece) => piece.kind === 'kubernetes' || piece.kind === 'github')
    .filter((piece) => (piece.at === null || momentKey(piece) >= since) && TROUBLE.test(piece.text.slice(0, 4_000)))
    .slice(0, MAX_FOLLOWING)
    .map((piece) => ({ text: `${sourceOf(piece)} shows ${excerpt(piece)}.`, evidence: [piece.id] }));
}

function followers(subject: Subject, first: EvidencePiece): readonly EvidencePiece[] {
  if (first.at === null) return [];
  const since = momentKey(first);
  const known = new Set((subject.pack.consequences ?? []).map(({ id }) => id));
  const told = byTime(subject.context).filter((piece) => known.has(piece.of ?? ''));
  const firsts = [...new Map(told.toReversed().map((piece) => [piece.of, piece])).values()];
  const others = byTime(subject.context)
    .filter((piece) => piece.kind === 'log' && piece.of === undefined && piece.at !== null && momentKey(piece) > since)
    .filter((piece) => piece.pod !== first.pod && TROUBLE.test(piece.text.slice(0, 4_000)));
  return [...firsts, ...others].slice(0, MAX_FOLLOWING);
}

/** Entries of one second are one event: a trace, an echo. */
const isSoon = (first: EvidencePiece, last: EvidencePiece): boolean =>
  Date.parse(last.at ?? '') - Date.parse(first.at ?? '') < 1000 || last === first;

const tellAgain = ({ finding }: Subject, piece: EvidencePiece): Claim => ({
  text: `${momentOf(piece)}, ${speaker(piece)}: the same for the last time, ${finding.count} log entries in all`,
  evidence: [piece.id],
});

/**
 * One entry as a sentence. Of a line that is JSON people cannot see what matters: one that shows a failure is told by that
 * failure's summary, any other by what it says.
 */
function tell(subject: Subject, piece: EvidencePiece): Claim {
  const isJson = /^\s*[[{]/.test(piece.text);
  const failure = isJson ? failureOf(subject, piece) : undefined;
  const what = failure === undefined ? spoken(piece, isJson) : plainSummary(failure.summary, failure.agent);
  return { text: `${momentOf(piece)}, ${speaker(piece)}: ${what}`, evidence: [piece.id] };
}

/** The failure that the piece shows: the finding itself, its cause, or a consequence. */
function failureOf(
  { finding, pack }: Subject,
  { role, of }: EvidencePiece,
): Pick<Finding, 'summary' | 'agent'> | undefined {
  if (role === 'hit') return finding;
  if (of === undefined) return undefined;
  return of === finding.cause?.findingId ? finding.cause : pack.consequences?.find(({ id }) => id === of);
}

/** Fields in which CLIs and loggers put what is said. */
const SPOKEN = /"(?:text|content|result|error|message|msg)":\s*"((?:[^"\\]|\\.){1,300})/;

function spoken(piece: EvidencePiece, isJson: boolean): string {
  const said = isJson ? SPOKEN.exec(piece.text.slice(0, 8_000))?.[1] : undefined;
  if (said === undefined) return excerpt(piece);
  const plain = said
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\\(["'\\/`])/g, '$1')
    .replaceAll('`', "'");
  return `\`${plain.replaceAll(/\s+/g, ' ').slice(0, 160).replace(/\\+$/, '').trim()}\``;
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
