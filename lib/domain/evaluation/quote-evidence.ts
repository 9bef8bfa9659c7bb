import type { EvidencePack } from '../evidence/evidence-pack.ts';
import { quotedSpans } from '../publication/spans.ts';

/** Words in a row that nobody writes by chance. */
const RUN = 5;

/**
 * The sentence with backticks around stretches that stand word for word in a log line or another piece from outside: a
 * quotation is a quotation whether or not it was marked as one. So the citation check reads it, and a public issue leaves
 * it out. Declared configuration may be named freely.
 */
export function quoteEvidence(sentence: string, pack: EvidencePack): string {
  const known = runsOf(pack);
  return quotedSpans(sentence)
    .map(({ text, isCode }) => (isCode ? `\`${text}\`` : quoteRuns(text, known)))
    .join('');
}

function quoteRuns(text: string, known: ReadonlySet<string>): string {
  const words = text.split(' ');
  const quoted = words.map(() => false);
  for (const [start, run] of toRuns(words).entries()) {
    if (known.has(run)) quoted.fill(true, start, start + RUN);
  }
  return words
    .map((word, i) => `${quoted[i] && !quoted[i - 1] ? '`' : ''}${word}${quoted[i] && !quoted[i + 1] ? '`' : ''}`)
    .join(' ');
}

/** All stretches of {@link RUN} words; one with a backtick in it cannot be quoted and is left out. */
const toRuns = (words: readonly string[]): readonly string[] =>
  words.slice(RUN - 1).map((_, start) => {
    const run = words.slice(start, start + RUN);
    return run.every((word) => word !== '' && !word.includes('`')) ? run.join(' ') : '';
  });

/** Packs do not change, and each text of an answer asks. */
const RUNS = new WeakMap<EvidencePack, ReadonlySet<string>>();

function runsOf(pack: EvidencePack): ReadonlySet<string> {
  const known = RUNS.get(pack);
  if (known !== undefined) return known;
  const outside = pack.pieces.filter((piece) => piece.kind !== 'config');
  const runs = new Set(outside.flatMap((piece) => toRuns(piece.text.split(/\s+/))));
  runs.delete('');
  RUNS.set(pack, runs);
  return runs;
}
