import { describe, expect, it } from 'vitest';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { anInit, aResult, aSaying, aSession, aToolResult, aToolUse, detectIn, entriesOf, labels } from './support.ts';

const local = (...tools: string[]) => ({ enabled: true, tools });
const check = (session: SessionDeclaration, ...lines: (readonly [number, string])[]) =>
  labels(detectIn(entriesOf(...lines), { session }));

const TOOL = 'check.declared-tools A10 high';
const SERVER = 'check.declared-servers A12 high';

describe('declared tools against offered ones (A10)', () => {
  it.each([
    ['its own name', 'task_get'],
    ['Claude Code’s prefix', 'mcp__hub__task_get'],
    ['older opencode’s prefix', 'hub_task_get'],
    ['droid’s prefix', 'hub___task_get'],
  ])('a remote tool is offered under %s', (_, offered) => {
    expect(check(aSession(['task_get']), [2, anInit([offered], { hub: 'connected' })])).toEqual([]);
  });

  it.each([
    ['misspelt', 'mcp__hub__taks_get'],
    ['behind a further prefix', 'mcp__hub__jira_task_get'],
    ['absent', 'mcp__hub__other'],
    ['under a server that is not listed', 'mcp__else__task_get'],
  ])('a remote tool that is %s is told', (_, offered) => {
    expect(check(aSession(['task_get']), [2, anInit([offered], { hub: 'connected' })])).toEqual([TOOL]);
  });

  it('a local tool has to stand under its own server; characters of the server’s name may become _', () => {
    const session = aSession([], { 'my.files': local('read') });
    const servers = { 'my.files': 'connected', web: 'connected' };
    expect(check(session, [2, anInit(['mcp__my_files__read'], servers)])).toEqual([]);
    expect(check(session, [2, anInit(['mcp__web__read'], servers)])).toEqual([TOOL]);
  });

  it('is told once for each start event, and names the tools', () => {
    const { findings } = detectIn(entriesOf([2, anInit(['x'], { hub: 'connected' })]), {
      session: aSession(['b_two', 'a_one']),
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      identity: { tool: 'a_one b_two' },
      summary: 'rex: declared tool a_one b_two is not offered by the CLI',
    });
  });

  it.each([
    ['names the tool', 'WARN tool inventory mismatch - declared tools: [a_one, b_two] - missing: [b_two]', 1],
    ['names no tool', 'ERROR: tool inventory mismatch for agent rex', 1],
    ['names another tool', 'ERROR: Tool inventory MISMATCH - missing from CLI: [c_three]', 2],
  ])('is one failure with the log’s own word for it beside it, when that %s', (_, line, failures) => {
    const lines = entriesOf([2, anInit(['mcp__hub__a_one'], { hub: 'connected' })], [3, line]);
    const { findings } = detectIn(lines, { session: aSession(['a_one', 'b_two']) });
    expect(findings).toHaveLength(failures);
    expect(findings[0]).toMatchObject({ pattern: 'check.declared-tools', identity: { tool: 'b_two' } });
  });

  it('a count below the declared number is told on the line that says it', () => {
    const line =
      'INFO  2026-05-19T17:16:33 +1288ms service=mcp key=files toolCount=1 create() successfully created client';
    expect(check(aSession([], { files: local('read', 'write') }), [3, line])).toEqual([TOOL]);
    expect(check(aSession([], { files: local('read') }), [3, line])).toEqual([]);
  });

  it('after 60 s the same is runtime without a code', () => {
    expect(check(aSession(['task_get']), [61, anInit([], { hub: 'connected' })])).toEqual([
      'check.declared-tools runtime high',
    ]);
  });

  it('a start event that lists nothing is no evidence', () => {
    expect(
      check(aSession(['task_get']), [2, '{"type":"system","subtype":"init","session_id":"s","model":"Auto"}']),
    ).toEqual([]);
  });

  it('a start event quoted in a tool result, in prose or in another agent’s pod is none', () => {
    const quoted = anInit([], { hub: 'failed' });
    const lines = [
      [2, anInit(['task_get'])],
      [3, aToolUse('a', 'Bash', 'cat x.log')],
      [4, aToolResult('a', quoted)],
      [5, aSaying(quoted)],
    ] as const;
    expect(check(aSession(['task_get']), ...lines)).toEqual([]);
  });
});

describe('declared servers (A12)', () => {
  it.each(['failed', 'needs-auth', 'cancelled'])('a server that is %s is told, its tools are not', (status) => {
    const session = aSession([], { files: local('read') });
    expect(check(session, [2, anInit([], { files: status })])).toEqual([SERVER]);
  });

  it('an enabled server that is not listed is told, a disabled one is not', () => {
    const disabled = { enabled: false, tools: ['read'] };
    expect(check(aSession([], { files: local('read') }), [2, anInit([], { web: 'connected' })])).toEqual([SERVER]);
    expect(check(aSession([], { files: disabled }), [2, anInit([], { web: 'connected' })])).toEqual([]);
  });

  it('an undeclared server counts only when all remote tools are absent with it', () => {
    const session = aSession(['a', 'b']);
    expect(check(session, [2, anInit([], { hub: 'failed' })])).toEqual([SERVER]);
    expect(check(session, [2, anInit(['a', 'b'], { extra: 'failed' })])).toEqual([]);
  });

  it('a state that the agent lifts later is none: pending, then connected', () => {
    const session = aSession([], { files: local('read') });
    const later = anInit(['mcp__files__read'], { files: 'connected' });
    expect(check(session, [2, anInit([], { files: 'pending' })], [6, later])).toEqual([]);
  });

  it('a server in need of authentication is lifted by an answer of its tool', () => {
    const session = aSession([], { files: local('read') });
    const start = anInit(['mcp__files__read'], { files: 'needs-auth' });
    const call = [
      [8, aToolUse('t', 'mcp__files__read')],
      [9, aToolResult('t', 'ok')],
    ] as const;
    expect(check(session, [2, start], ...call)).toEqual([]);
    expect(check(session, [2, start], [20, aResult(false)])).toEqual([SERVER]);
  });

  it('without a declaration, a server that the start event lists as failed', () => {
    expect(labels(detectIn(entriesOf([2, anInit([], { hub: 'failed', web: 'needs-auth' })])))).toEqual([SERVER]);
  });

  it('a server that is missing when all have been listed', () => {
    const seen =
      "Server 'time' has tools but did not declare 'listChanged' capability. Listening anyway for robustness...";
    const session = aSession([], { time: local('now'), figma: local('get') });
    expect(check(session, [3, seen], [5, 'MCP context refresh complete.'])).toEqual([SERVER]);
  });
});
