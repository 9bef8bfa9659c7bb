import { describe, expect, it } from 'vitest';
import { readGuard } from '#lib/adapters/github/read-guard.ts';
import { GuardError } from '#lib/domain/errors.ts';

const ask = (method: string, path: string, target = 'acme/shop') =>
  readGuard(target, { method, path, body: undefined });

describe('readGuard', () => {
  it.each(['/repos/acme/shop', '/repos/acme/shop/pulls', '/repos/acme/shop/commits/0a1b/check-runs'])(
    'lets GET %s pass',
    (path) => expect(() => ask('GET', path)).not.toThrow(),
  );

  it.each([
    ['POST', '/repos/acme/shop/issues'],
    ['PATCH', '/repos/acme/shop'],
    ['DELETE', '/repos/acme/shop/git/refs/heads/main'],
    ['PUT', '/repos/acme/shop/pulls/1/merge'],
    ['get', '/repos/acme/shop'],
    ['GET', '/repos/acme/shopping'],
    ['GET', '/repos/acme/other/pulls'],
    ['GET', '/repos/acme/shop/../other/pulls'],
    ['GET', '/repos/acme/shop/%2e%2e/other'],
    ['GET', '/repos/acme/shop/%252e%252e/other'],
    ['GET', '/repos/acme/shop/pulls?x'],
    ['GET', '/repos/acme/shop/%ff'],
    ['GET', '/user'],
    ['POST', '/graphql'],
  ])('refuses %s %s', (method, path) => expect(() => ask(method, path)).toThrow(GuardError));

  it('refuses a target that is no repository', () => {
    expect(() => ask('GET', '/repos/acme/shop/x', 'acme/shop/x')).toThrow(GuardError);
  });
});
