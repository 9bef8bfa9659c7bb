import { describe, expect, it } from 'vitest';
import { packageService } from '#test/support/template/package-service.ts';
import { OPEN_ROUTES } from '#test/support/template/rules/functions.ts';
import { findViolations } from '#test/support/template/rules.ts';
import { ofType, property } from '#test/support/template/template.ts';
import { validationErrors } from '#test/support/template/validate.ts';

const issuer = { jwtIssuer: 'https://idp.example.com/realms/acme', jwtAudience: 'healer' };

/** Route keys of a template by the type of their authorization. */
async function packaged(params: Readonly<Record<string, string>>) {
  const { template } = await packageService(params);
  const routes = ofType(template, 'AWS::ApiGatewayV2::Route').map(([, route]) => ({
    key: String(property(route, 'RouteKey')),
    type: property(route, 'AuthorizationType') ?? 'NONE',
  }));
  const [authorizer] = ofType(template, 'AWS::ApiGatewayV2::Authorizer').map(([, { Properties }]) => Properties);
  return { template, routes, authorizer };
}

/** Each mode is packaged anew when the sources have changed. */
const PACKAGING_MS = 180_000;

describe('the packaged service', { timeout: PACKAGING_MS }, () => {
  it.each([
    [
      'token',
      { apiAuthorization: 'token' },
      'CUSTOM',
      { AuthorizerType: 'REQUEST', AuthorizerResultTtlInSeconds: 300 },
    ],
    [
      'jwt',
      { apiAuthorization: 'jwt', ...issuer },
      'JWT',
      { AuthorizerType: 'JWT', JwtConfiguration: { Issuer: issuer.jwtIssuer, Audience: [issuer.jwtAudience] } },
    ],
    ['iam', { apiAuthorization: 'iam' }, 'AWS_IAM', undefined],
  ])(
    'with apiAuthorization=%s keeps the rules and leaves open what is listed',
    async (_mode, params, type, expected) => {
      const { template, routes, authorizer } = await packaged(params);
      expect(await findViolations(template)).toEqual([]);
      expect(validationErrors(template)).toEqual([]);
      const open = routes.filter((route) => route.type === 'NONE').map(({ key }) => key);
      expect(open.filter((key) => !OPEN_ROUTES.includes(key))).toEqual([]);
      expect(routes.filter(({ key }) => !OPEN_ROUTES.includes(key)).every((route) => route.type === type)).toBe(true);
      expect(routes.length).toBeGreaterThan(open.length);
      if (expected === undefined) expect(authorizer).toBeUndefined();
      else expect(authorizer).toMatchObject(expected);
    },
  );

  it.each([
    ['an unknown value', { apiAuthorization: 'nobody' }, 'custom.callers'],
    ['no value', { apiAuthorization: '' }, 'custom.callers'],
    ['no issuer', { apiAuthorization: 'jwt', jwtAudience: 'healer' }, 'authorizers.token'],
    ['no audience', { apiAuthorization: 'jwt', jwtIssuer: issuer.jwtIssuer }, 'authorizers.token'],
  ])('does not come about with %s', async (_case, params, named) => {
    await expect(packageService(params)).rejects.toThrow(named);
  });
});
