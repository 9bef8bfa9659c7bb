import { ConfigError } from '../errors.ts';

/** The longest name that AWS limits is a function's: 64 characters, of which `healer-` and the function take up to 30. */
const STAGE = /^[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$/;

/** What a stage may be called, and what to write. */
const STAGE_ADVICE =
  'The stage must have 1 to 30 characters: lower-case letters, digits and hyphens, a letter first, no hyphen at the ' +
  'end. Write --stage prod.';

export const isStage = (text: string): boolean => STAGE.test(text);

/** @throws ConfigError for a name that cannot be a stage; it is not repeated. */
export function toStage(text: string): string {
  if (isStage(text)) return text;
  throw new ConfigError(STAGE_ADVICE);
}

/** Name of the file in which a stage's configuration stands. */
export const fileOf = (stage: string): string => `healer.${stage}.yml`;
