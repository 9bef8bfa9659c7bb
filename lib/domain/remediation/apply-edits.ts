import { GuardError } from '../errors.ts';
import type { Edit } from './proposal.ts';

/** A file before and after a patch; `before` is null for a new one. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const refuse = (message: string): never => {
  throw new GuardError('edit', message);
};

/**
 * Applies edits in their order.
 * @param texts contents of the files that are edited; a path that is missing does not exist
 * @throws GuardError when a search text does not occur exactly once, a file to edit is missing, or a new one exists
 */
export function applyEdits(texts: ReadonlyMap<string, string>, edits: readonly Edit[]): readonly FileChange[] {
  const after = new Map<string, string>();
  for (const edit of edits) {
    const current = after.get(edit.path) ?? texts.get(edit.path);
    after.set(edit.path, edit.search === null ? create(edit, current) : replaceOnce(edit.search, edit, current));
  }
  const changes = [...after].map(([path, text]) => ({ path, before: texts.get(path) ?? null, after: text }));
  const idle = changes.find(({ before, after: text }) => before === text);
  return idle === undefined ? changes : refuse('an edit changes nothing');
}

const create = (edit: Edit, current: string | undefined): string =>
  current === undefined ? edit.replace : refuse('a file that is to be made exists');

function replaceOnce(search: string, edit: Edit, current: string | undefined): string {
  if (current === undefined) return refuse('a file that is to be edited does not exist');
  const at = current.indexOf(search);
  if (at === -1) return refuse('the search text does not occur in the file');
  if (current.includes(search, at + 1)) return refuse('the search text occurs more than once in the file');
  return `${current.slice(0, at)}${edit.replace}${current.slice(at + search.length)}`;
}

/** Lines that an edit takes out and puts in, without those that both share at their ends. */
export function changedLines({ search, replace }: Edit): number {
  const [before, after] = [search === null ? [] : search.split('\n'), replace.split('\n')];
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - same;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return before.length + after.length - 2 * (same + tail);
}
