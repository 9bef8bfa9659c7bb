import '#test/support/quiet.ts';

import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  ForbiddenError,
  GuardError,
  InputError,
  MediaTypeError,
  NotFoundError,
  SourceError,
  TooLargeError,
} from '#lib/domain/errors.ts';
import { httpApi } from '#lib/edge/http/http-api.ts';
import { failingWith } from '#lib/edge/http/reply.ts';
import { type ApiEventOverrides, aLambdaContext, anApiEvent } from '#test/support/builders/lambda.ts';

const ECHO = 'POST /echo';
const handler = httpApi({ [ECHO]: async (request) => ({ status: 'ok', got: request.json() }) });

async function send(overrides: ApiEventOverrides, api = handler, routeKey = ECHO) {
  const result = await api(anApiEvent(routeKey, overrides), aLambdaContext());
  return { status: result.statusCode, headers: result.headers, body: JSON.parse(result.body ?? '') };
}

/** The answer to a route that throws. */
const failing = (error: unknown) => {
  const route = async () => {
    throw error;
  };
  return send({}, httpApi({ [ECHO]: route }));
};

const sourceError = (retryable: boolean, status?: number) =>
  new SourceError({ source: 'dynamodb', message: 'table healer-dev-sessions', retryable, advice: 'x', status });

describe('bodies', () => {
  it('answers JSON with the request id in body and header', async () => {
    const { status, headers, body } = await send({ body: { a: 1 } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': 'gateway-request-1' });
    expect(body).toEqual({ status: 'ok', got: { a: 1 }, healer: { request_id: 'gateway-request-1' } });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.acme+json'])(
    'reads %s',
    async (type) => {
      expect((await send({ body: {}, headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it('reads a base64 body', async () => {
    const body = Buffer.from('{"a":"é"}').toString('base64');
    expect((await send({ body, isBase64Encoded: true })).body.got).toEqual({ a: 'é' });
  });

  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const sized = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2));

  it.each([
    { what: 'no media type', overrides: { body: '{}', headers: { 'content-type': '' } }, status: 415 },
    {
      what: 'a form',
      overrides: { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      status: 415,
    },
    { what: 'a lookalike', overrides: { body: '{}', headers: { 'content-type': 'application/jsonp' } }, status: 415 },
    { what: 'an empty body', overrides: { body: '' }, status: 400 },
    { what: 'a broken body', overrides: { body: '{"a":' }, status: 400 },
    { what: 'bytes that are no UTF-8', overrides: { body: '/w==', isBase64Encoded: true }, status: 400 },
    { what: 'twenty levels', overrides: { body: nested(20) }, status: 200 },
    { what: 'twenty-one levels', overrides: { body: nested(21) }, status: 400 },
    { what: 'a hundred thousand levels', overrides: { body: nested(100_000) }, status: 400 },
    { what: '256 KB', overrides: { body: sized(262_144) }, status: 200 },
    { what: 'two bytes more', overrides: { body: sized(262_146) }, status: 413 },
    {
      what: 'two bytes more, base64',
      overrides: { body: Buffer.from(sized(262_146)).toString('base64'), isBase64Encoded: true },
      status: 413,
    },
    {
      what: '256 KB that base64 makes larger',
      overrides: { body: Buffer.from(sized(262_144)).toString('base64'), isBase64Encoded: true },
      status: 200,
    },
  ])('answers $status to $what', async ({ overrides, status }) => {
    const answer = await send(overrides);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body).toMatchObject({ status: 'error', message: expect.any(String), errors: [] });
  });
});

describe('errors', () => {
  it.each([
    {
      error: new InputError('what', [{ path: 'a', message: 'b' }]),
      status: 400,
      errors: [{ path: 'a', message: 'b' }],
    },
    { error: new TooLargeError('what'), status: 413, errors: [] },
    { error: new MediaTypeError('what'), status: 415, errors: [] },
    { error: new ForbiddenError('what'), status: 403, errors: [] },
    { error: new NotFoundError('what'), status: 404, errors: [] },
    {
      error: new ConflictError('what', [{ path: 'a', message: 'b' }]),
      status: 409,
      errors: [{ path: 'a', message: 'b' }],
    },
  ])('tells a caller all about $error.name ($status)', async ({ error, status, errors }) => {
    const answer = await failing(error);
    const healer = { request_id: 'gateway-request-1' };
    expect(answer).toMatchObject({ status, body: { status: 'error', message: 'what', errors, healer } });
  });

  it.each([
    { error: new Error('password 1234'), says: /safe/ },
    { error: sourceError(true), says: /safe/ },
    { error: sourceError(false), says: /log\.$/ },
    { error: new GuardError('redaction', 'password 1234'), says: /log/ },
    { error: 'password 1234', says: /log/ },
  ])('tells nothing of the inside (case %#)', async ({ error, says }) => {
    const answer = await failing(error);
    expect(answer).toMatchObject({
      status: 500,
      body: { status: 'error', message: expect.stringMatching(says), errors: [] },
    });
    expect(JSON.stringify(answer)).not.toMatch(/1234|healer-dev-sessions|stack/);
  });

  it('asks for a pause when the table is at its limit', async () => {
    const answer = await failing(sourceError(true, 429));
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { status: 'error' } });
  });

  it('adds the fields of a route', async () => {
    const api = httpApi({ [ECHO]: () => failingWith({ session: null }, Promise.reject(new NotFoundError('gone'))) });
    expect(await send({}, api)).toMatchObject({ status: 404, body: { session: null, message: 'gone', errors: [] } });
  });

  it('answers before the function is stopped, though a peer hangs', async () => {
    const hanging = httpApi({ [ECHO]: () => new Promise<never>(() => {}) });
    const result = await hanging(anApiEvent(ECHO), aLambdaContext({ getRemainingTimeInMillis: () => 520 }));
    expect(result).toMatchObject({ statusCode: 500, headers: { 'content-type': 'application/json' } });
  });

  it.each(['GET /echo', '$default', 'constructor'])('knows no route %s', async (routeKey) => {
    expect(await send({}, handler, routeKey)).toMatchObject({ status: 404, body: { status: 'error' } });
  });
});
