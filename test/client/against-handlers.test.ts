import '#test/support/quiet.ts';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHealerClient, type HealerClient } from '#lib/client/index.ts';
import { API_TOKEN, serveSessionApi } from '#test/support/api-server.ts';
import { type SessionApi, startSessionApi } from '#test/support/session-api.ts';

let api: SessionApi;
let server: Awaited<ReturnType<typeof serveSessionApi>>;
let healer: HealerClient;

beforeAll(async () => {
  api = await startSessionApi();
  server = await serveSessionApi(api);
  healer = createHealerClient({ url: server.url, token: API_TOKEN });
});
afterAll(async () => {
  await server.stop();
  await api.stop();
});

describe('the client, against the API', () => {
  it('starts, reads, lists and ends a session', async () => {
    const agents = { rex: { cli: 'claude', tools: { remote: ['docs_lookup'], localServers: null } } };
    const session = {
      play_id: 'client-1',
      repository: 'acme/widgets',
      cto_config: { agents },
      tasks: [{ id: 7, title: 't' }],
    };
    expect((await healer.start(session)).session_id).toBe('client-1');
    expect((await healer.get('client-1')).healer.coverage.state).toBe('pending');
    expect((await healer.listActive()).sessions.map(({ play_id }) => play_id)).toEqual(['client-1']);
    expect((await healer.end('client-1', 'completed')).session.status).toBe('completed');
    expect((await healer.list({ status: 'completed', limit: 1 })).count).toBe(1);
    expect((await healer.incidents({ state: 'reported' })).incidents).toEqual([]);
    await expect(healer.incident('none')).rejects.toMatchObject({ status: 404 });
    expect(server.faults).toEqual([]);
  });

  it('says what a wrong token is', async () => {
    const wrong = createHealerClient({ url: server.url, token: 'other' });
    await expect(wrong.list()).rejects.toMatchObject({ status: 403, message: 'Healer answered 403: Forbidden' });
    await expect(createHealerClient({ url: server.url }).list()).rejects.toMatchObject({ status: 401 });
  });
});
