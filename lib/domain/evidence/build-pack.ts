import type { Finding } from '../detection/finding.ts';
import { type Redactor, withMemory } from '../redaction/redactor.ts';
import { createSecretMemory } from '../redaction/secret-memory.ts';
import { type AttributedEntry, byMoment, type ChosenLine, chooseLines, toStreams } from './choose-lines.ts';
import { toDeclarations } from './declared-configuration.ts';
import type { EvidencePack, EvidencePiece } from './evidence-pack.ts';
import { toEvidenceTime } from './evidence-time.ts';
import { fitPack, type RankedPiece } from './fit-pack.ts';
import type { GatheredEvidence } from './gathered-evidence.ts';
import { missingLines, toGaps } from './pack-gaps.ts';
import { redactFinding } from './redact-finding.ts';

export type { AttributedEntry } from './choose-lines.ts';
export type { GatheredEvidence, OtherPiece } from './gathered-evidence.ts';

/** Lines of a stream that are read before and after a chosen one, for secrets that span lines. */
const MARGIN = 60;
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
  const memory = createSecretMemory(namesOf(gathered));
  const one = withMemory(redactor, memory);
  const pieces = [
    ...(await toLogPieces(entries, chosen, one)),
    ...(await toOtherPieces(gathered, one)),
    ...(await toConfigPieces(gathered, one)),
  ];
  const finding = await redactFinding(gathered.finding, one);
  const consequences = await Promise.all(followers.map((other) => redactFinding(other, one)));
  const { incidentId, playId, repository, namespace, occurrences, gatheredAt } = gathered;
  const gaps = await toGaps([...gathered.gaps, ...missingLines(gathered, chosen)], one);
  const focus = Object.values(finding.identity);
  return fitPack(
    {
      incidentId,
      playId,
      repository,
      namespace,
      finding,
      pieces: [],
      ...(consequences.length > 0 && { consequences }),
      gaps,
      occurrences,
      gatheredAt,
    },
    // What a later piece gave away may stand in part in an earlier one.
    memory.isEmpty()
      ? pieces.map((piece) => ({ ...piece, focus }))
      : await Promise.all(pieces.map(async (piece) => ({ ...piece, focus, text: await one.redact(piece.text) }))),
  );
}

/** Names that are shown as they are. */
const namesOf = ({ playId, repository, namespace, finding, entries }: GatheredEvidence): readonly string[] => [
  ...new Set([playId, repository, namespace, finding.pod, ...entries.flatMap(({ agent, pod }) => [agent ?? '', pod])]),
];

const byFirst = (a: Finding, b: Finding): number => (a.firstNs < b.firstNs ? -1 : a.firstNs > b.firstNs ? 1 : 0);

/** A piece whose words of interest are not known yet. */
type Unfocused = Omit<RankedPiece, 'focus'>;

const toOtherPieces = ({ others = [] }: GatheredEvidence, redactor: Redactor): Promise<Unfocused[]> =>
  Promise.all(
    others.map(async ({ text, distance, ...piece }, order) => ({
      piece,
      distance,
      order,
      text: await redactor.redact(text),
    })),
  );

async function toLogPieces(
  entries: readonly AttributedEntry[],
  chosen: readonly ChosenLine[],
  redactor: Redactor,
): Promise<readonly Unfocused[]> {
  const texts = await redactStreams(entries, chosen, redactor);
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
    return [{ piece, distance, order: index, text: texts.get(index) ?? '' }];
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
): Promise<readonly Unfocused[]> {
  const declarations = session === null ? [] : toDeclarations(session, finding);
  return Promise.all(
    declarations.map(async ({ agent, text }, order) => ({
      piece: { ...toPiece('config', 'declared'), at: null, agent, pod: null },
      distance: 0,
      order,
      text: await redactor.redact(text),
    })),
  );
}

const toPiece = (kind: EvidencePiece['kind'], role: EvidencePiece['role']) => ({ kind, role });
