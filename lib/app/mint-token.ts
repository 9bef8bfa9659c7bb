import { GuardError } from '#lib/domain/errors.ts';
import { type AllowList, ensureAllowed } from '#lib/domain/session/allow-list.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { AppTokens, PermissionSet, RepositoryToken } from './ports.ts';

type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/**
 * What each alias of the broker may hand out. Never `workflows`: without it GitHub itself refuses changes below
 * `.github/workflows`.
 */
export const PERMISSIONS: Readonly<Record<PermissionSet, Permissions>> = {
  read: {
    contents: 'read',
    issues: 'read',
    pull_requests: 'read',
    checks: 'read',
    statuses: 'read',
    actions: 'read',
    metadata: 'read',
  },
  write: {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
    checks: 'read',
    statuses: 'read',
    metadata: 'read',
  },
};

/**
 * Takes the permission set from the alias of an `invokedFunctionArn`
 * (`arn:aws:lambda:<region>:<account>:function:<name>:<alias>`): which alias a caller may invoke is its IAM role's
 * business, so a payload has no say.
 * @throws GuardError when the function was called without an alias or by one that grants nothing
 */
export function toPermissionSet(invokedFunctionArn: string): PermissionSet {
  const alias = invokedFunctionArn.split(':')[7];
  if (alias === 'read' || alias === 'write') return alias;
  throw new GuardError('permission set', 'the token broker answers its aliases "read" and "write" only');
}

/**
 * Mints a token for one repository.
 * @throws InputError when `target` is no repository, ForbiddenError when the deployment does not watch it, SourceError
 * when GitHub refuses
 */
export function mintToken(deps: { allowed: AllowList; app: AppTokens }) {
  return async (target: string, permissionSet: PermissionSet): Promise<RepositoryToken> => {
    ensureAllowed(target, deps.allowed);
    return deps.app.mint(toRepositoryName(target), PERMISSIONS[permissionSet]);
  };
}
