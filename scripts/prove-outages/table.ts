import type { Row } from './job.ts';
import type { Leaves } from './runs.ts';

const COLUMNS: readonly (readonly [keyof Leaves, string])[] = [
  ['issues', 'issues'],
  ['closed', 'closed'],
  ['incidents', 'incidents'],
  ['occurrences', 'occurrences'],
  ['comments', 'comments'],
  ['branches', 'branches'],
  ['commits', 'commits'],
  ['pulls', 'pulls'],
];

/** Whether a run ended as an undisturbed one, and its worker died where one was to die. */
export const isRight = (row: Row): boolean =>
  !('failure' in row) && row.lost.length + row.twice.length === 0 && row.hasKilled !== false;

/**
 * The table of runs with what each left behind; below a run, what is wrong with it.
 * @param isTraced adds the history of each incident that is not as it should be
 */
export function toTable(rows: readonly Row[], isTraced: boolean): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const head = `    ${'run'.padEnd(width)}  ${COLUMNS.map(([, title]) => title).join('  ')}`;
  return [head, ...rows.flatMap((row) => [toLine(row, width), ...faultsOf(row, isTraced)])];
}

function toLine(row: Row, width: number): string {
  const counts = COLUMNS.map(([name, title]) =>
    ('failure' in row ? '-' : `${row.counts[name]}`).padStart(title.length),
  );
  return `${isRight(row) ? 'ok ' : 'NOT'} ${row.name.padEnd(width)}  ${counts.join('  ')}`;
}

function faultsOf(row: Row, isTraced: boolean): readonly string[] {
  if (isRight(row)) return [];
  if ('failure' in row) return [`      not finished: ${row.failure}`];
  return [
    ...row.lost.map((fault) => `      lost: ${fault}`),
    ...row.twice.map((fault) => `      twice: ${fault}`),
    ...(row.hasKilled === false ? ['      no worker came to this effect'] : []),
    ...(isTraced ? row.history.map((line) => `        ${line}`) : []),
  ];
}

/** The last line, e.g. `120 runs, lost 0, twice 0`. */
export function toSummary(rows: readonly Row[]): string {
  const finished = rows.flatMap((row) => ('failure' in row ? [] : [row]));
  const lost = finished.filter((row) => row.lost.length > 0).length;
  const twice = finished.filter((row) => row.twice.length > 0).length;
  const missed = finished.filter(({ hasKilled }) => hasKilled === false).length;
  const failed = rows.length - finished.length;
  return [
    `${rows.length} runs, lost ${lost}, twice ${twice}`,
    ...(missed > 0 ? [`never killed ${missed}`] : []),
    ...(failed > 0 ? [`not finished ${failed}`] : []),
  ].join(', ');
}
