import { toVisibleLine } from '#lib/domain/publication/safe-text.ts';
import type { CliIo } from '../command.ts';

/** Widths between which text is set; more than 100 columns are hard to read. */
const NARROWEST = 40;
const WIDEST = 100;
const DEFAULT_WIDTH = 80;

/** How the output looks: colours on a terminal only, and never with NO_COLOR (https://no-color.org). */
export interface Style {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
}

export function toStyle({ stdout, env }: Pick<CliIo, 'stdout' | 'env'>): Style {
  const hasColour = stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const paint = (code: number) => (text: string) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const width = Math.min(WIDEST, Math.max(NARROWEST, stdout.columns ?? DEFAULT_WIDTH));
  return { width, bold: paint(1), dim: paint(2), red: paint(31), yellow: paint(33), green: paint(32) };
}

/** Words set into lines of at most `width` characters; a longer word is cut, unless it has to stay whole to be pasted. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of toVisibleLine(text)
    .split(' ')
    .flatMap((part) => pieces(part, width))) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, width: number): readonly string[] {
  if (word.length <= width) return [word];
  const parts: string[] = [];
  for (let at = 0; at < word.length; at += width) parts.push(word.slice(at, at + width));
  return parts;
}

/** `1 line`, `1,204 lines` */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

const LABEL = 12;

/** `  cause     text`, further lines below the text. */
export function labelled(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL - 2)}${line}`);
}

/** Room for the text of {@link labelled}. */
export const roomOf = (style: Style): number => style.width - LABEL;
