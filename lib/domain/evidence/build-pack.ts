import type { Finding } from '../detection/finding.ts';
import { isClusterRef } from '../detection/kubernetes/ends.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { Session } from '../session/session.ts';
import { type AttributedEntry, byMoment, type ChosenLine, chooseLines, toStreams } from './choose-lines.ts';
import { toDeclarations } from './declared-configuration.ts';
import type { EvidencePack, EvidencePiece } from './evidence-pack.ts';
import { toEvidenceTime } from './evidence-time.ts';
import { fitPack, type RankedPiece } from './fit-pack.ts';
import { toPieceText } from './piece-text.ts';
import { redactFinding } from './redact-finding.ts';

export type { AttributedEntry } from './choose-lines.ts';

/** What was gathered of an incident's latest occurrence, unredacted. */
export interface GatheredEvidence {
  readonly incidentId: string;
  readonly playId: string;
  readonly repository: string;
  readonly namespace: string;
  /** Null when its record is gone. */
  readonly session: Session | null;
  /** False when nothing was ever declared (logs that are only scanned): then nothing of it is missing. */
  readonly hasDeclaration?: boolean;
  readonly finding: Finding;
  /** Entries of the play around the finding, of all agents, in any order. */
  readonly entries: readonly AttributedEntry[];
  /** Failures of other pods that follow from the finding. */
  readonly consequences?: readonly Finding[];
  /** What Kubernetes and GitHub tell, in order of time. */
  readonly others?: readonly OtherPiece[];
  /** What could not be read, each a sentence. */
  readonly gaps: readonly string[];
  readonly occurrences: EvidencePack['occurrences'];
  /** RFC 3339 UTC. */
  readonly gatheredAt: string;
}

/** One thing that a source other than the logs tells, unredacted. */
export interface OtherPiece {
  readonly kind: 'kubernetes' | 'github';
  readonly role: 'hit' | 'context';
  /** RFC 3339 UTC. */
  readonly at: string | null;
  readonly agent: string | null;
  readonly pod: string | null;
  /** Of any length and number of lines. */
  readonly text: string;
  /** How far from the failure: the furthest is dropped first. */
  readonly distance: number;
  /** Id of the other failure that it shows: a consequence of the finding, or its cause. */
  readonly of?: string;
}

/** Lines of a stream that are read before and after a chosen one, for secrets that span lines. */
const MARGIN = 60;
const MAX_GAPS = 20;
const MAX_GAP_TEXT = 500;
const MAX_CONSEQUENCES = 12;

/**
 * Builds the pack: log lines `L1…` in order of time, Kubernetes `K1…`, GitHub `G1…`, declared configuration `C1…`, gaps; redacted, one line each, at most
 * 64 KB encoded. What is furthest from the failure is left out first, entries of the finding never.
 * @throws GuardError when redaction fails: then there is no evidence.
 */
export async function buildEvidencePack(gathered: GatheredEvidence, redactor: Redactor): Promise<EvidencePack> {
  const entries = byMoment(gathered.entries);
  const followers = (gathered.consequences ?? []).toSorted(byFirst).slice(0, MAX_CONSEQUENCES);
  const chosen = chooseLines(entries, gathered.finding, followers);
  const finding = await redactFinding(gathered.finding, redactor);
  const { incidentId, playId, repository, namespace, occurrences, gatheredAt } = gathered;
  const gaps = [...gathered.gaps, ...missing(gathered, chosen)];
  return fitPack(
    {
      incidentId,
      playId,
      repository,
      namespace,
      finding,
      pieces: [],
      ...(followers.length > 0 && {
        consequences: await Promise.all(followers.map((other) => redactFinding(other, redactor))),
      }),
      gaps: await toGaps(gaps, redactor),
      occurrences,
      gatheredAt,
    },
    [
      ...(await toLogPieces(entries, chosen, finding, redactor)),
      ...(await toOtherPieces(gathered, redactor)),
      ...(await toConfigPieces(gathered, redactor)),
    ],
  );
}

const byFirst = (a: Finding, b: Finding): number => (a.firstNs < b.firstNs ? -1 : a.firstNs > b.firstNs ? 1 : 0);

const toOtherPieces = ({ others = [], finding }: GatheredEvidence, redactor: Redactor): Promise<RankedPiece[]> =>
  Promise.all(
    others.map(async ({ text, distance, ...piece }, order) => ({
      piece,
      distance,
      order,
      text: await redactor.redact(text),
      focus: Object.values(finding.identity),
    })),
  );

async function toLogPieces(
  entries: readonly AttributedEntry[],
  chosen: readonly ChosenLine[],
  finding: Finding,
  redactor: Redactor,
): Promise<readonly RankedPiece[]> {
  const texts = await redactStreams(entries, chosen, redactor);
  const focus = Object.values(finding.identity);
  return chosen.flatMap(({ index, isHit, distance, of }) => {
    const line = entries[index];
    if (line === undefined) return [];
    const piece = {
      ...toPiece('log', isHit ? 'hit' : 'context'),
      at: toEvidenceTime(line.entry.ns),
      agent: line.agent,
      pod: line.pod,
      ...(of !== undefined && { of }),
    };
    return [{ piece, distance, order: index, text: texts.get(index) ?? '', focus }];
  });
}

/** Redacted texts of the chosen lines, each read together with its neighbours of the same stream. */
async function redactStreams(
  entries: readonly AttributedEntry[],
  chosen: readonly ChosenLine[],
  redactor: Redactor,
): Promise<ReadonlyMap<number, string>> {
  const wanted = new Set(chosen.map(({ index }) => index));
  const texts = new Map<number, string>();
  for (const stream of toStreams(entries)) {
    for (const run of toRuns(stream, wanted)) {
      const clean = await redactor.redactLines(run.map((index) => entries[index]?.entry.line ?? ''));
      run.forEach((index, i) => texts.set(index, clean[i] ?? ''));
    }
  }
  return texts;
}

/** The parts of a stream that lie within the margin of a wanted entry. */
function toRuns(stream: readonly number[], wanted: ReadonlySet<number>): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let until = 0;
  stream.forEach((index, at) => {
    if (!wanted.has(index)) return;
    const from = Math.max(until, at - MARGIN);
    const part = stream.slice(from, at + MARGIN + 1);
    if (from === until && runs.length > 0) runs.at(-1)?.push(...part);
    else runs.push([...part]);
    until = Math.min(stream.length, at + MARGIN + 1);
  });
  return runs;
}

async function toConfigPieces(
  { session, finding }: GatheredEvidence,
  redactor: Redactor,
): Promise<readonly RankedPiece[]> {
  const declarations = session === null ? [] : toDeclarations(session, finding);
  return Promise.all(
    declarations.map(async ({ agent, text }, order) => ({
      piece: { ...toPiece('config', 'declared'), at: null, agent, pod: null },
      distance: 0,
      order,
      text: await redactor.redact(text),
      focus: Object.values(finding.identity),
    })),
  );
}

const toPiece = (kind: EvidencePiece['kind'], role: EvidencePiece['role']) => ({ kind, role });

/** What the pack cannot show of the finding itself. */
function missing(gathered: GatheredEvidence, chosen: readonly ChosenLine[]): readonly string[] {
  const { session, finding, entries } = gathered;
  const hasDeclaration = gathered.hasDeclaration ?? true;
  const wanted = [finding.anchor, ...finding.also].filter((ref) => !isClusterRef(ref)).length;
  const found = chosen.filter(({ isHit }) => isHit).length;
  const names = Object.keys(session?.agents ?? {}).map((name) => name.toLowerCase());
  const isDeclared = finding.agent === null || names.includes(finding.agent.toLowerCase());
  return [
    ...(entries.length > 0 && found < wanted
      ? [`${wanted - found} of ${wanted} log lines of the failure were not found when they were read again.`]
      : []),
    ...(session === null && hasDeclaration
      ? ['The record of the session is gone, so its declared configuration is not shown.']
      : []),
    ...(session !== null && !isDeclared ? [`The session declares no agent ${finding.agent}.`] : []),
  ];
}

async function toGaps(gaps: readonly string[], redactor: Redactor): Promise<readonly string[]> {
  const shown = gaps.slice(0, MAX_GAPS);
  const clean = await Promise.all(shown.map(async (gap) => toPieceText(await redactor.redact(gap), MAX_GAP_TEXT)));
  return gaps.length > shown.length ? [...clean, `${gaps.length - shown.length} further gaps are not listed.`] : clean;
}
