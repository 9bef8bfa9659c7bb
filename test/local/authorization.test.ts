import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type CryptoKey, exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { cli } from '#test/support/cli.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';
import { startService } from '#test/support/service-stack.ts';

/** Routes that answer without authorisation. */
const HEALTH = '/health';
const LIST = '/api/v1/sessions';

const ask = (stack: LocalStack, headers: Record<string, string> = {}, path = LIST) =>
  fetch(`${stack.url}${path}`, { headers });

async function answerTo(stack: LocalStack, authorization: string | undefined) {
  const response = await ask(stack, authorization === undefined ? {} : { authorization });
  return { status: response.status, body: await response.json() };
}

const UNAUTHORIZED = { status: 401, body: { message: 'Unauthorized' } };
const FORBIDDEN = { status: 403, body: { message: 'Forbidden' } };

/** The service is packaged anew when the sources have changed. */
const PACKAGING_MS = 180_000;

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('bearer tokens', () => {
  let stack: LocalStack;
  let store: ReturnType<typeof tokenStore>;
  beforeAll(async () => {
    stack = await startService();
    const { endpoint, region, credentials } = stack;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
    store = tokenStore({ client, table: stack.ref('TokensTable') }, systemRandom);
  }, PACKAGING_MS);
  afterAll(() => stack.stop());

  it('let a request in, and note when', async () => {
    const { id, token } = await store.create({ name: 'mcp', now: Date.now() });
    expect((await answerTo(stack, `Bearer ${token}`)).status).toBe(200);
    const used = (await store.find(id))?.lastUsedAt ?? 0;
    expect(used % 3_600_000).toBe(0);
    expect(Math.abs(Date.now() - used)).toBeLessThanOrEqual(3_600_000);
  });

  it('are those of healer token --local', async () => {
    const made = await cli(['token', 'create', '--local'], { HEALER_URL: stack.url });
    expect((await answerTo(stack, `Bearer ${made.stdout.trim()}`)).status).toBe(200);
  });

  it('are refused once revoked, when the cached answer is five minutes old', async () => {
    const { id, token } = await store.create({ name: 'mcp', now: Date.now() });
    expect((await answerTo(stack, `Bearer ${token}`)).status).toBe(200);
    await store.revoke(id, Date.now());
    await stack.advance(300_001);
    expect(await answerTo(stack, `Bearer ${token}`)).toEqual(FORBIDDEN);
  });

  it.each([
    ['no header', undefined, UNAUTHORIZED],
    ['an unknown token', `Bearer hlr_${'0'.repeat(16)}_${'0'.repeat(64)}`, FORBIDDEN],
    ['another scheme', 'Basic aGVhbGVyOmhlYWxlcg==', FORBIDDEN],
    ['a JWT without a signature', `Bearer ${base64({ alg: 'none' })}.${base64({ sub: 'x' })}.`, FORBIDDEN],
    ['an oversized token', `Bearer ${'x'.repeat(30_000)}`, FORBIDDEN],
  ])('%s is refused', async (_case, authorization, refusal) => {
    expect(await answerTo(stack, authorization)).toEqual(refusal);
  });

  it('are refused in JSON even when no function could see them', async () => {
    const response = await ask(stack, { authorization: `Bearer ${'x'.repeat(100_000)}` });
    expect([response.status, await response.json()]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
  });

  it('are not asked for by the health route', async () => {
    expect((await ask(stack, {}, HEALTH)).status).toBe(200);
  });
});

describe('tokens of an issuer', () => {
  let stack: LocalStack;
  let issuer: HttpPeer;
  let keys: GenerateKeyPairResult;
  let others: GenerateKeyPairResult;
  beforeAll(async () => {
    keys = await generateKeyPair('RS256');
    others = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    issuer = await aHttpPeer((response, { path }) => {
      const isDiscovery = path === '/.well-known/openid-configuration';
      response.end(JSON.stringify(isDiscovery ? { jwks_uri: `${issuer.url}/keys` } : { keys: [jwk] }));
    });
    stack = await startService({
      configuration: {
        api: { authorization: 'jwt', jwt: { issuer: 'https://idp.example.com', audience: 'healer' } },
      },
      change({ Resources }) {
        const authorizer = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Authorizer');
        Object.assign(authorizer?.Properties['JwtConfiguration'] ?? {}, { Issuer: issuer.url });
      },
    });
  }, PACKAGING_MS);
  afterAll(async () => {
    await stack.stop();
    await issuer.stop();
  });

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  interface Forging {
    readonly claims?: JWTPayload;
    readonly header?: { alg?: string; kid?: string | undefined };
    readonly key?: CryptoKey | Uint8Array;
  }

  const aToken = ({ claims = {}, header = {}, key = keys.privateKey }: Forging = {}) =>
    new SignJWT({ iss: issuer.url, aud: 'healer', exp: inSeconds(600), sub: 'mcp', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(key);

  it.each<[string, () => Forging]>([
    ['for one audience', () => ({})],
    ['for several audiences', () => ({ claims: { aud: ['other', 'healer'] } })],
    ['that names its client in the place of an audience', () => ({ claims: { aud: undefined, client_id: 'healer' } })],
  ])('let a request in, with a token %s', async (_case, forging) => {
    expect((await answerTo(stack, `Bearer ${await aToken(forging())}`)).status).toBe(200);
  });

  it.each<[string, () => Forging]>([
    ['for another audience', () => ({ claims: { aud: 'billing' } })],
    ['for no audience', () => ({ claims: { aud: undefined } })],
    ['of another issuer', () => ({ claims: { iss: 'https://idp.example.com' } })],
    ['of an issuer that begins alike', () => ({ claims: { iss: `${issuer.url}.example.com` } })],
    ['that has expired', () => ({ claims: { exp: inSeconds(-1) } })],
    ['without an expiry', () => ({ claims: { exp: undefined } })],
    ['that is not valid yet', () => ({ claims: { nbf: inSeconds(60) } })],
    ['from the future', () => ({ claims: { iat: inSeconds(60) } })],
    ['signed with another key', () => ({ key: others.privateKey })],
    ['that names an unknown key', () => ({ header: { kid: 'two' } })],
    ['that names no key', () => ({ header: { kid: undefined } })],
    ['signed with a shared secret', () => ({ header: { alg: 'HS256' }, key: Buffer.alloc(32, 'x') })],
  ])('are refused: one %s', async (_case, forging) => {
    expect(await answerTo(stack, `Bearer ${await aToken(forging())}`)).toEqual(UNAUTHORIZED);
  });

  it.each<[string, (token: string) => string | undefined]>([
    ['no header', () => undefined],
    ['alg=none', (token) => `Bearer ${base64({ alg: 'none', kid: 'one' })}.${token.split('.')[1]}.`],
    [
      'alg=none that keeps the signature',
      (token) => `Bearer ${base64({ alg: 'none' })}${token.slice(token.indexOf('.'))}`,
    ],
    [
      'changed claims',
      (token) => {
        const [head, , signature] = token.split('.');
        return `Bearer ${head}.${base64({ iss: issuer.url, aud: 'healer', exp: inSeconds(600), sub: 'admin' })}.${signature}`;
      },
    ],
    ['a signature that is cut', (token) => `Bearer ${token.slice(0, -4)}`],
    ['no JWT', () => 'Bearer nonsense'],
    ['a token of Healer', () => `Bearer hlr_${'0'.repeat(16)}_${'0'.repeat(64)}`],
  ])('are refused: %s', async (_case, toHeader) => {
    expect(await answerTo(stack, toHeader(await aToken()))).toEqual(UNAUTHORIZED);
  });

  it('are refused when they are larger than what API Gateway takes', async () => {
    const token = await aToken({ claims: { padding: 'x'.repeat(11_000) } });
    expect(await answerTo(stack, `Bearer ${token}`)).toEqual(UNAUTHORIZED);
  });

  it('are not asked for by the health route', async () => {
    expect((await ask(stack, {}, HEALTH)).status).toBe(200);
  });
});

describe('signed requests', () => {
  let stack: LocalStack;
  beforeAll(async () => {
    stack = await startService({ configuration: { api: { authorization: 'iam' } } });
  }, PACKAGING_MS);
  afterAll(() => stack.stop());

  interface Signing {
    readonly path?: string;
    readonly body?: string;
    readonly region?: string;
    readonly service?: string;
    readonly secretAccessKey?: string;
    readonly at?: Date;
  }

  /** Headers that the AWS SDK's own signer makes. */
  async function sign(signing: Signing = {}): Promise<Record<string, string>> {
    const { path = LIST, body, region = stack.region, service = 'execute-api', at = new Date() } = signing;
    const credentials = {
      ...stack.credentials,
      ...(signing.secretAccessKey && { secretAccessKey: signing.secretAccessKey }),
    };
    const client = new DynamoDBClient({ region, credentials });
    const signer = await client.config.signer({
      name: 'sigv4',
      signingName: service,
      signingRegion: region,
      properties: {},
    });
    const { pathname, searchParams, host } = new URL(path, stack.url);
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: stack.port,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { host, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    };
    const signed = await signer.sign(request, { signingDate: at });
    const { host: _host, ...headers } = signed.headers;
    return headers;
  }

  it.each(['/api/v1/sessions', '/api/v1/sessions?limit=5&status=active', '/api/v1/incidents?limit=2'])(
    'let in to %s',
    async (path) => {
      expect((await ask(stack, await sign({ path }), path)).status).toBe(200);
    },
  );

  it('let in with a body, and not with another body', async () => {
    const path = '/api/v1/session/start';
    const body = JSON.stringify({ play_id: 'signed', repository: 'acme/widgets' });
    const headers = await sign({ path, body });
    const post = (body: string) => fetch(`${stack.url}${path}`, { method: 'POST', headers, body });
    expect((await post(body)).status).toBe(200);
    expect((await post(body.replace('signed', 'forged'))).status).toBe(403);
  });

  it.each<[string, Signing]>([
    ['another secret', { secretAccessKey: 'wrong' }],
    ['another service', { service: 'dynamodb' }],
    ['another region', { region: 'us-east-1' }],
    ['another path', { path: '/api/v1/incidents' }],
    ['a time long ago', { at: new Date(Date.now() - 3_600_000) }],
    ['a time to come', { at: new Date(Date.now() + 3_600_000) }],
  ])('are refused: signed with %s', async (_case, signing) => {
    const response = await ask(stack, await sign(signing));
    expect({ status: response.status, body: await response.json() }).toEqual(FORBIDDEN);
  });

  it.each([undefined, 'Bearer hlr_0_0', 'AWS4-HMAC-SHA256 Credential=x', `AWS4-HMAC-SHA256 ${'x'.repeat(30_000)}`])(
    'are refused without a signature (case %#)',
    async (authorization) => {
      expect(await answerTo(stack, authorization)).toEqual(FORBIDDEN);
    },
  );

  it('are not asked for by the health route', async () => {
    expect((await ask(stack, {}, HEALTH)).status).toBe(200);
  });
});
