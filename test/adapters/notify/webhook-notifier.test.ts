import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookNotifier } from '#lib/adapters/notify/webhook-notifier.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import { renderNotification } from '#lib/domain/publication/render-notification.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

const MESSAGE = { title: 'rex cannot start', text: 'Tool missing.', url: 'https://github.com/acme/shop/issues/3' };

let peer: HttpPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

async function aWebhook(answer: (response: ServerResponse) => void = (response) => response.end('ok')) {
  peer = await aHttpPeer(answer);
  return peer;
}

const notifierOf = (secret: string, timeoutMs?: number) =>
  webhookNotifier({ secrets: { get: async () => secret }, ...(timeoutMs === undefined ? {} : { timeoutMs }) });

const textOf = (webhook: HttpPeer): string => (JSON.parse(webhook.asked[0]?.body ?? '{}') as { text: string }).text;

describe('webhookNotifier', () => {
  it('posts title, text and link in Slack’s format', async () => {
    const webhook = await aWebhook();
    await notifierOf(`${webhook.url}/services/T/B/x\n`).notify(MESSAGE);
    expect(webhook.asked[0]).toMatchObject({
      method: 'POST',
      path: '/services/T/B/x',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(webhook.asked[0]?.body ?? '')).toEqual({
      text: '*rex cannot start*\nTool missing.\nhttps://github.com/acme/shop/issues/3',
    });
  });

  it('sends what is rendered as it is: escaped once', async () => {
    const webhook = await aWebhook();
    const diagnosis = aDiagnosis({ summary: '<!channel> <@U123> a & b', remedy: [] });
    await notifierOf(webhook.url).notify(renderNotification(anIncident({ title: 'R&D <x>' }), diagnosis, null));
    expect(textOf(webhook)).toContain('&lt;!channel&gt;');
    expect(textOf(webhook)).toContain('a &amp; b');
    expect(textOf(webhook)).toContain('R&amp;D');
    expect(textOf(webhook)).not.toMatch(/&amp;(?:amp|lt|gt);|[<>]/);
  });

  it('refuses text that nobody escaped', async () => {
    const webhook = await aWebhook();
    const sent = notifierOf(webhook.url).notify({ ...MESSAGE, text: '<!channel> look' });
    await expect(sent).rejects.toBeInstanceOf(GuardError);
    expect(webhook.asked).toEqual([]);
  });

  it('is short whatever it is given, without half characters', async () => {
    const webhook = await aWebhook();
    await notifierOf(webhook.url).notify({ ...MESSAGE, text: '🔥'.repeat(10_000) });
    expect(Array.from(textOf(webhook))).toHaveLength(3_000);
    expect(textOf(webhook).isWellFormed()).toBe(true);
  });

  it('tells nobody when no webhook is stored', async () => {
    const missing = new SourceError({ source: 'secrets', message: 'm', retryable: false, advice: 'a', status: 404 });
    const secrets = { get: () => Promise.reject(missing) };
    await expect(webhookNotifier({ secrets }).notify(MESSAGE)).resolves.toBeUndefined();
  });

  it('does not hide that the secret could not be read', async () => {
    const denied = new SourceError({ source: 'secrets', message: 'm', retryable: false, advice: 'a', status: 400 });
    const secrets = { get: () => Promise.reject(denied) };
    await expect(webhookNotifier({ secrets }).notify(MESSAGE)).rejects.toBe(denied);
  });

  it.each([
    'http://hooks.example.com/x',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'hooks.example.com',
    'http://127.0.0.1.evil.example/',
  ])('refuses the address %s and does not repeat it', async (secret) => {
    const failure = await notifierOf(secret)
      .notify(MESSAGE)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SourceError', source: 'notify', retryable: false });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain(secret);
  });

  it.each([
    [400, false],
    [404, false],
    [429, true],
    [500, true],
  ])('an answer of %d is an error, retryable: %s', async (status, retryable) => {
    const webhook = await aWebhook((response) => response.writeHead(status).end('invalid_token'));
    await expect(notifierOf(webhook.url).notify(MESSAGE)).rejects.toMatchObject({
      source: 'notify',
      status,
      retryable,
    });
  });

  it('follows no redirect', async () => {
    const trap = await aHttpPeer((response) => response.end('ok'));
    const webhook = await aWebhook((response) => response.writeHead(307, { location: trap.url }).end());
    await expect(notifierOf(webhook.url).notify(MESSAGE)).rejects.toMatchObject({ status: 307, retryable: false });
    expect(trap.asked).toEqual([]);
    await trap.stop();
  });

  it('waits no longer than its time, and says nothing of the address', async () => {
    const webhook = await aWebhook(() => {});
    const failure = await notifierOf(`${webhook.url}/secret`, 100)
      .notify(MESSAGE)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ source: 'notify', retryable: true });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('/secret');
  });
});
