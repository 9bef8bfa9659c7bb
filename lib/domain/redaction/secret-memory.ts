import type { RedactionRule, Sighting } from './rule.ts';
import { isTelling } from './secret-value.ts';

/** The shortest part of a secret that is known again. */
const SHORTEST = 8;
/** More parts than so many are not remembered: a text with more secrets is hostile, and each is still looked for. */
const MAX_PARTS = 400_000;
/** What parts of a secret never hold; names and values beside a secret are told apart by it. */
const BETWEEN = /[\s"'`;,=&<>|\0\u00bf]+/;
const MARKS = 2 ** 16;
const NO_MARKS = new Uint8Array(0);

/**
 * Remembers the secrets of texts that belong together, so that no part of one stays where it stands without what made it a
 * secret: on a line of its own, after a quote, in a summary. It lives as long as the work on these texts and is never
 * stored.
 */
export interface SecretMemory {
  /** Whether nothing secret was found so far. */
  readonly isEmpty: () => boolean;
  /** Takes note of a value that was found to be secret. */
  readonly note: (value: string) => void;
  /** Finds what consists of parts of noted values and tells so by itself. */
  readonly rule: RedactionRule;
}

/** @param names of the play, its pods and agents: they are no part of a secret, even if one was made of them */
export function createSecretMemory(names: readonly string[] = []): SecretMemory {
  const parts = new Set<string>();
  let marks = NO_MARKS;
  const open = new Set(names.flatMap(toParts));
  return {
    isEmpty: () => parts.size === 0,
    note: (value) => {
      if (marks === NO_MARKS) marks = new Uint8Array(MARKS);
      for (const word of value.split(BETWEEN)) {
        if (word.length < SHORTEST || parts.size + word.length > MAX_PARTS) continue;
        for (const part of toParts(word)) {
          if (open.has(part)) continue;
          parts.add(part);
          marks[markOf(part, 0)] = 1;
        }
      }
    },
    rule: {
      kind: 'fragment',
      shape: 'token',
      find: (text) => (parts.size === 0 ? [] : fragments(text, parts, marks)),
    },
  };
}

const toParts = (word: string): readonly string[] =>
  Array.from({ length: Math.max(0, word.length - SHORTEST + 1) }, (_, i) => word.slice(i, i + SHORTEST));

/** Of the first characters of a part: most of a text is passed over by it. */
const markOf = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 0x9e37) ^
    Math.imul(text.charCodeAt(at + 1), 0x85eb) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b3) ^
    Math.imul(text.charCodeAt(at + 3), 0x27d5)) &
  (MARKS - 1);

function* fragments(text: string, parts: ReadonlySet<string>, marks: Uint8Array): Generator<Sighting> {
  const isPart = (at: number): boolean => marks[markOf(text, at)] === 1 && parts.has(text.slice(at, at + SHORTEST));
  const last = text.length - SHORTEST;
  for (let at = 0; at <= last; at += 1) {
    if (!isPart(at)) continue;
    let next = at + 1;
    while (next <= last && isPart(next)) next += 1;
    const end = next - 1 + SHORTEST;
    if (isTelling(text.slice(at, end))) yield { from: at, start: at, end };
    at = next - 1;
  }
}
