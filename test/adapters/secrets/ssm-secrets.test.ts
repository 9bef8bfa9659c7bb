import type { ServerResponse } from 'node:http';
import { SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, describe, expect, it } from 'vitest';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

let peer: HttpPeer;
afterEach(() => peer.stop());

async function aStore(answer: (response: ServerResponse, name: string) => void) {
  peer = await aHttpPeer((response, asked) => answer(response, (JSON.parse(asked.body) as { Name: string }).Name));
  const ssm = new SSMClient({
    endpoint: peer.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  const clock = { at: 0, now: () => clock.at };
  return { secrets: ssmSecrets({ ssm, prefix: '/healer/dev/', clock }), clock };
}

const json = (response: ServerResponse, status: number, data: unknown) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(data));

const holding =
  (value: string, type = 'SecureString') =>
  (response: ServerResponse, name: string) =>
    json(response, 200, { Parameter: { Name: name, Type: type, Value: value } });

describe('ssmSecrets', () => {
  it('reads below the prefix, decrypted', async () => {
    const { secrets } = await aStore(holding('hunter2'));
    expect(await secrets.get('github-app-key')).toBe('hunter2');
    expect(JSON.parse(peer.asked[0]?.body ?? '')).toEqual({ Name: '/healer/dev/github-app-key', WithDecryption: true });
  });

  it('keeps a value for five minutes and then sees the rotated one', async () => {
    let value = 'old';
    const { secrets, clock } = await aStore((response, name) => holding(value)(response, name));
    await secrets.get('a');
    value = 'new';
    clock.at = 299_999;
    expect(await secrets.get('a')).toBe('old');
    clock.at = 300_000;
    expect(await secrets.get('a')).toBe('new');
    await secrets.get('b');
    expect(peer.asked).toHaveLength(3);
  });

  it('does not keep a failure', async () => {
    let isStored = false;
    const { secrets } = await aStore((response, name) =>
      isStored ? holding('x')(response, name) : json(response, 400, { __type: 'ParameterNotFound', message: '' }),
    );
    await expect(secrets.get('a')).rejects.toMatchObject({ status: 404 });
    isStored = true;
    expect(await secrets.get('a')).toBe('x');
  });

  it.each<[string, (response: ServerResponse, name: string) => void, object]>([
    [
      'not stored',
      (response) => json(response, 400, { __type: 'ParameterNotFound', message: '' }),
      { status: 404, retryable: false, advice: expect.stringContaining('aws ssm put-parameter') },
    ],
    [
      'stored in the clear',
      holding('hunter2', 'String'),
      { retryable: false, advice: expect.stringContaining('SecureString') },
    ],
    ['empty', holding(' '), { retryable: false }],
    [
      'forbidden',
      (response) => json(response, 400, { __type: 'AccessDeniedException', message: 'hunter2' }),
      { status: 400, retryable: false, advice: expect.stringContaining('ssm:GetParameter') },
    ],
    [
      'throttled',
      (response) => json(response, 400, { __type: 'ThrottlingException', message: '' }),
      { retryable: true },
    ],
    [
      'out of order',
      (response) => json(response, 500, { __type: 'InternalServerError', message: '' }),
      { retryable: true },
    ],
    ['disconnected', (response) => response.destroy(), { retryable: true }],
  ])('%s: names the secret and what to do, never a value', async (_name, answer, expected) => {
    const { secrets } = await aStore(answer);
    const failure = await secrets.get('github-app-key').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SourceError', source: 'secrets', ...expected });
    expect(String(failure)).toContain('/healer/dev/github-app-key');
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('hunter2');
  });
});
