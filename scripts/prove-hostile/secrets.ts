import { CANARIES, type Canary, FORMS } from '#test/domain/redaction/canaries.ts';

/** A secret in one of the forms in which it shows up, and what of it must not be seen. */
interface Planted {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Split by a character that nobody sees: whoever takes it out afterwards puts the secret together. */
const byZeroWidth = ({ text, secret }: Canary): Planted => {
  const middle = Math.ceil(secret.length / 2);
  const broken = `${secret.slice(0, middle)}\u200b${secret.slice(middle)}`;
  return { text: text.replace(secret, () => broken), parts: [secret] };
};

export const PLANTED: readonly Planted[] = CANARIES.flatMap((canary) => [
  ...Object.values(FORMS).map((form) => form(canary)),
  byZeroWidth(canary),
]);

/** Shorter parts of a secret occur by chance. */
const KEY = 10;
const partsByStart = Map.groupBy(
  new Set(PLANTED.flatMap(({ parts }) => parts).filter((part) => part.length >= KEY)),
  (part) => part.slice(0, KEY),
);

/** Whether a text holds one of the planted secrets, in one walk over it. */
export function holdsSecret(text: string): boolean {
  for (let at = 0; at + KEY <= text.length; at += 1) {
    const parts = partsByStart.get(text.slice(at, at + KEY));
    if (parts?.some((part) => text.startsWith(part, at)) === true) return true;
  }
  return false;
}
