import { describe, expect, it } from 'vitest';
import { mintToken, PERMISSIONS, toPermissionSet } from '#lib/app/mint-token.ts';
import type { AppTokens } from '#lib/app/ports.ts';
import { ForbiddenError, GuardError, InputError } from '#lib/domain/errors.ts';
import { parseAllowList } from '#lib/domain/session/allow-list.ts';

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:healer-prod-github-token';

/** An App that remembers what was asked of it. */
function anApp() {
  const asked: { target: string; permissions: object }[] = [];
  const app: AppTokens = {
    async mint(target, permissions) {
      asked.push({ target, permissions });
      return { token: 't', expiresAt: 1, installationId: '1', author: 'healer[bot]' };
    },
  };
  return { app, asked };
}

describe('permission set', () => {
  it.each([
    [`${ARN}:read`, 'read'],
    [`${ARN}:write`, 'write'],
  ])('of %s is %s', (arn, set) => {
    expect(toPermissionSet(arn)).toBe(set);
  });

  it.each([ARN, `${ARN}:`, `${ARN}:admin`, `${ARN}:$LATEST`, `${ARN}:3`, `${ARN}:READ`, 'write', '', ':write'])(
    'refuses %s',
    (arn) => {
      expect(() => toPermissionSet(arn)).toThrow(GuardError);
    },
  );

  it('never writes on reading, and never holds workflows', () => {
    expect(Object.values(PERMISSIONS.read)).not.toContain('write');
    expect(PERMISSIONS.write).toMatchObject({ checks: 'read', statuses: 'read' });
    expect(Object.keys({ ...PERMISSIONS.read, ...PERMISSIONS.write })).not.toContain('workflows');
  });
});

describe('mintToken', () => {
  it('asks for the permissions of the set, for the canonical name', async () => {
    const { app, asked } = anApp();
    const mint = mintToken({ allowed: parseAllowList('acme'), app });
    await mint('Acme/Shop', 'read');
    await mint('acme/shop', 'write');
    expect(asked).toEqual([
      { target: 'acme/shop', permissions: PERMISSIONS.read },
      { target: 'acme/shop', permissions: PERMISSIONS.write },
    ]);
  });

  it.each([
    ['evil/shop', 'acme', ForbiddenError],
    ['acme/shop', '', ForbiddenError],
    ['acme/shop/../other', 'acme', InputError],
    ['shop', 'acme', InputError],
  ] as const)('refuses %s when %j is allowed, before anything is asked', async (target, allowed, kind) => {
    const { app, asked } = anApp();
    await expect(mintToken({ allowed: parseAllowList(allowed), app })(target, 'write')).rejects.toThrow(kind);
    expect(asked).toEqual([]);
  });
});
