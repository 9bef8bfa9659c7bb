import { afterEach, describe, expect, it } from 'vitest';
import type { LokiTime } from '#lib/adapters/loki/http-client.ts';
import type { LokiConfig } from '#lib/adapters/loki/loki-source.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import { ConfigError, SourceError } from '#lib/domain/errors.ts';
import type { Script } from './scripted-server.ts';
import { reply, replyJson, startScripted, streams } from './scripted-server.ts';
import { virtualTime } from './virtual-time.ts';

const BASE = 1_800_000_000_000_000_000n;
const window = { since: BASE, until: BASE + 60_000_000_000n };
const query = { selector: '{namespace="cto"}', window };

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/** The adapter on a scripted server; the script answers the first request with its first part, the last part stays. */
async function sourceWith(
  scripts: readonly Script[],
  config: Partial<LokiConfig> = {},
  wishes: Pick<LokiTime, 'longestPauseMs'> = {},
) {
  let turn = 0;
  const server = await startScripted((request, response) => {
    const script = scripts[Math.min(turn, scripts.length - 1)];
    turn += 1;
    script?.(request, response);
  });
  stop = server.stop;
  const time = virtualTime();
  return {
    source: lokiSource({ url: server.url, ...config }, { ...time, ...wishes }),
    requests: server.requests,
    waits: time.waits,
  };
}

async function faultOf(promise: Promise<unknown>): Promise<SourceError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw new Error('no SourceError was thrown', { cause: error });
  return error;
}

const entry = (ns: bigint, line = 'x') => ({ stream: { pod: 'p' }, values: [[String(ns), line]] });

describe('requests', () => {
  it('name start, end, limit and direction, and how to answer', async () => {
    const config: Partial<LokiConfig> = {
      tenant: 'team-a',
      auth: { kind: 'basic', user: '17', password: () => Promise.resolve('s3cret') },
      headers: { 'X-Extra': 'yes' },
    };
    const { source, requests } = await sourceWith([replyJson(streams())], config);
    await source.read({ ...query, lineFilter: 'a"b' });
    expect(Object.fromEntries(requests[0]?.form ?? [])).toEqual({
      query: '{namespace="cto"} |~ "a\\"b"',
      start: String(window.since),
      end: String(window.until),
      limit: '5000',
      direction: 'forward',
    });
    expect(requests[0]?.headers).toMatchObject({
      'x-scope-orgid': 'team-a',
      'x-extra': 'yes',
      authorization: `Basic ${Buffer.from('17:s3cret').toString('base64')}`,
      'accept-encoding': 'gzip',
      'x-loki-response-encoding-flags': 'categorize-labels',
    });
  });

  it.each(['/prefix', '/prefix/', '/prefix/loki/api/v1/push'])('go below the base address %s', async (path) => {
    const server = await startScripted(replyJson(streams()));
    stop = server.stop;
    const auth = { kind: 'bearer', token: () => Promise.resolve('t0ken\n') } as const;
    await lokiSource({ url: `${server.url}${path}`, auth }, virtualTime()).read(query);
    expect(server.requests[0]?.path).toBe('/prefix/loki/api/v1/query_range');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer t0ken');
  });

  it.each(['loki:3100', 'ftp://loki', 'http://user:secret@loki', ''])('an address that cannot be used: %s', (url) => {
    expect(() => lokiSource({ url }, virtualTime())).toThrow(ConfigError);
  });

  it('a token that no header can hold is refused and not repeated', async () => {
    const auth = { kind: 'bearer', token: () => Promise.resolve('abc\u0001def') } as const;
    const { source } = await sourceWith([replyJson(streams())], { auth });
    const error: unknown = await source.read(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain('abc');
  });
});

describe('answers that are not an answer', () => {
  it.each<[string, Script, boolean, RegExp]>([
    ['a page with status 200', reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' }), true, /proxy/],
    ['JSON of another server', replyJson({ hello: 'world' }), true, /proxy/],
    [
      'a status that is not success',
      replyJson({ status: 'error', data: { resultType: 'streams', result: [] } }),
      true,
      /proxy/,
    ],
    ['a matrix', replyJson({ status: 'success', data: { resultType: 'matrix', result: [] } }), true, /proxy/],
    ['a list', replyJson([]), true, /proxy/],
    ['an entry without a line', replyJson(streams({ stream: {}, values: [['1']] })), true, /proxy/],
    ['a label that is a number', replyJson(streams({ stream: { pod: 1 }, values: [] })), true, /proxy/],
    ['a cut answer', reply(200, '{"status":"success","data":{"resultType":"streams","resu'), true, /proxy/],
    ['a redirect', reply(302, '', { location: 'https://login.example.com' }), false, /redirects/],
    ['401 without a tenant', reply(401, 'no org id\n'), false, /X-Scope-OrgID/],
    ['401', reply(401, 'unauthorized'), false, /password or token/],
    ['403', reply(403, '<html>'), false, /password or token/],
    ['404', reply(404, '404 page not found'), false, /address/],
    ['a syntax error', reply(400, 'parse error at line 1, col 2: syntax error'), false, /selector/],
    ['503', reply(503, 'Service Unavailable'), true, /overloaded/],
  ])('%s', async (_case, script, retryable, advice) => {
    const { source } = await sourceWith([script]);
    for (const call of [() => source.read(query), () => source.first(query.selector, window)]) {
      const error = await faultOf(call());
      expect(error.retryable).toBe(retryable);
      expect(error.advice).toMatch(advice);
      expect(error.message).not.toContain('<');
    }
  });

  it('nobody listens, and names that do not exist', async () => {
    const server = await startScripted(replyJson(streams()));
    await server.stop();
    const refused = await faultOf(lokiSource({ url: server.url }, virtualTime()).read(query));
    expect([refused.retryable, refused.message]).toEqual([true, expect.stringContaining('Nothing listens')]);
    const unknown = await faultOf(lokiSource({ url: 'http://loki.invalid' }, virtualTime()).read(query));
    expect([unknown.retryable, unknown.message]).toEqual([true, expect.stringContaining('loki.invalid')]);
  });

  it('speaks plain HTTP where TLS is asked for', async () => {
    const server = await startScripted(replyJson(streams()));
    stop = server.stop;
    const error = await faultOf(lokiSource({ url: server.url.replace('http', 'https') }, virtualTime()).read(query));
    expect([error.retryable, error.advice]).toEqual([true, expect.stringContaining('certificate')]);
  });

  it('keeps silent beyond the timeout', async () => {
    const { source, requests } = await sourceWith([() => {}], { timeoutMs: 20 });
    const error = await faultOf(source.read(query));
    expect([error.retryable, error.message]).toEqual([true, expect.stringContaining('did not answer in time')]);
    expect(requests.length).toBe(5);
  });
});

describe('adapting', () => {
  it('learns the most entries that Loki allows from its refusal', async () => {
    const text = 'max entries limit per query exceeded, limit > max_entries_limit_per_query (5000 > 700)';
    const { source, requests } = await sourceWith([reply(400, text), replyJson(streams())]);
    expect((await source.read(query)).proven).toEqual(window);
    expect(requests.map(({ form }) => form.get('limit'))).toEqual(['5000', '700']);
  });

  it('obeys Retry-After, in seconds or as a date', async () => {
    const date = new Date(1_800_000_003_000).toUTCString();
    const busy = 'too many outstanding requests';
    const scripts = [
      reply(429, busy, { 'retry-after': '1' }),
      reply(429, busy, { 'retry-after': date }),
      replyJson(streams()),
    ];
    const { source, waits } = await sourceWith(scripts);
    await source.read(query);
    expect(waits).toEqual([1000, 1500]);
  });

  it('backs off from 5 s when Loki is busy and gives up within the time of a read', async () => {
    const { source, waits } = await sourceWith([reply(429, 'too many outstanding requests')], {
      budget: { ms: 30_000 },
    });
    const error = await faultOf(source.read(query));
    expect([error.status, error.retryable]).toEqual([429, true]);
    expect(waits).toEqual([5625, 10313]);
  });

  it('leaves to the next look what would take a longer pause than is wished', async () => {
    const scripts = [reply(503, ''), reply(429, 'too many outstanding requests')];
    const { source, requests, waits } = await sourceWith(scripts, {}, { longestPauseMs: 4000 });
    const error = await faultOf(source.read(query));
    expect([error.status, error.retryable, waits, requests.length]).toEqual([429, true, [500], 2]);
  });

  it('does not wait longer than the read may take', async () => {
    const { source, waits } = await sourceWith([reply(503, 'later', { 'retry-after': '86400' })]);
    const error = await faultOf(source.read(query));
    expect([error.retryAfterMs, waits]).toEqual([86_400_000, []]);
  });

  it('asks for half of the window after 503, and reads it all', async () => {
    const { source, requests, waits } = await sourceWith([reply(503, ''), reply(504, ''), replyJson(streams())]);
    expect((await source.read(query)).proven).toEqual(window);
    expect(requests.map(({ form }) => BigInt(form.get('end') ?? 0) - BASE).slice(0, 3)).toEqual([
      60_000_000_000n,
      30_000_000_000n,
      15_000_000_000n,
    ]);
    expect(waits).toEqual([500, 1000]);
  });

  it.each([413, 500])(
    'asks for fewer entries in half of the window when an answer is too large (%i)',
    async (status) => {
      const { source, requests } = await sourceWith([
        reply(status, 'rpc error: code = ResourceExhausted'),
        replyJson(streams()),
      ]);
      expect((await source.read(query)).proven).toEqual(window);
      expect(requests[1]?.form.get('limit')).toBe('2500');
      expect(BigInt(requests[1]?.form.get('end') ?? 0)).toBe(BASE + 30_000_000_000n);
    },
  );

  it('names a gap when one nanosecond is too large for any answer', async () => {
    const tooMuch: Script = (request, response) => {
      const [start, end] = [BigInt(request.form.get('start') ?? 0), BigInt(request.form.get('end') ?? 0)];
      const holds = start <= BASE + 7n && BASE + 7n < end;
      (holds ? reply(413, 'too large') : replyJson(streams()))(request, response);
    };
    const { source } = await sourceWith([tooMuch]);
    const read = await source.read({ ...query, window: { since: BASE, until: BASE + 1_000_000n } });
    expect(read.gaps).toEqual([
      { window: { since: BASE + 7n, until: BASE + 8n }, reason: expect.stringContaining('larger') },
    ]);
    expect(read.proven.until).toBe(BASE + 1_000_000n);
  });

  it('stops reading an endless answer', async () => {
    const endless: Script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '.repeat(64 * 1024)), 0);
      response.on('close', () => clearInterval(timer));
    };
    const { source } = await sourceWith([endless, replyJson(streams())], { maxAnswerBytes: 256 * 1024 });
    expect((await source.read(query)).proven).toEqual(window);
  });

  it('keeps what was proven when a later page fails, and shows the fault at the next read', async () => {
    const half = BASE + 30_000_000_000n;
    const script: Script = (request, response) => {
      const start = BigInt(request.form.get('start') ?? 0);
      const wide = BigInt(request.form.get('end') ?? 0) - start > 30_000_000_000n;
      const answer = wide ? reply(413, '') : start < half ? replyJson(streams(entry(BASE))) : reply(401, 'expired');
      answer(request, response);
    };
    const { source } = await sourceWith([script]);
    const read = await source.read(query);
    expect([read.proven, read.entries.length]).toEqual([{ since: BASE, until: half }, 1]);
    const error = await faultOf(source.read({ ...query, window: { since: half, until: window.until } }));
    expect(error.status).toBe(401);
  });

  it('throws when the time of a read ends before anything is proven', async () => {
    const { source } = await sourceWith([reply(503, '')], { budget: { ms: 1200 } });
    expect((await faultOf(source.read(query))).status).toBe(503);
  });

  it('drops entries outside the asked window, and counts them as returned', async () => {
    const outside = streams(entry(BASE - 1n, 'before'), entry(BASE, 'in'), entry(window.until, 'after'));
    const { source } = await sourceWith([replyJson(outside)]);
    expect((await source.read(query)).entries.map(({ line }) => line)).toEqual(['in']);
  });

  it('reads a Loki that merges metadata into the stream; the derived level is no label', async () => {
    const merged = streams({ stream: { pod: 'p', detected_level: 'error' }, values: [[String(BASE), 'x']] });
    const again = streams({
      stream: { pod: 'p' },
      values: [[String(BASE), 'x', { structuredMetadata: { detected_level: 'info' } }]],
    });
    const both = streams(...merged.data.result, ...again.data.result);
    const { source } = await sourceWith([replyJson(both)]);
    const labels = { pod: 'p' };
    expect((await source.read(query)).entries).toEqual([
      { ns: BASE, line: 'x', labels, metadata: { detected_level: 'error' } },
    ]);
  });

  it('asks again before the first entry of a page that was cut', async () => {
    const pages = [entry(BASE + 9n), entry(BASE + 4n)].map((found) => replyJson(streams(found)));
    const { source, requests } = await sourceWith([...pages, replyJson(streams())]);
    expect((await source.first(query.selector, window))?.ns).toBe(BASE + 4n);
    expect(requests.map(({ form }) => BigInt(form.get('end') ?? 0) - BASE)).toEqual([60_000_000_000n, 9n, 4n]);
  });

  it('counts halves where Loki limits the number of series, and no part is left out', async () => {
    const script: Script = (request, response) => {
      const range = Number(/\[(\d+)ms\]/.exec(request.form.get('query') ?? '')?.[1]);
      const vector = { resultType: 'vector', result: [{ metric: { pod: 'p' }, value: [0, String(range)] }] };
      const answer =
        range > 20_000
          ? reply(400, 'maximum number of series (500) reached')
          : replyJson({ status: 'success', data: vector });
      answer(request, response);
    };
    const { source } = await sourceWith([script]);
    expect(await source.countByPod(query.selector, { since: BASE, until: BASE + 60_001_000_000n })).toEqual(
      new Map([['p', 60_001]]),
    );
  });

  it('does not take a partial count for a count', async () => {
    const vector = { resultType: 'vector', result: [{ metric: { pod: 'p' }, value: [0, '1'] }] };
    const partial = {
      status: 'success',
      warnings: ['maximum number of series (500) reached; returning partial results'],
      data: vector,
    };
    const { source } = await sourceWith([replyJson(partial)]);
    await expect(source.countByPod(query.selector, { since: BASE, until: BASE + 4_000_000n })).rejects.toThrow(
      SourceError,
    );
  });
});

describe('budgets', () => {
  /** A Loki with one entry a millisecond. */
  const dense: Script = (request, response) => {
    const limit = Number(request.form.get('limit'));
    const [start, end] = [BigInt(request.form.get('start') ?? 0), BigInt(request.form.get('end') ?? 0)];
    const found: [string, string][] = [];
    const grid = BASE + ((start - BASE + 999_999n) / 1_000_000n) * 1_000_000n;
    for (let ns = grid; ns < end && found.length < limit; ns += 1_000_000n) found.push([String(ns), 'x'.repeat(50)]);
    replyJson(streams({ stream: { pod: 'p' }, values: found }))(request, response);
  };

  it.each([
    ['entries', { entries: 3000 }],
    ['bytes', { bytes: 300_000 }],
  ])('a read ends at its %s, and the next goes on where it ended', async (_case, budget) => {
    const { source } = await sourceWith([dense], { budget });
    const first = await source.read(query);
    expect(first.proven.until).toBeLessThan(window.until);
    expect(first.proven.until).toBeGreaterThan(window.since);
    expect(BigInt(first.entries.length)).toBe((first.proven.until - BASE + 999_999n) / 1_000_000n);
    const rest = await source.read({ ...query, window: { since: first.proven.until, until: window.until } });
    expect((rest.entries[0]?.ns ?? 0n) - (first.entries.at(-1)?.ns ?? 0n)).toBe(1_000_000n);
  });
});
