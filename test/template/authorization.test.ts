import { describe, expect, it } from 'vitest';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { packageService } from '#test/support/template/package-service.ts';
import { OPEN_ROUTES } from '#test/support/template/rules/functions.ts';
import { findViolations } from '#test/support/template/rules.ts';
import { ofType, property } from '#test/support/template/template.ts';
import { validationErrors } from '#test/support/template/validate.ts';

const jwt = { issuer: 'https://idp.example.com/realms/acme', audience: 'healer' };

/** Route keys of a template by the type of their authorization. */
async function packaged(api: DeploymentInput['api']) {
  const { template } = await packageService({ api });
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
    ['token', { authorization: 'token' }, 'CUSTOM', { AuthorizerType: 'REQUEST', AuthorizerResultTtlInSeconds: 300 }],
    [
      'jwt',
      { authorization: 'jwt', jwt },
      'JWT',
      { AuthorizerType: 'JWT', JwtConfiguration: { Issuer: jwt.issuer, Audience: [jwt.audience] } },
    ],
    ['iam', { authorization: 'iam' }, 'AWS_IAM', undefined],
  ] as const)(
    'with authorization %s keeps the rules and leaves open what is listed',
    async (_mode, api, type, expected) => {
      const { template, routes, authorizer } = await packaged(api);
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
    ['an unknown value', { authorization: 'nobody' }, 'api.authorization must be one of token, jwt, iam'],
    ['no issuer', { authorization: 'jwt' }, 'api.jwt must be a block with issuer and audience'],
  ])('does not come about with %s', async (_case, api, fault) => {
    await expect(packageService({ api: api as DeploymentInput['api'] })).rejects.toThrow(fault);
  });
});
