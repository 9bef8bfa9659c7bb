import { type Millis, toIso } from '../time.ts';
import type { OtherPiece } from './build-pack.ts';
import type { ForgeNote, ForgePull } from './forge.ts';

/** A pull request with what is known of it. */
export interface ToldPull {
  readonly pull: ForgePull;
  readonly notes: readonly ForgeNote[];
}

const MAX_NOTES = 12;
const RED = /fail|error|timed_out|cancelled|action_required|changes_requested/i;

/**
 * One piece a pull request, then its checks and what people said, what is red and what is near the failure first.
 * @param at moment of the failure
 */
export function toForgePieces(told: readonly ToldPull[], at: Millis): readonly OtherPiece[] {
  return told.flatMap(({ pull, notes }, rank) => [
    toPiece(pull.updatedAt, describePull(pull), 1 + rank),
    ...byWeight(notes, at)
      .slice(0, MAX_NOTES)
      .map((note, order) => toPiece(note.at, describeNote(pull, note), 2 + rank + order)),
  ]);
}

const toPiece = (at: Millis | null, text: string, distance: number): OtherPiece => ({
  kind: 'github',
  role: 'context',
  at: at === null ? null : toIso(at),
  agent: null,
  pod: null,
  text,
  distance,
});

const byWeight = (notes: readonly ForgeNote[], at: Millis): readonly ForgeNote[] =>
  notes.toSorted((a, b) => Number(isRed(b)) - Number(isRed(a)) || distance(a, at) - distance(b, at));

const isRed = ({ state }: ForgeNote): boolean => RED.test(state);
const distance = (note: ForgeNote, at: Millis): number =>
  note.at === null ? Number.MAX_SAFE_INTEGER : Math.abs(note.at - at);

const short = (sha: string): string => sha.slice(0, 7);

const describePull = ({ number, title, author, state, branch, head }: ForgePull): string =>
  `pull request #${number} "${title}" by ${author}, ${state}, branch ${branch} at ${short(head)}`;

function describeNote(pull: ForgePull, { kind, author, name, state, text }: ForgeNote): string {
  const of = `of pull request #${pull.number}`;
  const said = text.trim() === '' ? '' : `: ${text}`;
  if (kind === 'comment') return `comment on pull request #${pull.number} by ${author}${said}`;
  if (kind === 'review') return `review ${of} by ${author}, ${state}${said}`;
  return `${kind} ${name} ${of} at ${short(pull.head)} by ${author}, ${state}${said}`;
}
