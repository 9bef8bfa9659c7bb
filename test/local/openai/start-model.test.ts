import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddedModel, type ModelOptions, startModel } from '#lib/local/openai/start-model.ts';

let embedded: EmbeddedModel;
afterEach(() => embedded.stop());

const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};
const format = (change: object = {}, name = 'turn') => ({
  type: 'json_schema',
  json_schema: { name, strict: true, schema: { ...schema, ...change } },
});

async function start(options: ModelOptions) {
  embedded = await startModel(options);
}

async function post(body: object, key = 'sk-any') {
  const answer = await fetch(`${embedded.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...body }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const contentOf = ({ body }: Awaited<ReturnType<typeof post>>) =>
  (body['choices'] as { message: { content: string } }[])[0]?.message.content;

describe('the embedded model', () => {
  it('chooses by model, schema and words, goes through the replies in order, and repeats the last', async () => {
    await start({
      script: [
        { when: { model: 'other' }, replies: [{ text: 'for another model' }] },
        {
          when: { schema: 'turn', includes: ['hel', 'lo'] },
          replies: [{ json: { a: 'first' } }, { json: { a: 'second' } }],
        },
        { replies: [{ text: 'for the rest' }] },
      ],
    });
    const turn = { response_format: format() };
    expect([await post(turn), await post(turn), await post(turn)].map(contentOf)).toEqual([
      '{"a":"first"}',
      '{"a":"second"}',
      '{"a":"second"}',
    ]);
    expect(contentOf(await post({ ...turn, model: 'other' }))).toBe('for another model');
    expect(contentOf(await post({ response_format: format({}, 'patch') }))).toBe('for the rest');
    expect(embedded.requests.map((request) => [request.model, request.schema, request.status])).toEqual([
      ['m', 'turn', 200],
      ['m', 'turn', 200],
      ['m', 'turn', 200],
      ['other', 'turn', 200],
      ['m', 'patch', 200],
    ]);
  });

  it('says 400 where nothing is scripted, 401 without a key that it knows, 404 for another model or address', async () => {
    await start({ script: [], keys: ['sk-own'], models: ['m'] });
    expect(await post({}, 'sk-own')).toMatchObject({ status: 400, body: { error: { code: 'unscripted' } } });
    expect((await post({}, 'sk-other')).status).toBe(401);
    expect((await post({}, '')).status).toBe(401);
    expect((await post({ model: 'x' }, 'sk-own')).status).toBe(404);
    expect((await fetch(`${embedded.url}/models`)).status).toBe(404);
  });

  it.each([
    [{ additionalProperties: true }, /'additionalProperties' is required/],
    [{ additionalProperties: undefined }, /'additionalProperties' is required/],
    [{ required: [] }, /Missing 'a'/],
    [{ type: 'array' }, /must be of type 'object'/],
    [
      { properties: { a: { type: 'string', maxLength: 3 } } },
      /In context=\('properties', 'a'\), 'maxLength' is not permitted/,
    ],
    [{ properties: { a: { type: 'array', items: { type: 'object', properties: {} } } } }, /'items'/],
    [{ properties: { a: { anyOf: [{ type: 'string', default: 'x' }] } } }, /'default' is not permitted/],
  ])('refuses a strict schema with %j as OpenAI does', async (change, message) => {
    await start({ script: [{ replies: [{ json: { a: 'x' } }] }] });
    const answer = await post({ response_format: format(change) });
    expect(answer.status).toBe(400);
    expect((answer.body['error'] as { message: string }).message).toMatch(message);
  });

  it.each([
    { messages: [] },
    { messages: 'x' },
    { messages: [{ role: 'wizard', content: 'x' }] },
    { response_format: format({}, 'a b') },
    { response_format: { type: 'json_object' } },
    { max_completion_tokens: 0 },
  ])('refuses the request %j', async (change) => {
    await start({ script: [{ replies: [{ text: 'x' }] }] });
    expect((await post(change)).status).toBe(400);
  });

  it('reads its script from a file, and names what is wrong with it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'healer-script-'));
    const file = join(directory, 'script.json');
    try {
      writeFileSync(file, JSON.stringify([{ replies: [{ refusal: 'no' }] }]));
      await start({ script: file });
      expect((await post({})).body).toMatchObject({ choices: [{ message: { content: null, refusal: 'no' } }] });
      writeFileSync(file, JSON.stringify([{ replies: [] }]));
      await expect(startModel({ script: file })).rejects.toThrow(/script\.json is no script of replies: 0\.replies/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('does a fault as often as it is asked to, for the schema it is meant for', async () => {
    await start({ script: [{ replies: [{ json: { a: 'x' } }] }] });
    embedded.faults.add({ kind: 'status', status: 500, times: 1 });
    const off = embedded.faults.add({ kind: 'rate-limit', schema: 'other' });
    const turn = { response_format: format() };
    expect([(await post(turn)).status, (await post(turn)).status]).toEqual([500, 200]);
    expect((await post({ response_format: format({}, 'other') })).status).toBe(429);
    off();
    expect((await post({ response_format: format({}, 'other') })).status).toBe(200);
  });
});
