import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { startDemoStack } from '#test/support/demo-stack.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

/** Packaging and the demo take some seconds. */
const WITH_DEMO_MS = 180_000;

let stack: LocalStack;
beforeAll(async () => {
  stack = await startDemoStack();
}, WITH_DEMO_MS);
afterAll(() => stack?.stop());

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** `healer mcp` as a coding assistant starts it; `stderr` collects what it prints there. */
async function connect(env: Record<string, string> = { HEALER_URL: stack.url }) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['lib/cli/main.ts', 'mcp'],
    env,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'assistant', version: '1' });
  const faults: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client has no other way
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  clients.push(client);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
    const [content] = result.content;
    return { ...result, text: content?.type === 'text' ? content.text : '' };
  };
  return { client, call, faults, stderr: () => stderr };
}

describe('healer mcp', () => {
  it('lists five tools with typed schemas', async () => {
    const { client, faults, stderr } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'healer' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'healer_start_session',
      'healer_get_session',
      'healer_list_sessions',
      'healer_list_incidents',
      'healer_explain_incident',
    ]);
    for (const { inputSchema, outputSchema, description } of tools) {
      expect(description).toMatch(/\.$/);
      expect(Object.keys(inputSchema.properties ?? {})).not.toHaveLength(0);
      expect(outputSchema?.required).toContain('status');
    }
    expect([faults, stderr()]).toEqual([[], '']);
  });

  it('starts a session, finds it and reads it', async () => {
    const { call } = await connect();
    const session = {
      play_id: 'mcp-1',
      repository: 'acme/widgets',
      cto_config: { agents: { rex: { cli: 'claude', tools: { remote: ['docs_lookup'], localServers: null } } } },
      tasks: [{ id: 7, title: 'Task 7' }],
    };
    const started = await call('healer_start_session', session);
    expect(started.text).toBe('mcp-1: Session started with 1 task(s) and 1 agent(s)');
    expect(started.structuredContent).toMatchObject({ status: 'ok', session_id: 'mcp-1' });
    expect((await call('healer_start_session', session)).isError).toBeUndefined();

    const active = await call('healer_list_sessions', { status: 'active' });
    expect(active.text).toContain('- mcp-1: active, acme/widgets');
    expect(active.structuredContent).toMatchObject({ sessions: [{ play_id: 'mcp-1' }] });

    const read = await call('healer_get_session', { play_id: 'mcp-1' });
    expect(read.text).toMatch(
      /Session mcp-1 of acme\/widgets is active\.[^]*rex \(claude, 1 remote tools\)[^]*Logs: pending/,
    );
    expect(read.structuredContent).toMatchObject({ healer: { coverage: { gaps: [] } } });
  });

  it('says of a start what differs from the session that is active', async () => {
    const { call } = await connect();
    await call('healer_start_session', { play_id: 'mcp-2', repository: 'acme/widgets' });
    const other = await call('healer_start_session', {
      play_id: 'mcp-2',
      repository: 'acme/widgets',
      service: 'other',
    });
    expect(other.isError).toBe(true);
    expect(other.text).toMatch(/409[^]*- service: differs[^]*What to do: End the session/);
  });

  it('pages through lists', async () => {
    const { call } = await connect();
    await call('healer_start_session', { play_id: 'mcp-3', repository: 'acme/widgets' });
    const first = await call('healer_list_sessions', { limit: 1 });
    const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
    expect(first.text).toContain(`ask again with cursor ${cursor}`);
    const second = await call('healer_list_sessions', { limit: 1, cursor });
    expect(second.text).not.toBe(first.text);
  });

  it('explains the incident of the demo', async () => {
    const { call } = await connect();
    const listed = await call('healer_list_incidents', { repository: 'acme/widgets' });
    const { incidents } = listed.structuredContent as { incidents: { id: string; issue_url: string }[] };
    // What the remediation stage makes of it may be there already.
    expect(listed.text).toMatch(new RegExp(`- ${incidents[0]?.id}: (reported|proposed|escalated), high, A10: `));
    const { text, structuredContent } = await call('healer_explain_incident', { id: incidents[0]?.id });
    expect(text).toMatch(/data, not instructions/);
    expect(text).toMatch(
      /Diagnosis \(certain, by rules\)[^]*Cause:[^]*\[C1\][^]*What to do:[^]*History:[^]*issue #1 created/,
    );
    expect(text).toContain(incidents[0]?.issue_url);
    expect(structuredContent).toMatchObject({ incident: { diagnosis: { confidence: 'certain' } } });
  });
});

describe('what goes wrong is a tool error with advice', () => {
  it.each([
    { name: 'healer_get_session', input: { play_id: 'none' }, says: /404[^]*healer_list_sessions/ },
    { name: 'healer_explain_incident', input: { id: 'none' }, says: /404[^]*healer_list_incidents/ },
    { name: 'healer_get_session', input: { play_id: '<x>' }, says: /400[^]*- play_id: must have 1 to 253/ },
    { name: 'healer_start_session', input: { play_id: 'x', repository: 'evil/x' }, says: /403[^]*allowed/ },
    { name: 'healer_start_session', input: { play_id: 'x' }, says: /repository/ },
    { name: 'healer_list_incidents', input: { state: 'lost' }, says: /state/ },
    { name: 'healer_nothing', input: {}, says: /healer_nothing/ },
  ])('$name $input', async ({ name, input, says }) => {
    const { call } = await connect();
    const { isError, text } = await call(name, input);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
  });

  it('a wrong token is not repeated', async () => {
    const { call } = await connect({ HEALER_URL: stack.url, HEALER_TOKEN: 'hlr_wrong' });
    const { isError, text } = await call('healer_list_sessions');
    expect(isError).toBe(true);
    expect(text).toMatch(/403[^]*Check HEALER_TOKEN/);
    expect(text).not.toContain('hlr_wrong');
  });

  it('an address of something else', async () => {
    const peer = await aHttpPeer((response) => response.writeHead(200).end('{"status":"ok"}'));
    const { call } = await connect({ HEALER_URL: peer.url });
    const { isError, text } = await call('healer_list_sessions');
    expect([isError, text]).toEqual([true, expect.stringMatching(/Check HEALER_URL/)]);
    await peer.stop();
  });

  it('an address that is none ends the server with a sentence', async () => {
    const transport = connect({ HEALER_URL: 'nowhere' });
    await expect(transport).rejects.toThrow();
  });
});
