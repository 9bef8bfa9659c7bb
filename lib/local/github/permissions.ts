import * as z from 'zod';
import { type Answer, json } from './answer.ts';
import type { Backend } from './backend.ts';
import type { RepositoryRequest } from './rules.ts';

const Known = z.object({ permission: z.string(), role_name: z.string(), user: z.unknown() });
const User = z.looseObject({ login: z.string() });
const Repository = z.object({ private: z.boolean() });

/** GitHub answers with the four rights it had before it had roles; `role_name` tells the role. */
const LEGACY: Readonly<Record<string, string>> = {
  admin: 'admin',
  maintain: 'write',
  push: 'write',
  write: 'write',
  triage: 'read',
  pull: 'read',
  read: 'read',
};

/**
 * What a person may do, as GitHub words it: the emulator answers with names of collaborators' rights, and 404 for a person
 * who is no collaborator, where GitHub says `read` for a public repository and `none` for a private one.
 */
export async function answerPermission(
  backend: Backend,
  { method, repository, below }: RepositoryRequest,
): Promise<Answer | undefined> {
  const [, login] = /^\/collaborators\/([^/]+)\/permission$/.exec(below) ?? [];
  if (method !== 'GET' || login === undefined) return undefined;
  const { data } = await backend.asAdmin('GET', `/repos/${repository}${below}`);
  const known = Known.safeParse(data);
  if (known.success) return json(200, { ...known.data, permission: LEGACY[known.data.permission] ?? 'none' });
  const user = User.safeParse((await backend.asAdmin('GET', `/users/${login}`)).data);
  const facts = Repository.safeParse((await backend.asAdmin('GET', `/repos/${repository}`)).data);
  if (!user.success || !facts.success) return undefined;
  const permission = facts.data.private ? 'none' : 'read';
  return json(200, { permission, role_name: permission, user: user.data });
}
