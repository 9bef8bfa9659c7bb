import { encodePack, MAX_PACK_BYTES } from './encode-pack.ts';
import type { EvidencePack, EvidencePiece } from './evidence-pack.ts';
import { MAX_PIECE_TEXT, toPieceText } from './piece-text.ts';

/** A piece before its id and its final text are known. */
export interface RankedPiece {
  readonly piece: Omit<EvidencePiece, 'id' | 'text'>;
  /** Redacted, of any length. */
  readonly text: string;
  /** Words around which a long text is cut. */
  readonly focus: readonly string[];
  /** How far from the failure; the furthest context is dropped first. */
  readonly distance: number;
  /** Position among the pieces of its kind. */
  readonly order: number;
}

/** Lengths of text that are tried, in characters, once no context is left. */
const SHORTER = [1000, 500, 250];

/**
 * The pack with as many pieces as fit into 64 KB when encoded: context is dropped from the furthest on, then all texts are
 * shortened. Hits and declared configuration always stay.
 */
export function fitPack(pack: EvidencePack, ranked: readonly RankedPiece[]): EvidencePack {
  const kept = ranked.filter(({ piece }) => piece.role !== 'context');
  const context = ranked
    .filter(({ piece }) => piece.role === 'context')
    .toSorted((a, b) => a.distance - b.distance || a.order - b.order);
  const withContext = (count: number): EvidencePack =>
    assemble(pack, [...kept, ...context.slice(0, count)], context.length - count, MAX_PIECE_TEXT);
  if (fits(withContext(0))) return withContext(largest(context.length, (count) => fits(withContext(count))));
  const shorter = SHORTER.map((limit) => assemble(pack, kept, context.length, limit));
  return shorter.find(fits) ?? (shorter.at(-1) as EvidencePack);
}

const fits = (pack: EvidencePack): boolean => encodePack(pack).length <= MAX_PACK_BYTES;

/** The largest count up to `most` that passes; zero is known to pass. */
function largest(most: number, passes: (count: number) => boolean): number {
  if (passes(most)) return most;
  let low = 0;
  let high = most;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function assemble(pack: EvidencePack, ranked: readonly RankedPiece[], leftOut: number, limit: number): EvidencePack {
  const lines = leftOut === 1 ? '1 piece of evidence was' : `${leftOut} pieces of evidence were`;
  const gap = `${lines} left out, the furthest from the failure, to keep the evidence within 64 KB.`;
  const gaps = leftOut === 0 ? pack.gaps : [...pack.gaps, gap];
  const pieces = LETTERS.flatMap(([kind, letter]) => number(ranked, kind, letter, limit));
  return { ...pack, gaps, pieces };
}

const LETTERS = [
  ['log', 'L'],
  ['kubernetes', 'K'],
  ['github', 'G'],
  ['config', 'C'],
] as const;

const number = (
  ranked: readonly RankedPiece[],
  kind: EvidencePiece['kind'],
  letter: string,
  limit: number,
): readonly EvidencePiece[] =>
  ranked
    .filter(({ piece }) => piece.kind === kind)
    .toSorted((a, b) => a.order - b.order)
    .map(({ piece, text, focus }, i) => ({ ...piece, id: `${letter}${i + 1}`, text: toPieceText(text, limit, focus) }));
