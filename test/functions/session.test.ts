import '#test/support/quiet.ts';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '#test/support/api.ts';
import { type SessionApi, startSessionApi } from '#test/support/session-api.ts';
import packageJson from '../../package.json' with { type: 'json' };

const START = 'POST /api/v1/session/start';
const END = 'POST /api/v1/session/{play_id}/end';
const GET = 'GET /api/v1/session/{play_id}';
const LIST = 'GET /api/v1/sessions';
const ACTIVE = 'GET /api/v1/sessions/active';
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const healer = { request_id: 'gateway-request-1' };

let api: SessionApi;
let write: SessionApi['write'];
let read: SessionApi['read'];

beforeAll(async () => {
  api = await startSessionApi('acme/*, solo/one');
  ({ write, read } = api);
});
afterAll(() => api.stop());

const start = (body: unknown) => ask(write, START, { body });
const end = (playId: string, body: unknown) => ask(write, END, { parameters: { play_id: playId }, body });
const get = (playId: string) => ask(read, GET, { parameters: { play_id: playId } });

const aBody = (playId: string, overrides: object = {}) => ({
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
          remote: ['docs_lookup', 'github_create_branch'],
          localServers: { filesystem: { enabled: true, tools: ['read_file', 'write_file'] } },
        },
      },
      cleo: { githubApp: 'Acme-Cleo', cli: 'claude', model: 'some-model', tools: { remote: [], localServers: {} } },
    },
  },
  tasks: [{ id: '7', title: 'Task 7', dependencies: [] }],
  ...overrides,
});

describe('GET /health', () => {
  it('says which version is up', async () => {
    const body = { status: 'healthy', version: packageJson.version, service: 'healer-play-api', healer };
    expect(await ask(read, 'GET /health')).toEqual({ status: 200, body });
  });
});

describe('a session', () => {
  it('is started, read, repeated, ended and started anew, in the original format', async () => {
    const body = aBody('life');
    const started = {
      status: 'ok',
      session_id: 'life',
      message: 'Session started with 1 task(s) and 2 agent(s)',
      healer,
    };
    expect(await start(body)).toEqual({ status: 200, body: started });
    const session = {
      ...body,
      tasks: [{ id: '7', title: 'Task 7', agent_hint: null, dependencies: [], priority: 0 }],
      started_at: MOMENT,
      last_updated: MOMENT,
      status: 'active',
      issues: [],
    };
    const coverage = expect.objectContaining({ state: 'pending', gaps: [] }) as object;
    const attribution = { rules: [], unclaimed: { count: 0, pods: [] }, advice: null };
    const unseen = [
      'A10 and A12 cannot be seen for claude-code without --output-format stream-json --verbose (rex, cleo).',
    ];
    const seen = { ...healer, coverage, pods: [], attribution, unseen, incidents: [] };
    const answer = { status: 'ok', session, message: null, healer: { ...seen, ended_at: null, ended_by: null } };
    const first = await get('life');
    expect(first).toEqual({ status: 200, body: answer });

    expect(await start(body)).toMatchObject({ status: 200, body: { status: 'ok', session_id: 'life' } });
    expect(await get('life')).toEqual(first);

    const end1 = await end('life', { status: 'completed' });
    const ended = { ...answer, session: { ...session, status: 'completed' } };
    const byCall = { ended_at: MOMENT, ended_by: 'call' };
    expect(end1).toEqual({ status: 200, body: { ...ended, healer: { ...healer, ...byCall } } });
    expect(await end('life', { status: 'completed' })).toEqual(end1);
    expect(await get('life')).toEqual({ status: 200, body: { ...ended, healer: { ...seen, ...byCall } } });

    expect(await start({ ...body, service: 'other' })).toMatchObject({ status: 200 });
    expect(await get('life')).toMatchObject({ body: { session: { status: 'active', service: 'other' } } });
  });

  it('has its absent optionals as null', async () => {
    await start({
      play_id: 'bare',
      repository: 'acme/widgets',
      cto_config: { agents: { rex: {} } },
      tasks: [{ id: 1, title: 't' }],
    });
    expect(await get('bare')).toMatchObject({
      body: {
        message: null,
        session: {
          service: null,
          namespace: 'cto',
          cto_config: {
            agents: { rex: { githubApp: null, cli: null, model: null, tools: { remote: [], localServers: {} } } },
          },
          tasks: [{ id: '1', title: 't', agent_hint: null, dependencies: [], priority: 0 }],
        },
      },
    });
  });

  it('is not what another start says while it is active: 409 names what differs', async () => {
    await start(aBody('conflict'));
    const answer = await start(aBody('conflict', { service: 'secret-service', tasks: [] }));
    expect(answer).toEqual({
      status: 409,
      body: {
        status: 'error',
        session_id: 'conflict',
        message: expect.stringMatching(/^Session conflict is active with another declaration\. End it first/) as string,
        errors: [
          { path: 'service', message: 'differs from the active session' },
          { path: 'tasks', message: 'differs from the active session' },
        ],
        healer,
      },
    });
  });

  it('ends as it ended first', async () => {
    await start(aBody('twice'));
    await end('twice', { status: 'failed' });
    expect(await end('twice', { status: 'completed' })).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringMatching(/first end stands/), errors: [{ path: 'status' }] },
    });
  });

  it.each([
    { body: {}, says: /one of completed, failed, cancelled/ },
    { body: { status: 'active' }, says: /one of completed, failed, cancelled/ },
    { body: null, says: /an object/ },
  ])('says how it may end (case %#)', async ({ body, says }) => {
    await start(aBody('endings'));
    const answer = await end('endings', body);
    expect(answer).toMatchObject({ status: 400, body: { status: 'error' } });
    expect(answer.body.errors).toEqual([
      { path: body === null ? '' : 'status', message: expect.stringMatching(says) as string },
    ]);
  });

  it('that was never started is not found', async () => {
    const answer = {
      status: 404,
      body: { status: 'error', session: null, message: 'No session never is stored.', errors: [], healer },
    };
    expect(await get('never')).toEqual(answer);
    expect(await end('never', { status: 'failed' })).toEqual(answer);
  });

  it('cannot have any id', async () => {
    expect(await get('<script>')).toMatchObject({ status: 400, body: { errors: [{ path: 'play_id' }] } });
  });
});

describe('races', () => {
  it('answers fifty equal starts with 200 and leaves one record', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(aBody('race-equal'))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await ask(read, LIST, { query: { limit: '1000' } });
    const listed = (body.sessions as { play_id: string }[]).filter(({ play_id }) => play_id === 'race-equal');
    expect(listed).toHaveLength(1);
  });

  it('answers one of fifty different starts with 200 and the others with 409', async () => {
    const bodies = Array.from({ length: 50 }, (_, index) => aBody('race-different', { service: `service-${index}` }));
    const answers = await Promise.all(bodies.map(start));
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [`service-${index}`] : []));
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await get('race-different')).toMatchObject({ body: { session: { service: winners[0] } } });
  });
});

describe('repositories', () => {
  it.each(['acme/widgets', 'Acme/Other', 'https://github.com/acme/widgets.git', 'git@github.com:solo/one.git'])(
    'may be %s',
    async (repository) => {
      expect(await start(aBody(`allowed-${repository.replaceAll(/\W/g, '-')}`, { repository }))).toMatchObject({
        status: 200,
      });
    },
  );

  it.each(['solo/two', 'https://github.com/evil/acme'])('may not be %s', async (repository) => {
    const { status, body } = await start(aBody('refused', { repository }));
    expect({ status, kind: body.status }).toEqual({ status: 403, kind: 'error' });
    expect(body.message).toMatch(/not in the list.*repositories\.allowed/);
    expect(body.message).not.toMatch(/solo\/one/);
  });

  it('must be repositories', async () => {
    expect(await start(aBody('x', { repository: 'https://gitlab.com/acme/widgets' }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'repository' }] },
    });
  });
});

describe('lists', () => {
  it('are in the original format, newest first, by pages and filters', async () => {
    for (const id of ['list-1', 'list-2', 'list-3']) await start(aBody(id, { repository: 'acme/listed' }));
    await end('list-2', { status: 'failed' });
    const query = { repository: 'https://github.com/Acme/Listed' };
    const first = await ask(read, LIST, { query: { ...query, limit: '2' } });
    const summary = { repository: 'acme/listed', task_count: 1, issue_count: 0, started_at: MOMENT };
    expect(first).toEqual({
      status: 200,
      body: {
        status: 'ok',
        count: 2,
        sessions: [
          { play_id: 'list-3', status: 'active', ...summary },
          { play_id: 'list-2', status: 'failed', ...summary },
        ],
        next_cursor: expect.any(String) as string,
        healer,
      },
    });
    const next = { ...query, limit: '2', cursor: String(first.body.next_cursor) };
    const second = await ask(read, LIST, { query: next });
    expect(second.body).toMatchObject({ count: 1, sessions: [{ play_id: 'list-1' }], next_cursor: null });

    const active = await ask(read, ACTIVE, { query });
    expect(active.body).toMatchObject({ count: 2, sessions: [{ play_id: 'list-3' }, { play_id: 'list-1' }] });
    const failed = await ask(read, LIST, { query: { ...query, status: 'failed' } });
    expect(failed.body).toMatchObject({ count: 1, sessions: [{ play_id: 'list-2' }] });
    const all = await ask(read, ACTIVE, { query: { status: 'failed' } });
    expect(all.body.sessions).not.toContainEqual(expect.objectContaining({ status: 'failed' }));
  });

  it.each<{ query: Record<string, string>; path: string }>([
    { query: { limit: '0' }, path: 'limit' },
    { query: { limit: '1001' }, path: 'limit' },
    { query: { limit: 'ten' }, path: 'limit' },
    { query: { status: 'running' }, path: 'status' },
    { query: { repository: 'nonsense' }, path: 'repository' },
    { query: { cursor: 'tampered' }, path: 'cursor' },
  ])('say what is wrong with $query', async ({ query, path }) => {
    expect(await ask(read, LIST, { query })).toMatchObject({
      status: 400,
      body: { status: 'error', errors: [{ path }] },
    });
  });
});

describe('what the original caller sends', () => {
  const remote = Array.from({ length: 20 }, (_, index) => `server_${index % 4}_tool_${index}`);
  const anAgentWith = (tools: unknown) => ({ githubApp: 'Acme-Rex', cli: 'claude', model: 'some-model', tools });
  const withTools = (tools: unknown) => ({ cto_config: { agents: { rex: anAgentWith(tools) } } });
  const twelve = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`agent${index}`, anAgentWith({ remote, localServers: {} })]),
  );

  it.each([
    { what: 'one task with a decimal id', fields: {}, status: 200, counts: '1 task(s) and 2 agent(s)' },
    {
      what: 'twelve agents with twenty tools',
      fields: { cto_config: { agents: twelve } },
      status: 200,
      counts: '1 task(s) and 12',
    },
    {
      what: 'localServers: null',
      fields: withTools({ remote, localServers: null }),
      status: 200,
      counts: '1 agent(s)',
    },
    { what: 'no localServers', fields: withTools({ remote }), status: 200, counts: '1 agent(s)' },
    { what: 'remote: null', fields: withTools({ remote: null, localServers: {} }), status: 200, counts: '1 agent(s)' },
    { what: 'tools: null', fields: withTools(null), status: 200, counts: '1 agent(s)' },
    {
      what: 'no tools',
      fields: { cto_config: { agents: { rex: { cli: 'claude' } } } },
      status: 200,
      counts: '1 agent(s)',
    },
    { what: 'no agents', fields: { cto_config: {} }, status: 200, counts: '0 agent(s)' },
    { what: 'no configuration', fields: { cto_config: undefined }, status: 200, counts: '0 agent(s)' },
    { what: 'service: null', fields: { service: null }, status: 200, counts: '1 task(s)' },
    {
      what: 'a numeric task id',
      fields: { tasks: [{ id: 7, title: 'Task 7', dependencies: [] }] },
      status: 200,
      counts: '1 task(s)',
    },
    { what: 'no tasks', fields: { tasks: undefined }, status: 200, counts: '0 task(s)' },
    { what: 'fields of a later version', fields: { workflow: { uid: 'x' } }, status: 200, counts: '1 task(s)' },
    { what: 'no play_id', fields: { play_id: undefined }, status: 400, counts: 'errors' },
    { what: 'no repository', fields: { repository: undefined }, status: 400, counts: 'errors' },
    { what: 'a task without title', fields: { tasks: [{ id: '7' }] }, status: 400, counts: 'errors' },
  ])('$what: $status', async ({ what, fields, status, counts }) => {
    const id = `replay-${what.replaceAll(/\W+/g, '-').replaceAll(/-$/g, '')}`;
    const answer = await start(aBody(id, fields));
    expect(answer).toMatchObject({ status, body: { status: status === 200 ? 'ok' : 'error' } });
    expect(answer.body.message).toContain(counts);
    if (status === 200) expect((await start(aBody(id, fields))).status).toBe(200);
  });

  it('keeps every tool that was declared', async () => {
    await start(aBody('inventory', { cto_config: { agents: twelve } }));
    expect(await get('inventory')).toMatchObject({ body: { session: { cto_config: { agents: twelve } } } });
  });

  it('is the same whether a field is null or absent, and in which order fields come', async () => {
    const body = aBody('canonical', withTools({ remote, localServers: null }));
    expect((await start(body)).status).toBe(200);
    const { service, tasks: _tasks, ...rest } = aBody('canonical', withTools({ localServers: {}, remote }));
    const other = { tasks: [{ priority: null, title: 'Task 7', id: 7, agent_hint: null }], service, ...rest };
    expect((await start(other)).status).toBe(200);
    expect((await start({ ...other, service: null })).status).toBe(409);
  });
});
