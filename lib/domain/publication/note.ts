import { GuardError } from '../errors.ts';

/** A comment of Healer; `marker` is its last line, by which it is known again. */
export interface Note {
  readonly marker: string;
  readonly body: string;
}

/** GitHub takes 65,536 characters; comments of Healer are far shorter. */
const MAX_CHARS = 30_000;

/**
 * A comment of Markdown paragraphs that are safe already.
 * @param key tells notes of one incident apart, e.g. `resolved-1`
 * @throws GuardError when it is too long, or the key holds characters that do not belong there
 */
export function toNote(incident: { readonly id: string }, key: string, paragraphs: readonly string[]): Note {
  const marker = `Healer note \`${key}\` · incident \`${incident.id}\``;
  const body = [...paragraphs, '---', marker].join('\n\n');
  if (!/^[\w-]{1,60}$/.test(key) || !/^[\w-]{1,64}$/.test(incident.id))
    throw new GuardError('note', 'malformed marker');
  if (body.length > MAX_CHARS) throw new GuardError('note', 'it is longer than a comment of Healer may be');
  return { marker, body };
}
