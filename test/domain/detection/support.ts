import { attributeEntry } from '#lib/domain/detection/attribution.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { DetectInput, Detection } from '#lib/domain/detection/detection.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { AgentConfig, LocalServer, SessionDeclaration } from '#lib/domain/session/session.ts';
import { NANOS_PER_SECOND } from '#lib/domain/time.ts';

/** The moment at which pods of these tests start. */
export const START = 1_760_000_000n * NANOS_PER_SECOND;

export const at = (seconds: number): bigint => START + BigInt(Math.round(seconds * 1e9));

export const POD = 'play-1-rex-abcde';

/** An entry of the agent's pod, `seconds` after its start. */
export const anEntry = (seconds: number, line: string, pod = POD): LogEntry => ({
  ns: at(seconds),
  line,
  labels: { namespace: 'agents', pod, container: 'agent' },
});

export const entriesOf = (...lines: readonly (readonly [number, string])[]): LogEntry[] =>
  lines.map(([seconds, line]) => anEntry(seconds, line));

/** A session `play-1` that declares one agent `rex`. */
export function aSession(
  remote: readonly string[] = [],
  localServers: Readonly<Record<string, LocalServer>> = {},
): SessionDeclaration {
  const rex: AgentConfig = { githubApp: null, cli: 'claude', model: null, tools: { remote, localServers } };
  const task = { id: '7', title: 'Task 7', agentHint: null, dependencies: [], priority: 0 };
  return {
    playId: 'play-1',
    repository: 'acme/shop',
    service: 'shop',
    namespace: 'agents',
    agents: { rex },
    tasks: [task],
  };
}

/** Detects with everything ended, unless the input says otherwise. */
export function detectIn(entries: readonly LogEntry[], input: Partial<DetectInput> = {}): Detection {
  const session = input.session ?? null;
  return detect({
    entries,
    session,
    attribute: (entry) => attributeEntry(entry, [aSession()]),
    podStarts: new Map([[POD, START]]),
    until: at(100_000),
    ended: { session: true },
    ...input,
  });
}

export const detectLines = (...lines: readonly (readonly [number, string])[]): Detection =>
  detectIn(entriesOf(...lines));

/** Pattern and place of each finding, short enough to compare. */
export const labels = ({ findings }: Detection): string[] =>
  findings.map(({ pattern, code, category, severity }) => `${pattern} ${code ?? category} ${severity}`);

export const anInit = (tools: readonly string[], servers: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({
    type: 'system',
    subtype: 'init',
    tools: ['Bash', 'Read', ...tools],
    mcp_servers: Object.entries(servers).map(([name, status]) => ({ name, status })),
  });

export const aToolUse = (id: string, name: string, command?: string): string =>
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name, input: command === undefined ? {} : { command } }] },
  });

export const aToolResult = (id: string, content: string, isError = false): string =>
  JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  });

export const aSaying = (text: string): string =>
  JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });

export const aResult = (isError: boolean, result = 'Done.'): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: isError, num_turns: 4, result });
