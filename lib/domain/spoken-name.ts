/**
 * What an error may repeat of a name that a caller sent: one like a workflow's or an agent's. Twenty letters and digits in
 * a row may be a credential that stands in the wrong place, and are not said.
 */
const PLAIN = /^(?!.*[A-Za-z0-9]{20})[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Whether an error may repeat the name. */
export const isSpeakable = (name: string): boolean => PLAIN.test(name);

/** For the middle of a sentence: `session play-7f3a`, or `session with this id`. */
export const toSpoken = (what: string, name: string): string =>
  isSpeakable(name) ? `${what} ${name}` : `${what} with this id`;
