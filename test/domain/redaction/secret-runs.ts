import { CANARIES } from './canaries.ts';

/** So many letters and digits of a secret are known again; fewer occur by chance and are of no use. */
const RUN = 12;

/** Letters and digits alone: whatever is put between them counts for nothing. */
const bare = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

const kinds = new Map(
  CANARIES.flatMap(({ kind, secret }) => {
    const letters = bare(secret);
    return Array.from(
      { length: Math.max(0, letters.length - RUN + 1) },
      (_, i) => [letters.slice(i, i + RUN), kind] as const,
    );
  }),
);

/** What base64 in a text says, read at each of four beginnings. */
const packedIn = (text: string): readonly string[] =>
  [...text.matchAll(/[\w+/-]{16,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((shift) => Buffer.from(run.slice(shift), 'base64').toString('latin1')),
  );

/**
 * The planted secrets of which a text holds a part, by kind, whatever stands between its letters; each with the part.
 * Other code than the redactor's, so that neither forgets what the other does.
 */
export function findSecrets(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const said of [text, ...packedIn(text)].map(bare)) {
    for (let at = 0; at + RUN <= said.length; at += 1) {
      const run = said.slice(at, at + RUN);
      const kind = kinds.get(run);
      if (kind !== undefined && !found.has(kind)) found.set(kind, run);
    }
  }
  return found;
}
