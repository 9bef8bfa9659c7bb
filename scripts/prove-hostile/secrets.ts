import { broken, CANARIES, FORMS, SEPARATORS } from '#test/domain/redaction/canaries.ts';

/** Invented secrets in the forms in which they show up, and broken by whatever stands inside a word without being seen. */
export const PLANTED: readonly string[] = CANARIES.flatMap((canary) => [
  ...Object.values(FORMS).map((form) => form(canary).text),
  ...Object.values(SEPARATORS).map((separator) => broken(canary, separator, [0.5])),
]);
