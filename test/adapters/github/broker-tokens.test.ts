import type { ServerResponse } from 'node:http';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { brokerTokens } from '#lib/adapters/github/broker-tokens.ts';
import { parseTarget, toGranted, toRefused } from '#lib/adapters/github/broker-wire.ts';
import { ForbiddenError, InputError, SourceError } from '#lib/domain/errors.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:healer-dev-github-token:write';
const HOUR = 3_600_000;
const TOKEN = { token: 'ghs_secret', expiresAt: HOUR, installationId: '7', author: 'healer[bot]' };

let peer: HttpPeer;
afterEach(() => peer.stop());

/** The client against a Lambda that answers so, and a clock that can be set. */
async function aBroker(answer: (response: ServerResponse) => void) {
  peer = await aHttpPeer(answer);
  const lambda = new LambdaClient({
    endpoint: peer.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  const clock = { at: 0, now: () => clock.at };
  return { tokens: brokerTokens(lambda, ARN, clock), clock };
}

const saying =
  (payload: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(payload));
  };

describe('brokerTokens', () => {
  it('invokes the alias by its whole ARN, with the target alone', async () => {
    const { tokens } = await aBroker(saying(toGranted(TOKEN)));
    expect(await tokens.get('acme/shop')).toEqual(TOKEN);
    expect(decodeURIComponent(peer.asked[0]?.path ?? '')).toBe(`/2015-03-31/functions/${ARN}/invocations`);
    expect(JSON.parse(peer.asked[0]?.body ?? '')).toEqual({ target: 'acme/shop' });
  });

  it('keeps a token until five minutes before its end, for its repository', async () => {
    const { tokens, clock } = await aBroker(saying(TOKEN));
    await tokens.get('acme/shop');
    clock.at = HOUR - 300_001;
    await tokens.get('acme/shop');
    expect(peer.asked).toHaveLength(1);
    await tokens.get('acme/other');
    expect(peer.asked).toHaveLength(2);
    clock.at = HOUR - 300_000;
    await tokens.get('acme/shop');
    expect(peer.asked).toHaveLength(3);
  });

  it('asks again after forget', async () => {
    const { tokens } = await aBroker(saying(TOKEN));
    await tokens.get('acme/shop');
    tokens.forget('acme/shop');
    await tokens.get('acme/shop');
    expect(peer.asked).toHaveLength(2);
  });

  it('passes on what the broker says went wrong', async () => {
    const cause = new SourceError({
      source: 'github',
      message: 'limited',
      retryable: true,
      advice: 'Wait.',
      status: 403,
      retryAfterMs: 9_000,
    });
    const { tokens } = await aBroker(saying(toRefused(cause)));
    await expect(tokens.get('acme/shop')).rejects.toMatchObject({
      source: 'github',
      message: 'limited',
      advice: 'Wait.',
      retryable: true,
      status: 403,
      retryAfterMs: 9_000,
    });
  });

  it.each<[string, (response: ServerResponse) => void, boolean]>([
    ['a function error', saying({ errorMessage: 'ghs_secret' }, { 'x-amz-function-error': 'Unhandled' }), true],
    ['another form', saying({ token: 'ghs_secret' }), true],
    ['no JSON', (response) => response.writeHead(200).end('ghs_secret'), true],
    [
      'a refused right',
      (response) => response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' }).end('{}'),
      false,
    ],
    [
      'throttling',
      (response) => response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}'),
      true,
    ],
    [
      'a server fault',
      (response) => response.writeHead(500, { 'x-amzn-errortype': 'ServiceException' }).end('{}'),
      true,
    ],
    ['a broken connection', (response) => response.destroy(), true],
  ])('%s is an error of the broker, and says no token', async (_name, answer, retryable) => {
    const { tokens } = await aBroker(answer);
    const failure = await tokens.get('acme/shop').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SourceError', source: 'github-token', retryable });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('ghs_secret');
  });
});

describe('the words between broker and callers', () => {
  it('take a target and ignore everything else', async () => {
    peer = await aHttpPeer(() => {});
    expect(parseTarget({ target: 'acme/shop', permissions: { workflows: 'write' } })).toBe('acme/shop');
    for (const wrong of [
      undefined,
      null,
      {},
      { target: 7 },
      { target: '' },
      'acme/shop',
      { target: 'x'.repeat(201) },
    ]) {
      expect(() => parseTarget(wrong)).toThrow(InputError);
    }
  });

  it('refuse with reason, and let a bug be a bug', async () => {
    peer = await aHttpPeer(() => {});
    expect(toRefused(new ForbiddenError('not in the list'))).toMatchObject({
      error: { source: 'github-token', message: 'not in the list', retryable: false },
    });
    expect(() => toRefused(new TypeError('bug'))).toThrow(TypeError);
  });
});
