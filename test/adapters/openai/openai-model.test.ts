import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SourceError } from '#lib/domain/errors.ts';
import { ModelAnswerError } from '#lib/domain/model/model-errors.ts';
import type { ModelFault } from '#lib/local/openai/faults.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { aLimit, aModel, ask } from '#test/contracts/model/peer.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

const KEY = 'sk-canary-of-the-key';
let embedded: EmbeddedModel;
const peer = () => ({ url: embedded.url, key: KEY, model: 'scripted' });
/** Less time than a repeated call needs. */
const BRIEF = 25_000;

beforeAll(async () => {
  embedded = await startModel({ script: [{ replies: [{ json: { city: 'Paris', note: null, kind: 'city' } }] }] });
});
afterAll(() => embedded.stop());
afterEach(() => embedded.faults.clear());

const failed = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('there was an answer'),
    (error: unknown) => error,
  );

async function failing(fault: ModelFault, limits = aLimit(BRIEF)): Promise<unknown> {
  embedded.faults.add(fault);
  return failed(ask(aModel(peer()), limits));
}

describe('a request', () => {
  it('holds the strict schema, the limit of tokens, the key, and nothing from the environment', async () => {
    Object.assign(process.env, {
      OPENAI_ORG_ID: 'org-of-the-host',
      OPENAI_API_KEY: 'sk-of-the-host',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    });
    const web = await aHttpPeer((response) => {
      response.setHeader('content-type', 'application/json');
      const message = { content: '{"city":"Paris","note":null,"kind":"town"}' };
      response.end(JSON.stringify({ choices: [{ finish_reason: 'stop', message }] }));
    });
    try {
      const answer = await ask(aModel({ ...peer(), url: `${web.url}/v1` }));
      expect(answer.value).toEqual({ city: 'Paris', kind: 'town' });
      expect(answer.usage).toMatchObject({ isReported: false, outputTokens: 2_000 });
      const [asked] = web.asked;
      expect(asked?.path).toBe('/v1/chat/completions');
      expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(JSON.stringify(asked?.headers)).not.toContain('of-the-host');
      expect(JSON.parse(asked?.body ?? '')).toEqual({
        model: 'scripted',
        messages: [
          { role: 'system', content: expect.stringContaining('geography') },
          { role: 'user', content: expect.stringContaining('France') },
        ],
        max_completion_tokens: 2_000,
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'capital',
            strict: true,
            schema: {
              type: 'object',
              properties: {
                city: { type: 'string' },
                note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                kind: { type: 'string', enum: ['city', 'town'] },
              },
              required: ['city', 'note', 'kind'],
              additionalProperties: false,
            },
          },
        },
      });
    } finally {
      for (const name of ['OPENAI_ORG_ID', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'])
        Reflect.deleteProperty(process.env, name);
      await web.stop();
    }
  });
});

describe('an answer that is none', () => {
  it.each([
    [{ kind: 'refuse' }, 'refused', /sorry/],
    [{ kind: 'filter' }, 'filtered', /^$/],
    [{ kind: 'truncate' }, 'truncated', /The agent fai$/],
    [{ kind: 'nonsense' }, 'malformed', /large lantern/],
    [{ kind: 'wrong-schema' }, 'mismatched', /42/],
  ] as const)('%j is %s, with raw text and usage', async (fault, kind, raw) => {
    const error = await failing(fault);
    expect(error).toBeInstanceOf(ModelAnswerError);
    expect(error).toMatchObject({ fault: kind, retryable: false, usage: { isReported: true } });
    expect((error as ModelAnswerError).raw).toMatch(raw);
    expect((error as ModelAnswerError).usage.inputTokens).toBeGreaterThan(10);
    // What a logger shows of an error holds nothing of the answer.
    expect(inspect({ ...(error as object) })).not.toMatch(/sorry|lantern|agent fai/);
    expect((error as Error).message).not.toMatch(/sorry|lantern|agent fai/);
  });

  it('is read no further than a limit, and its raw text is bounded', async () => {
    expect(await failing({ kind: 'huge' })).toMatchObject({ fault: 'huge', usage: { isReported: false } });
    embedded.faults.clear();
    const error = (await failing({ kind: 'huge', bytes: 300_000 })) as ModelAnswerError;
    expect(error.fault).toBe('malformed');
    expect(error.raw.length).toBe(4_000);
  });
});

describe('an endpoint that fails', () => {
  it.each([
    [
      { kind: 'status', status: 500 },
      { status: 500, retryable: true },
    ],
    [
      { kind: 'status', status: 503 },
      { status: 503, retryable: true },
    ],
    [
      { kind: 'rate-limit', retryAfterSeconds: 7 },
      { status: 429, retryable: true, retryAfterMs: 7_000 },
    ],
    [
      { kind: 'status', status: 429, code: 'insufficient_quota' },
      { status: 429, retryable: false },
    ],
    [
      { kind: 'status', status: 401 },
      { status: 401, retryable: false },
    ],
    [
      { kind: 'status', status: 403 },
      { status: 403, retryable: false },
    ],
    [
      { kind: 'status', status: 404 },
      { status: 404, retryable: false },
    ],
    [
      { kind: 'status', status: 302 },
      { status: 302, retryable: false },
    ],
    [{ kind: 'html' }, { status: undefined, retryable: false }],
    [{ kind: 'disconnect' }, { status: undefined, retryable: true }],
  ] as const)('with %j is a source error with advice', async (fault, expected) => {
    const error = await failing(fault);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ source: 'openai', ...expected });
    expect((error as SourceError).advice).not.toBe('');
    expect(inspect(error, { depth: 9 })).not.toMatch(/canary|France|geography/);
  });

  it('that hangs is left before the invocation ends', async () => {
    const error = await failing({ kind: 'hang' }, aLimit(17_100));
    expect(error).toMatchObject({ source: 'openai', status: undefined, retryable: true });
  });

  it('that hangs is left when the invocation is aborted', async () => {
    const error = await failing({ kind: 'hang' }, aLimit(BRIEF, AbortSignal.timeout(100)));
    expect(error).toMatchObject({ source: 'openai', retryable: true });
  });

  it('is not asked at all when no time is left', async () => {
    const before = embedded.requests.length;
    expect(await failed(ask(aModel(peer()), aLimit(16_000)))).toMatchObject({ source: 'invocation', retryable: true });
    expect(embedded.requests.length).toBe(before);
  });

  it('is asked once more when there is time, unless the call may have been counted', async () => {
    embedded.faults.add({ kind: 'status', status: 503, times: 1 });
    await expect(ask(aModel(peer()), aLimit(60_000))).resolves.toMatchObject({ value: { city: 'Paris' } });
    const before = embedded.requests.length;
    embedded.faults.add({ kind: 'disconnect', times: 1 });
    expect(await failed(ask(aModel(peer()), aLimit(60_000)))).toMatchObject({ retryable: true });
    expect(embedded.requests.length).toBe(before + 1);
  });

  it('is not there: says so without the address', async () => {
    const gone = await aHttpPeer(() => {});
    await gone.stop();
    const error = await failed(ask(aModel(peer(), { url: gone.url }), aLimit(BRIEF)));
    expect(error).toMatchObject({
      source: 'openai',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('usage', () => {
  it.each([
    undefined,
    null,
    'much',
    { prompt_tokens: -5, completion_tokens: 1 },
    { prompt_tokens: 0, completion_tokens: 0 },
    { prompt_tokens: 1e12, completion_tokens: 3 },
    { prompt_tokens: 12 },
  ])('of %j is replaced by an estimate on the high side', async (usage) => {
    embedded.faults.add({ kind: 'usage', usage });
    const answer = await ask(aModel(peer()), aLimit(BRIEF));
    expect(answer.usage).toEqual({ isReported: false, inputTokens: expect.any(Number), outputTokens: 2_000 });
    expect(answer.usage.inputTokens).toBeGreaterThan(10);
  });
});
