import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_TOKEN, type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

let stack: Fixture;
beforeAll(async () => {
  stack = await startFixture();
});
afterAll(() => stack.stop());

const get = (path: string, headers: { [name: string]: string } = {}) => fetch(`${stack.url}${path}`, { headers });

interface Echo {
  readonly event: {
    readonly [field: string]: unknown;
    readonly headers: { readonly [name: string]: string };
    readonly requestContext: { readonly [field: string]: unknown };
  };
}

async function echo(path: string, init: RequestInit = {}): Promise<Echo['event']> {
  const response = await fetch(`${stack.url}${path}`, init);
  expect(response.status).toBe(200);
  return ((await response.json()) as Echo).event;
}

/** Sends a request whose Host header does not come from its URL. */
function withHost(host: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: stack.port, path, headers: { host } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

describe('routes', () => {
  it.each([
    ['GET', '/open', 'GET /open'],
    ['GET', '/echo/a%20b', 'GET /echo/{id}'],
    ['GET', '/echo/fixed', 'GET /echo/fixed'],
    ['PUT', '/echo/fixed', 'ANY /echo/{rest+}'],
    ['GET', '/echo/a/b', 'ANY /echo/{rest+}'],
  ])('%s %s takes the most specific route %s', async (method, path, routeKey) => {
    expect((await echo(path, { method }))['routeKey']).toBe(routeKey);
  });

  it.each([
    ['GET', '/nowhere'],
    ['OPTIONS', '/open'],
    ['POST', '/open'],
    ['GET', '/open/'],
  ])('%s %s is a 404 as API Gateway words it', async (method, path) => {
    const response = await fetch(`${stack.url}${path}`, { method });
    expect([response.status, await response.text()]).toEqual([404, '{"message":"Not Found"}']);
  });
});

describe('the event', () => {
  it('has paths, query, cookies and headers in format 2.0', async () => {
    const headers = { cookie: 'a=1; b=2', 'X-Mixed-Case': 'kept' };
    const event = await echo('/echo/a%2Fb?x=1&x=2&y=%20', { headers });
    expect(event).toMatchObject({
      version: '2.0',
      rawPath: '/echo/a%2Fb',
      rawQueryString: 'x=1&x=2&y=%20',
      cookies: ['a=1', 'b=2'],
      queryStringParameters: { x: '1,2', y: ' ' },
      pathParameters: { id: 'a/b' },
      isBase64Encoded: false,
    });
    expect(event.headers).toMatchObject({ 'x-mixed-case': 'kept', 'x-forwarded-proto': 'http' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.headers).not.toHaveProperty('connection');
  });

  it('tells method, moment and what the authorizer said', async () => {
    const { requestContext } = await echo('/echo/1');
    expect(requestContext).toMatchObject({
      http: { method: 'GET', path: '/echo/1', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
      stage: '$default',
      authorizer: { lambda: { holder: 'fixture' } },
      time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    });
  });

  it.each([
    ['application/json', '{"a":"ü"}', false],
    ['text/plain', 'ü', false],
    ['application/problem+json', '{}', false],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/octet-stream', 'ü', true],
  ])('carries a body of type %s', async (type, body, isBase64Encoded) => {
    const event = await echo('/echo', { method: 'POST', headers: { 'content-type': type }, body });
    const expected = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
    expect(event).toMatchObject({ body: expected, isBase64Encoded });
  });

  it('refuses more than 10 MB', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
    const response = await fetch(`${stack.url}/echo`, { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
  });
});

describe('the answer', () => {
  it.each([
    ['bare', 200, '{"plain":"object"}', 'application/json'],
    ['text', 200, 'plain text', 'application/json'],
    ['nothing', 200, 'null', 'application/json'],
    ['malformed', 500, '{"message":"Internal Server Error"}', 'application/json'],
    ['objectBody', 500, '{"message":"Internal Server Error"}', 'application/json'],
    ['throw', 500, '{"message":"Internal Server Error"}', 'application/json'],
    ['exit', 500, '{"message":"Internal Server Error"}', 'application/json'],
  ])('to a handler that says %s is %i', async (act, status, text, type) => {
    const body = JSON.stringify({ act });
    const response = await fetch(`${stack.url}/act`, { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-type')).toBe(type);
  });

  it('carries status, headers and cookies', async () => {
    const response = await fetch(`${stack.url}/act`, { method: 'POST', body: '{"act":"cookies"}' });
    expect([response.status, await response.text()]).toEqual([201, 'made']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-answer')).toBe('yes');
  });

  it('decodes a binary body', async () => {
    const response = await fetch(`${stack.url}/act`, { method: 'POST', body: '{"act":"binary"}' });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
  });
});

describe('the authorizer', () => {
  it.each([
    ['a right token', `Bearer ${FIXTURE_TOKEN}`, 200, undefined],
    ['a wrong token', 'Bearer wrong', 403, '{"message":"Forbidden"}'],
    ['an empty header', '', 401, '{"message":"Unauthorized"}'],
    ['an authorizer that throws', 'broken', 500, '{"message":"Internal Server Error"}'],
    ['an authorizer that answers nonsense', 'nonsense', 500, '{"message":"Internal Server Error"}'],
  ])('answers %s', async (_case, authorization, status, text) => {
    const response = await get('/echo/1', { authorization });
    expect(response.status).toBe(status);
    const answer = await response.text();
    if (text !== undefined) expect(answer).toBe(text);
  });

  it('is asked once for an identity until its answer expires by the movable clock', async () => {
    await get('/echo/1', { authorization: 'Bearer cached' });
    const before = await stack.count('refused');
    await get('/echo/2', { authorization: 'Bearer cached' });
    expect(await stack.count('refused')).toBe(before);
    await stack.advance(301_000);
    await get('/echo/1', { authorization: 'Bearer cached' });
    expect(await stack.count('refused')).toBe(before + 1);
  });
});

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1:8083', '[::1]:80', 'LOCALHOST:1'])('answers a request to %s', async (host) => {
    expect((await withHost(host, '/open')).status).toBe(200);
  });

  it.each(['example.org', 'localhost.example.org', '127.0.0.1.example.org:80', '192.168.0.1'])(
    'refuses a request to %s with a sentence',
    async (host) => {
      const { status, text } = await withHost(host, '/open');
      expect(status).toBe(403);
      expect(text).toContain('localhost, 127.0.0.1 or [::1]');
    },
  );

  it("adds the runner's token to a request without one, but not for a page of another site", async () => {
    expect((await get('/echo/1')).status).toBe(200);
    expect((await get('/echo/1', { origin: 'http://localhost:8083' })).status).toBe(200);
    expect((await get('/echo/1', { origin: 'https://example.org' })).status).toBe(401);
    expect((await get('/echo/1', { origin: 'null' })).status).toBe(401);
  });
});
