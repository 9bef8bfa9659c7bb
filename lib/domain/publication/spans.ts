/** A stretch of a sentence: between a pair of backticks, or outside of any. */
export interface Span {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a sentence at pairs of backticks; a backtick without its pair belongs to the text around it. */
export function quotedSpans(sentence: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of sentence.matchAll(/`([^`]+)`/g)) {
    spans.push({ text: sentence.slice(from, match.index), isCode: false }, { text: match[1] ?? '', isCode: true });
    from = match.index + match[0].length;
  }
  spans.push({ text: sentence.slice(from), isCode: false });
  return spans.filter(({ text }) => text !== '');
}
