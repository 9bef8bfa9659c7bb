import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHealerClient, HealerCallError, startSessionOrWarn } from '#lib/client/index.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

const TOKEN = 'hlr_0123456789abcdef_secret';
const SESSION = { play_id: 'play-1', repository: 'acme/widgets' };
const STARTED = { status: 'ok', session_id: 'play-1', message: 'm', healer: { request_id: 'r' } };

let peer: HttpPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

const reply = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A server that gives these answers in turn, the last one for ever. */
async function aPeerThatAnswers(...answers: readonly ((response: ServerResponse) => void)[]): Promise<HttpPeer> {
  let turn = 0;
  peer = await aHttpPeer((response) => answers[Math.min(turn++, answers.length - 1)]?.(response));
  return peer;
}

const failing =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    reply(response, status, { status: 'error', message: 'why', errors: [{ path: 'a', message: 'b' }] }, headers);
const succeeding = (response: ServerResponse) => reply(response, 200, STARTED);

const clientOf = ({ url }: HttpPeer, options: object = {}) => createHealerClient({ url, token: TOKEN, ...options });
const failureOf = async (call: Promise<unknown>): Promise<HealerCallError> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof HealerCallError) return error;
  throw new Error('the call did not fail as expected', { cause: error });
};

describe('what is sent', () => {
  it.each([
    { call: 'start', path: 'POST /api/v1/session/start' },
    { call: 'get', path: 'GET /api/v1/session/a%2Fb' },
    { call: 'list', path: 'GET /api/v1/sessions?status=active&limit=5' },
    { call: 'listActive', path: 'GET /api/v1/sessions/active' },
    { call: 'end', path: 'POST /api/v1/session/a%2Fb/end' },
    { call: 'incidents', path: 'GET /api/v1/incidents?repository=acme%2Fwidgets' },
    { call: 'incident', path: 'GET /api/v1/incidents/1' },
  ])('$call is $path, with the token', async ({ call, path }) => {
    const client = clientOf(await aPeerThatAnswers(succeeding));
    const calls: Record<string, () => Promise<unknown>> = {
      start: () => client.start(SESSION),
      get: () => client.get('a/b'),
      list: () => client.list({ status: 'active', limit: 5, cursor: undefined }),
      listActive: () => client.listActive(),
      end: () => client.end('a/b', 'failed'),
      incidents: () => client.incidents({ repository: 'acme/widgets' }),
      incident: () => client.incident('1'),
    };
    expect(await calls[call]?.()).toEqual(STARTED);
    const [asked] = peer?.asked ?? [];
    expect(`${asked?.method} ${asked?.path}`).toBe(path);
    expect(asked?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('keeps a path before the API', async () => {
    const { url } = await aPeerThatAnswers(succeeding);
    await createHealerClient({ url: `${url}/stage/` }).start(SESSION);
    expect(peer?.asked[0]).toMatchObject({ path: '/stage/api/v1/session/start', body: JSON.stringify(SESSION) });
    expect(peer?.asked[0]?.headers.authorization).toBeUndefined();
  });
});

describe('what is sent again', () => {
  it.each([429, 500, 502, 503, 504])('a call that was answered %i', async (status) => {
    const client = clientOf(await aPeerThatAnswers(failing(status), succeeding));
    expect(await client.start(SESSION)).toEqual(STARTED);
    expect(peer?.asked).toHaveLength(2);
  });

  it('a call whose connection was lost', async () => {
    const client = clientOf(await aPeerThatAnswers((response) => response.destroy(), succeeding));
    expect(await client.start(SESSION)).toEqual(STARTED);
  });

  it('a call that took too long', async () => {
    const client = clientOf(await aPeerThatAnswers(() => {}, succeeding), { timeoutMs: 100 });
    expect(await client.start(SESSION)).toEqual(STARTED);
  });

  it('a call whose answer stopped half way', async () => {
    const half = (response: ServerResponse) => void response.writeHead(200).write('{"status":');
    const client = clientOf(await aPeerThatAnswers(half, succeeding), { timeoutMs: 100 });
    expect(await client.start(SESSION)).toEqual(STARTED);
  });

  it.each([400, 401, 403, 404, 409, 413, 415])('but no call that was answered %i', async (status) => {
    const client = clientOf(await aPeerThatAnswers(failing(status, { 'x-request-id': 'r-1' })));
    const error = await failureOf(client.start(SESSION));
    expect(error).toMatchObject({
      status,
      retryable: false,
      requestId: 'r-1',
      message: `Healer answered ${status}: why`,
    });
    expect(error.faults).toEqual([{ path: 'a', message: 'b' }]);
    expect(peer?.asked).toHaveLength(1);
  });

  it('no more often than asked', async () => {
    const client = clientOf(await aPeerThatAnswers(failing(500)), { attempts: 2 });
    expect(await failureOf(client.start(SESSION))).toMatchObject({ status: 500, retryable: true });
    expect(peer?.asked).toHaveLength(2);
  });

  it('not when Retry-After lies behind the deadline', async () => {
    const client = clientOf(await aPeerThatAnswers(failing(429, { 'retry-after': '60' })), { deadlineMs: 5_000 });
    expect(await failureOf(client.start(SESSION))).toMatchObject({ status: 429, retryAfterMs: 60_000 });
    expect(peer?.asked).toHaveLength(1);
  });

  it('Retry-After may be a moment', async () => {
    const dates = { date: 'Mon, 30 Nov 2026 12:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 12:01:30 GMT' };
    const client = clientOf(await aPeerThatAnswers(failing(503, dates)));
    expect(await failureOf(client.start(SESSION))).toMatchObject({ retryAfterMs: 90_000 });
  });

  it('not after the caller ended it', async () => {
    const ending = new AbortController();
    const client = clientOf(
      await aPeerThatAnswers((response) => {
        ending.abort();
        failing(500)(response);
      }),
      { signal: ending.signal },
    );
    expect(await failureOf(client.start(SESSION))).toBeInstanceOf(HealerCallError);
    expect(peer?.asked).toHaveLength(1);
  });
});

describe('what is no answer of Healer', () => {
  it.each(['<html>', '[]', '"text"', ''])('%j', async (text) => {
    const client = clientOf(await aPeerThatAnswers((response) => void response.writeHead(200).end(text)));
    expect(await failureOf(client.list())).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/no JSON/) as string,
    });
  });

  it('a redirect: the token stays here', async () => {
    const client = clientOf(
      await aPeerThatAnswers((response) => void response.writeHead(302, { location: '/x' }).end()),
      { attempts: 3 },
    );
    expect(await failureOf(client.list())).toMatchObject({ status: 302 });
    expect(peer?.asked).toHaveLength(1);
  });

  it.each(['', 'healer.example.com', 'ftp://healer', 'https://u:p@healer', 'https://healer/?a=1', 'https://healer/#a'])(
    'no address: %j',
    (url) => {
      expect(() => createHealerClient({ url, token: TOKEN })).toThrow(/must be an http or https URL/);
    },
  );
});

describe('startSessionOrWarn', () => {
  /** A port that nobody listens on. */
  async function aClosedPort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  it('starts', async () => {
    const warnings: string[] = [];
    const { url } = await aPeerThatAnswers(succeeding);
    expect(await startSessionOrWarn({ url }, SESSION, (text) => warnings.push(text))).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('warns when nobody is there, without the token', async () => {
    const warnings: string[] = [];
    const options = { url: `http://127.0.0.1:${await aClosedPort()}`, token: TOKEN, attempts: 2 };
    expect(await startSessionOrWarn(options, SESSION, (text) => warnings.push(text))).toBe(false);
    expect(warnings).toEqual(['Healer does not watch this play: Healer cannot be reached: ECONNREFUSED']);
  });

  it.each([
    { what: 'a refusal', options: async () => ({ url: (await aPeerThatAnswers(failing(403))).url }) },
    { what: 'a wrong address', options: async () => ({ url: 'nowhere' }) },
    {
      what: 'a token that is no header',
      options: async () => ({ url: 'http://127.0.0.1:1', token: 'a\nb', attempts: 1 }),
    },
  ])('warns of $what', async ({ options }) => {
    const warnings: string[] = [];
    expect(await startSessionOrWarn(await options(), SESSION, (text) => warnings.push(text))).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain('a\nb');
  });

  it('throws nothing when the warning itself does, or the session is no JSON', async () => {
    const broken = () => {
      throw new Error('no log');
    };
    expect(await startSessionOrWarn({ url: 'nowhere' }, SESSION, broken)).toBe(false);
    const circular: Record<string, unknown> = { ...SESSION };
    circular['service'] = circular;
    const { url } = await aPeerThatAnswers(succeeding);
    expect(await startSessionOrWarn({ url }, circular as never, () => {})).toBe(false);
  });
});
