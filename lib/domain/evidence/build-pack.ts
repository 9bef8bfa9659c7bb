import type { Finding } from '../detection/finding.ts';
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
  readonly finding: Finding;
  /** Entries of the play around the finding, of all agents, in any order. */
  readonly entries: readonly AttributedEntry[];
  /** What could not be read, each a sentence. */
  readonly gaps: readonly string[];
  readonly occurrences: EvidencePack['occurrences'];
  /** RFC 3339 UTC. */
  readonly gatheredAt: string;
}

/** Lines of a stream that are read before and after a chosen one, for secrets that span lines. */
const MARGIN = 60;
const MAX_GAPS = 20;
const MAX_GAP_TEXT = 500;

/**
 * Builds the pack: log lines `L1…` in order of time, declared configuration `C1…`, gaps; redacted, one line each, at most
 * 64 KB encoded. What is furthest from the failure is left out first, entries of the finding never.
 * @throws GuardError when redaction fails: then there is no evidence.
 */
export async function buildEvidencePack(gathered: GatheredEvidence, redactor: Redactor): Promise<EvidencePack> {
  const entries = byMoment(gathered.entries);
  const chosen = chooseLines(entries, gathered.finding);
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
      gaps: await toGaps(gaps, redactor),
      occurrences,
      gatheredAt,
    },
    [...(await toLogPieces(entries, chosen, finding, redactor)), ...(await toConfigPieces(gathered, redactor))],
  );
}

async function toLogPieces(
  entries: readonly AttributedEntry[],
  chosen: readonly ChosenLine[],
  finding: Finding,
  redactor: Redactor,
): Promise<readonly RankedPiece[]> {
  const texts = await redactStreams(entries, chosen, redactor);
  const focus = Object.values(finding.identity);
  return chosen.flatMap(({ index, isHit, distance }) => {
    const line = entries[index];
    if (line === undefined) return [];
    const piece = {
      ...toPiece('log', isHit ? 'hit' : 'context'),
      at: toEvidenceTime(line.entry.ns),
      agent: line.agent,
      pod: line.pod,
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
function missing({ session, finding, entries }: GatheredEvidence, chosen: readonly ChosenLine[]): readonly string[] {
  const wanted = 1 + finding.also.length;
  const found = chosen.filter(({ isHit }) => isHit).length;
  const names = Object.keys(session?.agents ?? {}).map((name) => name.toLowerCase());
  const isDeclared = finding.agent === null || names.includes(finding.agent.toLowerCase());
  return [
    ...(entries.length > 0 && found < wanted
      ? [`${wanted - found} of ${wanted} log lines of the failure were not found when they were read again.`]
      : []),
    ...(session === null ? ['The record of the session is gone, so its declared configuration is not shown.'] : []),
    ...(session !== null && !isDeclared ? [`The session declares no agent ${finding.agent}.`] : []),
  ];
}

async function toGaps(gaps: readonly string[], redactor: Redactor): Promise<readonly string[]> {
  const shown = gaps.slice(0, MAX_GAPS);
  const clean = await Promise.all(shown.map(async (gap) => toPieceText(await redactor.redact(gap), MAX_GAP_TEXT)));
  return gaps.length > shown.length ? [...clean, `${gaps.length - shown.length} further gaps are not listed.`] : clean;
}
