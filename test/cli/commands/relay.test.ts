import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { type CliRun, cli, startCli } from '#test/support/cli.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';
import { startService } from '#test/support/service-stack.ts';

/** The body that the original MCP server sends for a play of two agents. */
const aPlay = (playId: string) => ({
  play_id: playId,
  repository: 'acme/widgets',
  service: 'widgets-api',
  namespace: 'cto',
  cto_config: {
    agents: {
      rex: {
        githubApp: 'Acme-Rex',
        cli: 'claude',
        model: 'some-model',
        tools: {
          remote: ['docs_lookup'],
          localServers: { filesystem: { enabled: true, tools: ['read_file'] } },
        },
      },
      // An agent whose tools object has no local servers is sent like this.
      cleo: { githubApp: 'Acme-Cleo', cli: 'claude', model: 'some-model', tools: { remote: [], localServers: null } },
    },
  },
  tasks: [{ id: '7', title: 'Task 7', dependencies: [] }],
});

/** The bytes that the original writes to its socket. */
function rawRequest(body: string, { path = '/api/v1/session/start', host = '127.0.0.1', more = [] as string[] } = {}) {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...more,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Writes bytes to a port and reads to the end of the connection, as the original does. */
function speak(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

const runs: CliRun[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.interrupt();
    expect(await run.code).toBe(0);
  }
});

/** Starts `healer relay` on a free port. */
async function startRelay(env: Record<string, string>): Promise<{ port: number; run: CliRun }> {
  const run = startCli(['relay', '--port', '0'], env);
  runs.push(run);
  const port = await expect
    .poll(() => /127\.0\.0\.1:(\d+)/.exec(run.stderr())?.[1])
    .toBeDefined()
    .then(() => Number(/127\.0\.0\.1:(\d+)/.exec(run.stderr())?.[1]));
  return { port, run };
}

describe('in front of the running stack', () => {
  let stack: LocalStack;
  let token: string;
  beforeAll(async () => {
    stack = await startService();
    token = await makeRunnerToken(stack);
    // The service is packaged anew when the sources have changed.
  }, 180_000);
  afterAll(() => stack.stop());

  it('gives the original caller its 200 OK, and again when it repeats itself', async () => {
    const { port, run } = await startRelay({ HEALER_URL: stack.url, HEALER_TOKEN: token });
    const bytes = rawRequest(JSON.stringify(aPlay('play-original')));
    const first = await speak(port, bytes);
    expect(first.split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect(first).toContain('"session_id":"play-original"');
    expect(await speak(port, bytes)).toContain('200 OK');
    const headers = { authorization: `Bearer ${token}` };
    const stored = await fetch(`${stack.url}/api/v1/session/play-original`, { headers });
    expect(await stored.json()).toMatchObject({
      session: { cto_config: { agents: { cleo: { tools: { localServers: {} } } } } },
    });
    expect(run.stderr()).not.toContain(token);
  });

  it('gives it a 409 when the play is active with another declaration', async () => {
    const { port } = await startRelay({ HEALER_URL: stack.url, HEALER_TOKEN: token });
    await speak(port, rawRequest(JSON.stringify(aPlay('play-differs'))));
    const second = await speak(port, rawRequest(JSON.stringify({ ...aPlay('play-differs'), service: 'other' })));
    expect(second).toContain('409');
    expect(second).not.toContain('200 OK');
  });

  it('tells a wrong token as a failure that reads like neither', async () => {
    const { port } = await startRelay({
      HEALER_URL: stack.url,
      HEALER_TOKEN: `hlr_${'0'.repeat(16)}_${'0'.repeat(64)}`,
    });
    const answer = await speak(port, rawRequest(JSON.stringify(aPlay('play-refused'))));
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 403 Forbidden');
    expect(answer).not.toMatch(/200 OK|409/);
  });
});

describe('in front of an API that has trouble', () => {
  let peer: HttpPeer;
  let answers: ((response: Parameters<Parameters<typeof aHttpPeer>[0]>[0]) => void)[] = [];
  beforeAll(async () => {
    peer = await aHttpPeer((response) => {
      const next = answers.shift();
      if (next) next(response);
      else response.end('{"status":"ok","message":"taken"}');
    });
  });
  afterAll(() => peer.stop());

  const withStatus = (status: number, body = '{"message":"no"}') => {
    return (response: Parameters<Parameters<typeof aHttpPeer>[0]>[0]) =>
      void response.writeHead(status, { 'retry-after': '0' }).end(body);
  };

  it.each([[[429, 503]], [[500, 502, 504]]])('tries again after %j', async (statuses) => {
    answers = statuses.map((status) => withStatus(status));
    const before = peer.asked.length;
    const { port } = await startRelay({ HEALER_URL: peer.url, HEALER_TOKEN: 'secret-token' });
    expect(await speak(port, rawRequest('{}'))).toContain('200 OK');
    const asked = peer.asked.slice(before);
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual(
      Array.from({ length: statuses.length + 1 }, () => ['/api/v1/session/start', 'Bearer secret-token']),
    );
  });

  it('gives up in the end, with no text that the caller takes for something else', async () => {
    const body = JSON.stringify({ message: '200 OK 409', errors: [] });
    answers = Array.from({ length: 4 }, () => withStatus(503, body));
    const { port, run } = await startRelay({ HEALER_URL: peer.url, HEALER_TOKEN: 'secret-token' });
    const answer = await speak(port, rawRequest('{}'));
    expect(answer).toContain('503');
    expect(answer).not.toMatch(/200 OK|409/);
    expect(run.stderr()).not.toContain('secret-token');
  });

  it('does not follow a redirection with the token', async () => {
    answers = Array.from({ length: 4 }, () => (response) => void response.writeHead(307, { location: '/x' }).end());
    const before = peer.asked.length;
    const { port } = await startRelay({ HEALER_URL: peer.url, HEALER_TOKEN: 'secret-token' });
    expect(await speak(port, rawRequest('{}'))).toContain('502');
    expect(peer.asked.slice(before).every(({ path }) => path === '/api/v1/session/start')).toBe(true);
  });

  it.each([
    ['another path', '404', rawRequest('{}', { path: '/api/v1/sessions' })],
    ['another host', '403', rawRequest('{}', { host: 'example.org' })],
    ['a page of another site', '403', rawRequest('{}', { more: ['Origin: https://example.org'] })],
    ['too large a body', '413', rawRequest('x'.repeat(256 * 1024 + 1))],
    ['another type', '415', rawRequest('{}').replace('application/json', 'text/plain')],
    ['another method', '405', rawRequest('{}').replace('POST', 'PUT')],
    ['no HTTP', '400', 'nonsense\r\n\r\n'],
  ])('refuses %s with %s and asks nobody', async (_case, status, bytes) => {
    const before = peer.asked.length;
    const { port } = await startRelay({ HEALER_URL: peer.url, HEALER_TOKEN: 'secret-token' });
    expect((await speak(port, bytes)).split('\r\n')[0]).toContain(status);
    expect(peer.asked.length).toBe(before);
  });
});

describe('healer relay', () => {
  it.each([
    ['no address', [], {}, 'HEALER_URL'],
    ['an address in the clear', ['--url', 'http://healer.example.com'], { HEALER_TOKEN: 'x' }, 'https://'],
    ['an address that only looks local', ['--url', 'http://127.0.0.1.example.com'], { HEALER_TOKEN: 'x' }, 'https://'],
    ['a password in the address', ['--url', 'https://a:b@healer.example.com'], { HEALER_TOKEN: 'x' }, 'no user'],
    ['no token', ['--url', 'https://healer.example.com'], {}, 'HEALER_TOKEN'],
    ['a token of two lines', ['--url', 'https://healer.example.com'], { HEALER_TOKEN: 'a\nb' }, 'one line'],
    [
      'a token file that is not there',
      ['--url', 'https://healer.example.com', '--token-file', '/none'],
      {},
      'token-file',
    ],
    ['no port', ['--url', 'http://localhost:1', '--port', 'x'], {}, '--port'],
  ])('does not start with %s', async (_case, args, env, sentence) => {
    const { code, stderr } = await cli(['relay', ...args], env);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
