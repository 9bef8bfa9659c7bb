/** Three characters of seven bits each. */
const TRIGRAMS = 2 ** 21;
/** For a shorter text, such as a title, the table takes longer to clear than the search. */
const SHORT = 4_000;

/**
 * Answers quickly whether a literal may occur in a text: by the trigrams that the text has, read once, then by search. A
 * hundred literals are searched for in every reading of a log, and hardly any occurs.
 */
export function toHintFilter(text: string): (hint: string) => boolean {
  if (text.length < SHORT) return (hint) => text.includes(hint);
  const seen = new Uint8Array(TRIGRAMS);
  let trigram = 0;
  for (let i = 0; i < text.length; i += 1) {
    trigram = nextTrigram(trigram, text, i);
    seen[trigram] = 1;
  }
  return (hint) => hasTrigrams(seen, hint) && text.includes(hint);
}

function hasTrigrams(seen: Uint8Array, hint: string): boolean {
  let trigram = 0;
  for (let i = 0; i < hint.length; i += 1) {
    trigram = nextTrigram(trigram, hint, i);
    if (i >= 2 && seen[trigram] === 0) return false;
  }
  return true;
}

/** Characters beyond ASCII share the numbers of others, which makes the answer a maybe, never a wrong no. */
const nextTrigram = (last: number, text: string, at: number): number =>
  ((last << 7) | (text.charCodeAt(at) & 0x7f)) & (TRIGRAMS - 1);
