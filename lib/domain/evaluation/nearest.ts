/** Names longer than this are not compared: no tool is called so, and the work grows with the product of the lengths. */
const MAX_NAME = 128;

/** Number of insertions, deletions, replacements and swaps of neighbours between two names (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      line.push(cheapest(a, b, row, column, line, last, beforeLast));
    }
    beforeLast = last;
    last = line;
  }
  return last[b.length] ?? 0;
}

function cheapest(
  a: string,
  b: string,
  row: number,
  column: number,
  line: readonly number[],
  last: readonly number[],
  beforeLast: readonly number[],
): number {
  const at = (values: readonly number[], index: number): number => values[index] ?? Number.POSITIVE_INFINITY;
  const cost = a[row - 1] === b[column - 1] ? 0 : 1;
  const best = Math.min(at(last, column) + 1, at(line, column - 1) + 1, at(last, column - 1) + cost);
  const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return isSwap ? Math.min(best, at(beforeLast, column - 2) + 1) : best;
}

/**
 * The candidate that a person most likely meant by `name`: at most two edits, or a quarter of the name's length. A prefix
 * that a CLI puts before a tool (`mcp__server__`, `server___`) does not count. Undefined when none is near, when two are
 * equally near, and when the name itself is among the candidates.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = bareName(name);
  const bare = [...new Set(candidates.map(bareName))].filter((candidate) => candidate.length <= MAX_NAME);
  if (wanted.length > MAX_NAME || bare.includes(wanted)) return undefined;
  const limit = Math.max(2, Math.floor(wanted.length / 4));
  const ranked = bare
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate) }))
    .filter(({ candidate, distance }) => distance <= limit && distance < candidate.length / 2)
    .sort((one, other) => one.distance - other.distance);
  const [first, second] = ranked;
  return first !== undefined && first.distance !== second?.distance ? first.candidate : undefined;
}

/** The tool's own name, without the prefix of a CLI: `mcp__tools__create_branch` is `create_branch`. */
const bareName = (name: string): string => name.replace(/^mcp__.+?__/, '').replace(/^[\w-]+___/, '');
