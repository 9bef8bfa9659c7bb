import { InputError } from '../errors.ts';

/** What GitHub allows: an owner of at most 39 characters, a name of at most 100. */
const OWNER = '[a-z0-9](?:[a-z0-9-]{0,38})';
const NAME = '[a-z0-9._-]{1,100}?';
const FORMS = [
  new RegExp(`^(${OWNER})/(${NAME})(?:\\.git)?$`, 'i'),
  new RegExp(`^(?:https?://)?(?:www\\.)?github\\.com/(${OWNER})/(${NAME})(?:\\.git)?/?$`, 'i'),
  new RegExp(`^(?:ssh://)?git@github\\.com[:/](${OWNER})/(${NAME})(?:\\.git)?/?$`, 'i'),
];

/** What a repository may look like, for messages. */
const REPOSITORY_FORMS =
  '"owner/name", "https://github.com/owner/name" or "git@github.com:owner/name.git", without credentials';

/**
 * The canonical `owner/name`, in lower case, since GitHub does not tell case apart. Two spellings of one repository are
 * equal in this form. A URL of another host, or one with credentials in it, is no repository.
 *
 * @throws InputError that says which forms are read; it does not repeat the text.
 */
export function toRepositoryName(repository: string): string {
  for (const form of FORMS) {
    const [, owner, name] = form.exec(repository.trim()) ?? [];
    if (owner && name && name !== '.' && name !== '..') return `${owner}/${name}`.toLowerCase();
  }
  const message = `must be ${REPOSITORY_FORMS}`;
  throw new InputError(`The repository ${message}.`, [{ path: 'repository', message }]);
}
