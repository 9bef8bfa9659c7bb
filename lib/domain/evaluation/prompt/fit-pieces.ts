import type { EvidencePack, EvidencePiece } from '../../evidence/evidence-pack.ts';
import { toPieceText } from '../../evidence/piece-text.ts';
import { toSafeJson } from './escape.ts';

/** Characters of one piece that a model reads; a citation is checked against the whole piece. */
const MAX_TEXT = 1_000;

const RANK: Readonly<Record<EvidencePiece['role'], number>> = { hit: 0, declared: 1, context: 2 };

/**
 * The pieces as lines of at most `room` bytes together, in the order of the pack. Entries of the failure come first, then
 * what was declared, then what stood nearest to the failure.
 */
export function fitPieces(pack: EvidencePack, room: number): readonly string[] {
  const focus = Object.values(pack.finding.identity);
  const first = pack.pieces.findIndex((piece) => piece.role === 'hit');
  const ranked = pack.pieces
    .map((piece, index) => ({ piece, index, distance: Math.abs(index - first) }))
    .sort((a, b) => RANK[a.piece.role] - RANK[b.piece.role] || a.distance - b.distance);
  const chosen: { index: number; line: string }[] = [];
  let left = room;
  for (const { piece, index } of ranked) {
    const line = toLine(piece, focus);
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > left) continue;
    left -= bytes;
    chosen.push({ index, line });
  }
  return chosen.sort((a, b) => a.index - b.index).map(({ line }) => line);
}

const toLine = ({ id, kind, role, at, agent, pod, text }: EvidencePiece, focus: readonly string[]): string =>
  toSafeJson({ type: 'piece', id, kind, role, at, agent, pod, text: toPieceText(text, MAX_TEXT, focus) });
