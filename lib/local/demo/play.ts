import type { KubernetesObject } from '../kubernetes/store.ts';

/** One line of a pod, in seconds since the play's start. */
export interface DemoLine {
  readonly at: number;
  readonly pod: string;
  readonly line: string;
}

/** What the cluster holds from a moment on, in seconds since the play's start. */
export interface DemoObjects {
  readonly at: number;
  /** @param start of the play in milliseconds since the epoch */
  readonly objects: (start: number) => readonly KubernetesObject[];
}

/** The one incident that a play must show. Plays may share one: the same failure is told once. */
export interface ExpectedIncident {
  readonly code: string | null;
  readonly severity: string;
  /** Words that the issue must hold. */
  readonly words: readonly string[];
}

/** A recorded play: what the MCP server announces, what the pods write, and what Healer must make of it. */
export interface DemoPlay {
  readonly name: string;
  /** Body of `POST /api/v1/session/start`. */
  readonly announcement: { readonly play_id: string; readonly repository: string; readonly [field: string]: unknown };
  readonly lines: readonly DemoLine[];
  readonly cluster?: readonly DemoObjects[];
  /** How the MCP server ends the play, in seconds since its start. */
  readonly end: { readonly at: number; readonly status: 'completed' | 'failed' };
  /** Null: nothing may be told. */
  readonly expected: ExpectedIncident | null;
}

/** Lines of one pod from pairs of second and text. */
export const ofPod = (pod: string, ...lines: readonly (readonly [at: number, line: string])[]): DemoLine[] =>
  lines.map(([at, line]) => ({ at, pod, line }));

/** Lines of several pods in order of time. */
export const together = (...pods: readonly (readonly DemoLine[])[]): DemoLine[] =>
  pods.flat().toSorted((a, b) => a.at - b.at);

/** An event of an agent's stream, as the CLI prints it. */
export const event = (fields: object): string => JSON.stringify(fields);

/** What an agent declares in the announcement. */
export const declares = (app: string, remote: readonly string[]) => ({
  githubApp: app,
  cli: 'claude',
  model: 'some-model',
  tools: { remote, localServers: {} },
});

/** The stream of one agent run by Claude Code, event by event. */
export function stream(session: string) {
  const told = (fields: object): string => event({ ...fields, session_id: session });
  const message = (role: string, part: object) => ({ type: role, message: { role, content: [part] } });
  return {
    init: (tools: readonly string[]) =>
      told({
        type: 'system',
        subtype: 'init',
        cwd: '/workspace/widgets',
        tools: ['Bash', 'Read', 'Edit', 'Write', ...tools.map((tool) => `mcp__tools__${tool}`)],
        mcp_servers: [{ name: 'tools', status: 'connected' }],
        model: 'some-model',
      }),
    says: (text: string) => told(message('assistant', { type: 'text', text })),
    uses: (id: string, name: string, input: object) =>
      told(message('assistant', { type: 'tool_use', id, name, input })),
    gets: (id: string, content: string, isError = false) =>
      told(message('user', { type: 'tool_result', tool_use_id: id, is_error: isError, content })),
    ends: (result: string, isError = false) =>
      told({
        type: 'result',
        subtype: isError ? 'error_during_execution' : 'success',
        is_error: isError,
        num_turns: 9,
        result,
      }),
  };
}
