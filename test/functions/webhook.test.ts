import '#test/support/quiet.ts';
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { hearGitHub } from '#lib/app/hear-github.ts';
import type { IncidentStore, RemediationStore } from '#lib/app/ports.ts';
import { httpApi } from '#lib/edge/http/http-api.ts';
import { githubWebhookRoute } from '#lib/edge/http/webhook-route.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { aLambdaContext, anApiEvent } from '#test/support/builders/lambda.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const ROUTE = 'POST /api/v1/webhooks/github';
const SECRET = 'a secret of the test';

let server: TestTables;
let incidents: IncidentStore;
let remediations: RemediationStore;
let queue: ReturnType<typeof recordingQueues>;
let handler: ReturnType<typeof httpApi>;

beforeAll(async () => {
  server = await startTestTables();
  incidents = dynamoIncidentStore(toDocumentClient(), server.tables.Incidents);
  remediations = dynamoRemediationStore(toDocumentClient(), server.tables.Incidents);
});
afterAll(() => server.stop());
beforeEach(() => {
  queue = recordingQueues();
  const ports = { incidents, remediations, queues: queue.queues, clock: { now: () => Date.now() } };
  handler = httpApi({ [ROUTE]: githubWebhookRoute(async () => SECRET, hearGitHub(ports)) });
});

/** A reported incident that rests until a far look. */
async function aResting(number: number): Promise<string> {
  const id = randomUUID().replaceAll('-', '');
  const issue = { number, url: 'u' };
  const head = anIncident({ id, target: 'acme/shop', state: 'proposed', issue, next: 'publication', due: 0 });
  await incidents.record(anOccurrence({ incidentId: id }), head);
  const claim = { id, stage: 'publication', owner: 'w', now: 1, until: 2 } as const;
  const held = await incidents.claim(claim);
  if (held === undefined) throw new Error('not claimed');
  await incidents.rest(held, Date.now() + 3_600_000);
  await remediations.link('acme/shop', number, id);
  return id;
}

const ask = async (to: typeof handler, change: Parameters<typeof anApiEvent>[1]) => {
  const answer = await to(anApiEvent(ROUTE, change), aLambdaContext());
  return { status: answer.statusCode };
};

const sign = (body: string | Buffer, key = SECRET) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

const send = (event: unknown, change: { signature?: string; delivery?: string; isBase64Encoded?: boolean } = {}) => {
  const body = JSON.stringify(event);
  return ask(handler, {
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': change.signature ?? sign(body),
      'x-github-delivery': change.delivery ?? randomUUID(),
      'x-github-event': 'pull_request',
    },
    body: change.isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: change.isBase64Encoded ?? false,
  });
};

const anEvent = (number: number, change: object = {}) => ({
  action: 'closed',
  repository: { full_name: 'Acme/Shop' },
  pull_request: { number, merged: true },
  ...change,
});

describe('an event of GitHub', () => {
  it.each([false, true])('makes our incident due now (base64: %s)', async (isBase64Encoded) => {
    const id = await aResting(isBase64Encoded ? 11 : 12);
    const answer = await send(anEvent(isBase64Encoded ? 11 : 12), { isBase64Encoded });
    expect(answer.status).toBe(200);
    expect(queue.sent).toMatchObject([{ queue: 'publication', message: { incident: id } }]);
    expect((await incidents.get(id))?.due).toBeLessThanOrEqual(Date.now());
    expect(await incidents.get(id)).toMatchObject({ state: 'proposed', next: 'publication' });
  });

  it('counts once, however often it is delivered', async () => {
    await aResting(13);
    const delivery = randomUUID();
    await send(anEvent(13), { delivery });
    await send(anEvent(13), { delivery });
    expect(queue.sent).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another repository', { repository: { full_name: 'acme/other' } }],
    ['another number', { pull_request: { number: 999 } }],
    ['nothing of ours', { pull_request: null, check_run: { pull_requests: [] } }],
    ['a path for a repository', { repository: { full_name: 'acme/shop/../other' } }],
  ])('about %s changes nothing', async (_what, change) => {
    await aResting(14);
    expect((await send(anEvent(14, change))).status).toBe(200);
    expect(queue.sent).toEqual([]);
  });

  it('of checks names its pull requests', async () => {
    await aResting(15);
    await send(anEvent(0, { pull_request: null, check_run: { pull_requests: [{ number: 15 }] } }));
    expect(queue.sent).toHaveLength(1);
  });
});

describe('what GitHub did not sign', () => {
  it.each<[string, string]>([
    ['with another secret', sign(JSON.stringify(anEvent(16)), 'other')],
    ['over another body', sign('{}')],
    ['by SHA-1', 'sha1=0000000000000000000000000000000000000000'],
    ['not at all', ''],
    ['with half a signature', 'sha256=00'],
  ])('(%s) is refused', async (_how, signature) => {
    await aResting(16);
    const answer = await send(anEvent(16), { signature });
    expect(answer.status).toBe(403);
    expect(queue.sent).toEqual([]);
  });

  it('is refused as long as no secret is stored', async () => {
    const route = githubWebhookRoute(
      async () => '',
      async () => {},
    );
    const body = '{}';
    const headers = { 'x-hub-signature-256': sign(body, ''), 'x-github-delivery': randomUUID() };
    const answer = await ask(httpApi({ [ROUTE]: route }), { headers, body });
    expect(answer.status).toBe(403);
  });
});
