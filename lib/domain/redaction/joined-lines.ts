import { contentOf } from './line-content.ts';
import { continuationOf, mayContinue } from './secret-value.ts';
import { type Edit, editView, type TextView } from './text-view.ts';

/** A line of a view: where it begins and ends, and where its own words do. */
interface Line {
  readonly at: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Readings in which lines are one: all of them, and each with those that may go on with what it breaks off. The second holds
 * nothing that stands after such a word by chance, which would change what a value is.
 */
export function joinLines(view: TextView): readonly TextView[] {
  if (!view.text.includes('\n')) return [];
  const lines = toLines(view.text);
  const ends = lines.slice(0, -1).map(({ end }) => view.starts[end] ?? 0);
  const joins = view.joins === undefined ? ends : [...view.joins, ...ends].sort((a, b) => a - b);
  const joined = { ...view, joins };
  const continued = findContinued(view.text, lines);
  const all = editView(joined, seams(view.text, lines));
  return continued.includes(true) ? [all, editView(joined, stitches(view.text, lines, continued))] : [all];
}

function toLines(text: string): readonly Line[] {
  let at = 0;
  let before = '';
  return text.split('\n').map((line) => {
    const [start, to] = contentOf(line);
    const from = restBefore(line, start, before) ?? start;
    before = line;
    const here = { at, end: at + line.length, from: at + from, to: at + to };
    at += line.length + 1;
    return here;
  });
}

/** A name before a bar, as `docker compose` puts it before each line. */
const NAME_AND_BAR = /(?<![^\s])([\w./-]{8,63})\s{0,16}\|(?=\s)/;

/** Where the rest of a secret stands that only looks like such a name: a bar follows it, and the line before has none. */
function restBefore(line: string, start: number, before: string): number | undefined {
  const bar = line.indexOf('|');
  const named = bar >= 0 && bar < start ? NAME_AND_BAR.exec(line.slice(0, start)) : null;
  if (named === null) return undefined;
  const [, name = ''] = named;
  return continuationOf(name) > 0 && !before.includes(name) ? named.index : undefined;
}

/** One line of all: newlines, what stands before each later line's message, and trailing blanks go. */
function* seams(text: string, lines: readonly Line[]): Generator<Edit> {
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before !== undefined) yield { start: withoutContinuation(text, before), end: line.from, text: '' };
  }
}

/** End of a line's content, without the backslash that announces a continuation. */
const withoutContinuation = (text: string, { from, to }: Line): number =>
  to > from && text[to - 1] === '\\' ? Math.max(from, to - 1) : to;

/** Which lines go on with the word that ends the line before; a doubtful one does if the next one goes on with it. */
function findContinued(text: string, lines: readonly Line[]): readonly boolean[] {
  const continued = lines.map((_, i) => goesOn(text, lines, i));
  for (let i = lines.length - 2; i > 0; i -= 1) {
    const { from = 0, to = 0 } = lines[i] ?? {};
    if (continued[i + 1] === true && to - from <= LONGEST && mayContinue(text.slice(from, to))) continued[i] = true;
  }
  return continued;
}

/** Whether a line may go on with the word that ends the line before. */
function goesOn(text: string, lines: readonly Line[], i: number): boolean {
  const [before, line] = [lines[i - 1], lines[i]];
  if (before === undefined || line === undefined || before.to === before.from || line.to === line.from) return false;
  const start = line.from + (/["'`]/.test(text[line.from] ?? '') ? 1 : 0);
  return continuationOf(text.slice(start, Math.min(line.to, start + LONGEST))) > 0;
}

/** A longer word shares the fate of its beginning. */
const LONGEST = 256;

/** Each line with its continuations, one stretch a line; lines without go. */
function* stitches(text: string, lines: readonly Line[], continued: readonly boolean[]): Generator<Edit> {
  let kept = 0;
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before !== undefined && continued[i] === true) {
      yield { start: withoutContinuation(text, before), end: line.from, text: '' };
      kept = line.end;
    } else if (continued[i + 1] === true) {
      if (line.at > kept) yield { start: kept, end: line.at, text: '\n' };
      kept = line.end;
    }
  }
  if (kept < text.length) yield { start: kept, end: text.length, text: '\n' };
}
