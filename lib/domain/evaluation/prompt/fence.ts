import { digest } from '../../model/digest.ts';

const DIGITS = 32;

/**
 * A word that the data does not hold. It is the data's own hash, so whoever writes the data cannot write it in: that would
 * change the hash.
 */
export function toFenceWord(data: string): string {
  for (let turn = 0; ; turn += 1) {
    const word = `evidence-${digest(`${turn}\n${data}`).slice(0, DIGITS)}`;
    if (!data.includes(word)) return word;
  }
}

/** The data between its two fence lines. `lines` hold no line ends. */
export function toFenced(lines: readonly string[]): string {
  const data = lines.join('\n');
  const word = toFenceWord(data);
  return `BEGIN ${word}\n${data}\nEND ${word}`;
}
