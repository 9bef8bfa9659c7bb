import { createHash } from 'node:crypto';
import type { FieldFault } from '../errors.ts';
import { isSpeakable } from '../spoken-name.ts';
import { toRepositoryName } from './repository-name.ts';
import type { SessionDeclaration } from './session.ts';

/** A conflict names at most this many differences. */
const MAX_DIFFERENCES = 20;

/**
 * Hash of what a declaration means: the order of keys and the spelling of the repository do not matter. Absent and null
 * fields are equal already, since a parsed declaration has no absent ones.
 *
 * @throws InputError when the repository is none.
 */
export const hashDeclaration = (declaration: SessionDeclaration): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(comparable(declaration))))
    .digest('hex');

/** What differs between two declarations, as paths of the start request; values, and keys that may be one, are not repeated. */
export const differences = (stored: SessionDeclaration, asked: SessionDeclaration): readonly FieldFault[] =>
  [...differingPaths(comparable(stored), comparable(asked), '')]
    .slice(0, MAX_DIFFERENCES)
    .map((path) => ({ path, message: 'differs from the active session' }));

/** In the words of the start request, so that paths are those that the caller knows. */
const comparable = ({ playId, repository, service, namespace, agents, tasks }: SessionDeclaration) => ({
  play_id: playId,
  repository: toRepositoryName(repository),
  service,
  namespace,
  cto_config: { agents },
  tasks: tasks.map(({ agentHint, ...task }) => ({ ...task, agent_hint: agentHint })),
});

type Json = null | string | number | boolean | readonly unknown[] | { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sorted(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value as Json;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function* differingPaths(stored: unknown, asked: unknown, path: string): Generator<string> {
  if (Array.isArray(stored) && Array.isArray(asked) && stored.length === asked.length) {
    for (const [index, item] of stored.entries()) yield* differingPaths(item, asked[index], `${path}[${index}]`);
  } else if (isRecord(stored) && isRecord(asked)) {
    const prefix = path === '' ? '' : `${path}.`;
    for (const key of new Set([...Object.keys(stored), ...Object.keys(asked)]))
      yield* differingPaths(own(stored, key), own(asked, key), `${prefix}${isSpeakable(key) ? key : '*'}`);
  } else if (stored !== asked) yield path;
}

/** A key such as `constructor` is a name like any other. */
const own = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
