/** The longest run of a secret that may stay readable: too short to be of use. */
const HARMLESS_RUN = 7;

/** The text and whatever its base64 runs say at any beginning. */
export const saidBy = (text: string): string =>
  [
    text,
    ...[...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
      [0, 1, 2, 3].map((shift) => Buffer.from(run.slice(shift), 'base64').toString('latin1')),
    ),
  ].join('\n');

const runsOf = (secret: string): readonly string[] =>
  secret.length <= HARMLESS_RUN
    ? [secret]
    : Array.from({ length: secret.length - HARMLESS_RUN }, (_, i) => secret.slice(i, i + HARMLESS_RUN + 1));

/** Whether a text, or base64 in it, shows more than a harmless run of a secret. */
export const leaks = (clean: string, secret: string): boolean => {
  const said = saidBy(clean);
  return runsOf(secret).some((run) => said.includes(run));
};
