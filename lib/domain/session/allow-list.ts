import { ForbiddenError, InputError } from '../errors.ts';
import { toRepositoryName } from './repository-name.ts';

/** Owners (`acme/*`) and repositories (`acme/widgets`), in lower case. An empty list allows nothing. */
export type AllowList = readonly string[];

/**
 * Reads a comma-separated list of `owner`, `owner/*` and `owner/name`.
 *
 * @throws InputError when an entry is none of these.
 */
export const parseAllowList = (text: string): AllowList =>
  text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .map(toPattern);

function toPattern(entry: string): string {
  const [, owner] = /^([a-z0-9][a-z0-9-]{0,38})(?:\/\*)?$/.exec(entry) ?? [];
  if (owner !== undefined) return `${owner}/*`;
  if (!/^[^/:@]+\/[^/:@]+$/.test(entry)) throw new InputError('an entry must be "owner", "owner/*" or "owner/name"');
  return toRepositoryName(entry);
}

/**
 * Fails closed: an empty list refuses every repository.
 *
 * @throws InputError when `repository` is no repository, ForbiddenError when the deployment does not watch it. The message
 * names the repository and the setting, never the list.
 */
export function ensureAllowed(repository: string, allowed: AllowList): void {
  const name = toRepositoryName(repository);
  const [owner] = name.split('/');
  if (allowed.includes(name) || allowed.includes(`${owner}/*`)) return;
  const reason = allowed.length === 0 ? 'its list of repositories is empty' : 'it is not in the list of repositories';
  throw new ForbiddenError(
    `This deployment does not watch ${name}: ${reason}. An operator adds "${name}" or "${owner}/*" to ` +
      'repositories.allowed in healer.<stage>.yml and deploys again (of `npm start`: to ALLOWED_REPOSITORIES, and starts it again).',
  );
}
