import '#test/support/quiet.ts';

import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { aLambdaContext, anApiEvent } from '#test/support/builders/lambda.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

let server: TestTables;
let tokens: TokenStore;
let handler: typeof import('../../functions/authorize.ts').handler;

beforeAll(async () => {
  server = await startTestTables();
  process.env.TOKENS_TABLE = server.tables.Tokens;
  ({ handler } = await import('../../functions/authorize.ts'));
  tokens = tokenStore({ client: toDocumentClient(), table: server.tables.Tokens }, systemRandom);
});
function ask(header: string | undefined, name = 'authorization') {
  const { headers, ...event } = anApiEvent('GET /api/v1/sessions');
  const request = {
    ...event,
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:eu-central-1:000000000000:api/$default/GET/api/v1/sessions',
    identitySource: header === undefined ? [] : [header],
    headers: { ...headers, ...(header !== undefined && { [name]: header }) },
  } as unknown as APIGatewayRequestAuthorizerEventV2;
  return handler(request, aLambdaContext());
}

const refused = { isAuthorized: false, context: {} };

describe('authorize', () => {
  it.each(['authorization', 'Authorization'])('lets a caller with a token in (%s)', async (name) => {
    const { id, token } = await tokens.create({ name: 'mcp', now: Date.now() });
    expect(await ask(`Bearer ${token}`, name)).toEqual({
      isAuthorized: true,
      context: { token_id: id, token_name: 'mcp' },
    });
  });

  it('lets nobody in with a revoked, expired, altered or unknown token', async () => {
    const revoked = await tokens.create({ name: 'mcp', now: Date.now() });
    await tokens.revoke(revoked.id, Date.now());
    const expired = await tokens.create({ name: 'mcp', now: 0, expiresAt: Date.now() - 1 });
    const live = await tokens.create({ name: 'mcp', now: Date.now() });
    const altered = live.token.slice(0, -1) + (live.token.endsWith('0') ? '1' : '0');
    const unknown = `hlr_${'0'.repeat(16)}_${'0'.repeat(64)}`;
    for (const token of [revoked.token, expired.token, altered, unknown])
      expect(await ask(`Bearer ${token}`)).toEqual(refused);
  });
});

describe('without a table that answers', () => {
  beforeAll(() => server.stop());

  it('refuses what is no token without asking the table', async () => {
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Basic dXNlcjpwYXNz',
      'Bearer eyJhbGciOiJub25lIn0.e30.',
      `Bearer ${'x'.repeat(9000)}`,
    ])
      expect(await ask(header)).toEqual(refused);
  });

  it('lets nobody in when the table does not answer', async () => {
    await expect(ask(`Bearer hlr_${'0'.repeat(16)}_${'0'.repeat(64)}`)).rejects.toThrow(/DynamoDB/);
  });
});
