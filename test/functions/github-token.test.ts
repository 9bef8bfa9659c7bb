import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aLambdaContext } from '#test/support/builders/lambda.ts';

const ALIAS = 'arn:aws:lambda:eu-central-1:000000000000:function:healer-test-github-token:read';
// Nothing listens there: GitHub and the Parameter Store are away.
const NOWHERE = 'http://127.0.0.1:9';

let written: string[];
let handler: (event: unknown, context: Context) => Promise<unknown>;
beforeEach(async () => {
  vi.stubEnv('SECRETS_PREFIX', '/healer/test');
  vi.stubEnv('ALLOWED_REPOSITORIES', 'acme/*');
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', NOWHERE);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  ({ handler } = await import('../../functions/github-token.ts'));
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it.each([
  ['a repository that is not watched', { target: 'other/repo' }, ALIAS, true],
  ['no alias', { target: 'acme/widgets' }, ALIAS.replace(':read', ''), true],
  ['a payload that names none', {}, ALIAS, true],
  ['a secret that cannot be read now', { target: 'acme/widgets' }, ALIAS, false],
])('the broker refuses %s, and counts a denial when it is one', async (_, event, invokedFunctionArn, isDenial) => {
  const answer = await handler(event, aLambdaContext({ invokedFunctionArn }));
  expect(answer).toMatchObject({ error: { retryable: !isDenial } });
  expect(written.join('')).toContain('token refused');
  expect(written.join('').includes('"BrokerDenied":1')).toBe(isDenial);
});
