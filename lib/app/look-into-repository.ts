import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { RemedyStep } from '#lib/domain/remediation/remedy-step.ts';
import type { RepositoryReader, Snapshot } from './ports.ts';

/** What all looks of one attempt may take together. */
const MAX_BYTES = 400_000;
/** What one look answers at most. */
const MAX_ANSWER = 24_000;
const MAX_LISTED = 300;
const MAX_HITS = 60;
/** Files that one search reads, smallest first. */
const MAX_SEARCHED = 60;
const MAX_SEARCHED_SIZE = 60_000;
const MAX_HIT = 200;

export interface Look {
  readonly type: 'files' | 'file' | 'lines' | 'refused';
  readonly path: string | null;
  readonly text: string;
}

/**
 * The read-only tools of the model over one commit: list, read, search. Everything is redacted; when the bytes of the
 * attempt are used up, nothing more is read.
 */
export function repositoryLooks(
  deps: { readonly reader: Pick<RepositoryReader, 'text'>; readonly redactor: Redactor },
  target: string,
  { files }: Snapshot,
) {
  let left = MAX_BYTES;

  /** Reads a file's text, from what is left of the bytes. */
  async function read(path: string): Promise<string | undefined> {
    const file = files.find((one) => one.path === path);
    if (file === undefined || file.size > left) return undefined;
    left -= file.size;
    return deps.reader.text(target, file);
  }

  const list = (folder: string | null): Look => {
    const prefix = folder === null || folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
    const below = files.map(({ path }) => path).filter((path) => path.startsWith(prefix));
    return { type: 'files', path: folder, text: below.slice(0, MAX_LISTED).join('\n') };
  };

  async function search(words: string): Promise<Look> {
    const small = files.filter(({ size }) => size <= MAX_SEARCHED_SIZE).toSorted((a, b) => a.size - b.size);
    const hits = small.map(({ path }) => path).filter((path) => path.includes(words));
    for (const { path } of small.slice(0, MAX_SEARCHED)) {
      const lines = ((await read(path)) ?? '').split('\n');
      hits.push(
        ...lines.flatMap((line, at) => (line.includes(words) ? [`${path}:${at + 1}: ${line.slice(0, MAX_HIT)}`] : [])),
      );
      if (hits.length >= MAX_HITS) break;
    }
    return { type: 'lines', path: null, text: hits.slice(0, MAX_HITS).join('\n') };
  }

  async function look({ action, path, text }: RemedyStep): Promise<Look> {
    if (action === 'list') return list(path);
    if (action === 'search' && text !== null && text.length >= 3) return search(text);
    const content = action === 'read' && path !== null ? await read(path) : undefined;
    const refused = {
      type: 'refused',
      path,
      text: 'There is no such text file, or too much was read already.',
    } as const;
    return content === undefined ? refused : { type: 'file', path, text: content };
  }

  return async (step: RemedyStep): Promise<Look> => {
    const found = await look(step);
    return { ...found, text: (await deps.redactor.redact(found.text)).slice(0, MAX_ANSWER) };
  };
}
