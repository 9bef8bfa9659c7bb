import { InputError } from '#lib/domain/errors.ts';

/**
 * A cursor names the last entry of a page by its sort key, so it stays right while entries are added or removed. Callers
 * see an opaque text.
 */
export const toCursor = (sortKey: string): string =>
  Buffer.from(JSON.stringify({ after: sortKey })).toString('base64url');

/**
 * The sort key that a cursor holds.
 *
 * @param form what a sort key of that list looks like; a cursor with another key was not made by this list.
 * @throws InputError when the text is no cursor.
 */
export function parseCursor(cursor: string, form: RegExp): string {
  const after = decode(cursor);
  if (typeof after === 'string' && form.test(after)) return after;
  const message = 'must be the next_cursor of the page before, unchanged; leave it out for the first page';
  throw new InputError(`The cursor ${message}.`, [{ path: 'cursor', message }]);
}

function decode(cursor: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return typeof value === 'object' && value !== null && 'after' in value ? value.after : undefined;
  } catch {
    return undefined;
  }
}
