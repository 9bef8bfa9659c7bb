/** How much of everything an issue shows; a body that gets too long is rendered again with less. */
export interface Depth {
  /** Lines around the failure. */
  readonly context: number;
  /** Lines of the failure. */
  readonly hits: number;
  /** Characters of one line of evidence. */
  readonly width: number;
  /** Characters of one sentence, and of one command. */
  readonly prose: number;
  /** Entries of one list. */
  readonly items: number;
}

/** From the most to the least: context goes first, then the length of lines, then lines of the failure. */
export const DEPTHS: readonly Depth[] = [
  { context: 40, hits: 60, width: 1_000, prose: 2_000, items: 20 },
  { context: 15, hits: 60, width: 600, prose: 2_000, items: 20 },
  { context: 0, hits: 60, width: 600, prose: 2_000, items: 20 },
  { context: 0, hits: 20, width: 300, prose: 600, items: 12 },
  { context: 0, hits: 5, width: 200, prose: 300, items: 6 },
  { context: 0, hits: 0, width: 0, prose: 200, items: 3 },
];

/** `text (part, part)`: parts that are empty are left out, and so are the brackets when all are. */
export function toCited(text: string, parts: readonly string[]): string {
  const known = parts.filter((part) => part !== '');
  return known.length === 0 ? text : `${text} (${known.join(', ')})`;
}
