import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#lib/domain/errors.ts';
import { hashDeclaration } from '#lib/domain/session/declaration.ts';
import { parseStartRequest } from '#lib/edge/http/start-request.ts';

const minimal = { play_id: 'play-1', repository: 'acme/widgets' };
const withAgent = (agent: unknown) => ({ ...minimal, cto_config: { agents: { rex: agent } } });
const withTask = (task: unknown) => ({ ...minimal, tasks: [task] });
const noAgent = { githubApp: null, cli: null, model: null, tools: { remote: [], localServers: {} } };

function faultsOf(body: unknown) {
  try {
    return parseStartRequest(body);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).faults;
  }
}

describe('parseStartRequest', () => {
  it('fills in the defaults of the original', () => {
    expect(parseStartRequest(minimal)).toEqual({
      playId: 'play-1',
      repository: 'acme/widgets',
      service: null,
      namespace: 'cto',
      agents: {},
      tasks: [],
    });
  });

  it.each([
    { service: null, namespace: null, cto_config: null, tasks: null },
    { cto_config: {} },
    { cto_config: { agents: null }, tasks: [] },
    { unknown: { field: [1, 2] }, cto_config: { agents: {}, other: true } },
  ])('reads null, absent and unknown fields as the same declaration (case %#)', (fields) => {
    expect(hashDeclaration(parseStartRequest({ ...minimal, ...fields }))).toBe(
      hashDeclaration(parseStartRequest(minimal)),
    );
  });

  it.each([
    null,
    {},
    { githubApp: null, cli: null, model: null, tools: null },
    { tools: {} },
    { tools: { remote: null, localServers: null } },
    { tools: { remote: [] } },
  ])('reads an agent without tools (case %#)', (agent) => {
    expect(parseStartRequest(withAgent(agent)).agents).toEqual({ rex: noAgent });
  });

  it('reads both spellings; the documented one wins', () => {
    const server = { enabled: true, tools: ['read_file'] };
    const camel = { githubApp: 'Acme-Rex', tools: { localServers: { fs: server } } };
    const snake = { github_app: 'Acme-Rex', tools: { local_servers: { fs: server } } };
    const both = { githubApp: 'Acme-Rex', github_app: 'x', tools: { localServers: { fs: server }, local_servers: {} } };
    const expected = parseStartRequest(withAgent(camel));
    expect(expected.agents.rex?.tools.localServers).toEqual({ fs: server });
    expect(parseStartRequest(withAgent(snake))).toEqual(expected);
    expect(parseStartRequest(withAgent(both))).toEqual(expected);
    expect(parseStartRequest(withAgent({ ...camel, githubApp: null, github_app: 'Acme-Rex' }))).toEqual(expected);
  });

  it('reads a local server without fields as disabled', () => {
    const servers = { a: null, b: {}, c: { enabled: null, tools: null } };
    const disabled = { enabled: false, tools: [] };
    const { agents } = parseStartRequest(withAgent({ tools: { localServers: servers } }));
    expect(agents.rex?.tools.localServers).toEqual({ a: disabled, b: disabled, c: disabled });
  });

  it('reads ids of tasks that are numbers', () => {
    const { tasks } = parseStartRequest(withTask({ id: 7, title: 'Task 7', dependencies: [1, '2', 3.1] }));
    expect(tasks).toEqual([
      { id: '7', title: 'Task 7', agentHint: null, dependencies: ['1', '2', '3.1'], priority: 0 },
    ]);
  });

  it.each([
    { body: null, path: '', says: /an object, not null/ },
    { body: [], path: '', says: /an object, not an array/ },
    { body: 'text', path: '', says: /an object, not a string/ },
    { body: { repository: 'a/b' }, path: 'play_id', says: /is required: a string/ },
    { body: { play_id: 'p' }, path: 'repository', says: /is required: a string/ },
    { body: { ...minimal, play_id: 7 }, path: 'play_id', says: /a string, not a number/ },
    { body: { ...minimal, play_id: '../x' }, path: 'play_id', says: /1 to 253 characters: letters, digits/ },
    { body: { ...minimal, play_id: '-x' }, path: 'play_id', says: /beginning with a letter or digit/ },
    { body: { ...minimal, play_id: 'x'.repeat(254) }, path: 'play_id', says: /1 to 253/ },
    { body: { ...minimal, namespace: 'a"}' }, path: 'namespace', says: /Kubernetes namespace/ },
    { body: { ...minimal, service: {} }, path: 'service', says: /a string, not an object/ },
    { body: { ...minimal, service: 'é'.repeat(2049) }, path: 'service', says: /longer than 4096 bytes/ },
    { body: { ...minimal, tasks: {} }, path: 'tasks', says: /an array, not an object/ },
    { body: withAgent([]), path: 'cto_config.agents.rex', says: /an object, not an array/ },
    { body: withAgent({ cli: 3 }), path: 'cto_config.agents.rex.cli', says: /a string, not a number/ },
    {
      body: withAgent({ tools: { remote: ['a', null] } }),
      path: 'cto_config.agents.rex.tools.remote[1]',
      says: /not null/,
    },
    { body: withAgent({ tools: { remote: 'a' } }), path: 'cto_config.agents.rex.tools.remote', says: /an array/ },
    {
      body: withAgent({ tools: { localServers: { fs: { enabled: 'yes' } } } }),
      path: 'cto_config.agents.rex.tools.localServers.fs.enabled',
      says: /true or false, not a string/,
    },
    {
      body: withAgent({ tools: { remote: Array.from({ length: 201 }, () => 'a') } }),
      path: 'cto_config.agents.rex.tools.remote',
      says: /at most 200/,
    },
    {
      body: withAgent({
        tools: {
          remote: Array.from({ length: 101 }, () => 'a'),
          localServers: { fs: { tools: Array.from({ length: 100 }, () => 'b') } },
        },
      }),
      path: 'cto_config.agents.rex.tools',
      says: /at most 200, remote ones and those of local servers together/,
    },
    { body: withTask({ title: 'x' }), path: 'tasks[0].id', says: /a string/ },
    { body: withTask({ id: '', title: 'x' }), path: 'tasks[0].id', says: /must not be empty/ },
    { body: withTask({ id: true, title: 'x' }), path: 'tasks[0].id', says: /a string/ },
    { body: withTask({ id: '7' }), path: 'tasks[0].title', says: /is required: a string/ },
    { body: withTask({ id: '7', title: 'x', priority: 1.5 }), path: 'tasks[0].priority', says: /32 bits/ },
    { body: withTask({ id: '7', title: 'x', priority: 2 ** 31 }), path: 'tasks[0].priority', says: /32 bits/ },
    {
      body: { ...minimal, tasks: Array.from({ length: 501 }, (_, index) => ({ id: index, title: 'x' })) },
      path: 'tasks',
      says: /at most 500/,
    },
    {
      body: {
        ...minimal,
        cto_config: { agents: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`a${index}`, null])) },
      },
      path: 'cto_config.agents',
      says: /at most 500/,
    },
  ])('says at $path what would be right (case %#)', ({ body, path, says }) => {
    expect(faultsOf(body)).toContainEqual({ path, message: expect.stringMatching(says) as string });
  });

  it('refuses what grows too large for one record when defaults are filled in', () => {
    const servers = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`s${index}`, null]));
    const agents = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`a${index}`, { tools: { localServers: servers } }]),
    );
    const body = { ...minimal, cto_config: { agents } };
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(256 * 1024);
    expect(faultsOf(body)).toEqual([{ path: '', message: expect.stringMatching(/358400 bytes/) }]);
  });

  it('does not repeat a key that is no name', () => {
    const body = { ...minimal, cto_config: { agents: { 'my secret: 1234': {}, ['x'.repeat(500)]: {} } } };
    expect(JSON.stringify(faultsOf(body))).not.toMatch(/1234|xxxx/);
  });

  it('lists at most twenty faults', () => {
    expect(faultsOf({ ...minimal, tasks: Array.from({ length: 400 }, () => null) })).toHaveLength(20);
  });

  it('answers any JSON with a declaration or with faults', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (agents, tasks, tools) => {
        faultsOf({ ...minimal, cto_config: { agents }, tasks });
        faultsOf(withAgent({ tools }));
        faultsOf(tools);
      }),
    );
  });
});
