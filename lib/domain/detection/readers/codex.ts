import type { Json, LogEvent } from '../event.ts';
import { asList, asObject, asText, isObject, toEvent } from '../event.ts';
import { flatten, toServerState } from './claude-code.ts';
import type { JsonReader } from './reader.ts';
import { toToolEvent } from './tool-result.ts';

const message = (value: unknown): string => {
  const object = asObject(value);
  return asText(object['message']) || asText(value) || flatten(value);
};

/** An ended item; names differ between `exec --json` (snake) and the app server (camel). */
function readItem(item: Json): LogEvent[] {
  switch (asText(item['type'])) {
    case 'command_execution':
    case 'commandExecution': {
      const exit = item['exit_code'] ?? item['exitCode'];
      const ok = exit === 0 || (exit === undefined && item['status'] === 'completed');
      const text = asText(item['aggregated_output'] ?? item['aggregatedOutput']);
      return [toToolEvent({ tool: 'shell', command: asText(item['command']), ok, text })];
    }
    case 'mcp_tool_call':
    case 'mcpToolCall': {
      const ok = item['status'] !== 'failed' && !isObject(item['error']);
      const name = `mcp__${asText(item['server'])}__${asText(item['tool'])}`;
      const text = ok ? flatten(item['result']) : message(item['error']);
      return [toToolEvent({ tool: name, command: null, ok, text })];
    }
    case 'file_change':
    case 'fileChange': {
      const ok = item['status'] !== 'failed';
      return [toToolEvent({ tool: 'patch', command: null, ok, text: ok ? '' : 'patch failed' })];
    }
    case 'error':
      return [toEvent('error', message(item))];
    default:
      return [toEvent('prose', asText(item['text']), [{ kind: 'activity' }])];
  }
}

/** Answer of the app server to a request for its MCP servers: each with its state and its tools. */
function readInventory(json: Json): LogEvent[] | null {
  const data = asObject(json['result'])['data'];
  if (!Array.isArray(data) || !data.every((entry) => isObject(entry) && 'name' in entry && 'tools' in entry))
    return null;
  const servers = data.map(asObject);
  const states = servers.map((server) => [asText(server['name']), toServerState(server['runtimeStatus'])] as const);
  const tools = servers.flatMap((server) =>
    Object.keys(asObject(server['tools'])).map((tool) => `mcp__${asText(server['name'])}__${tool}`),
  );
  return [toEvent('init', '', [{ kind: 'start', tools, servers: Object.fromEntries(states) }])];
}

function readAppServer(json: Json): LogEvent[] | null {
  const method = asText(json['method']);
  const params = asObject(json['params']);
  if (method === 'mcpServer/startupStatus/updated') {
    const state = toServerState(params['status']);
    const name = asText(params['name']);
    const text = `MCP server ${name} ${asText(params['status'])}: ${message(params['error'])}`;
    const fact = { kind: 'server', name, state, toolCount: null, tools: null } as const;
    return [toEvent(state === 'failed' ? 'error' : 'init', state === 'failed' ? text : '', [fact])];
  }
  if (method === 'item/completed') return readItem(asObject(params['item']));
  if (method === 'turn/completed') return [readTurn(asObject(params['turn']))];
  if (method === 'error') return [toEvent('error', message(params['error']))];
  return method.includes('/') ? [] : null;
}

function readTurn(turn: Json): LogEvent {
  const ok = turn['status'] !== 'failed' && !isObject(turn['error']);
  const fact = { kind: 'result', ok, isEmpty: false } as const;
  return ok ? toEvent('result', '', [fact]) : { ...toEvent('result', message(turn['error']), [fact]), level: 'error' };
}

/** Codex: `exec --json`, one event a line, and the JSON-RPC of its app server. */
export const codex: JsonReader = {
  id: 'codex',
  read(json) {
    const type = asText(json['type']);
    if (type === '' && ('method' in json || 'result' in json)) {
      return 'method' in json
        ? readAppServer(json)
        : (readInventory(json) ?? (asList(json['id']).length === 0 ? [] : null));
    }
    if (type === 'thread.started') return [toEvent('init', '', [{ kind: 'start', tools: null, servers: null }])];
    if (type === 'turn.completed') return [readTurn({})];
    if (type === 'turn.failed') return [readTurn({ status: 'failed', error: json['error'] })];
    if (type === 'item.completed') return readItem(asObject(json['item']));
    if (/^(?:turn|item|thread|session)\.[a-z_]+$/.test(type)) return [];
    if (type === 'error' && Object.keys(json).every((key) => key === 'type' || key === 'message')) {
      return [{ ...toEvent('error', message(json)), level: 'error' }];
    }
    return null;
  },
};
