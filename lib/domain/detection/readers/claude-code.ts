import type { ServerState } from '../detection.ts';
import type { Fact, Json, LogEvent } from '../event.ts';
import { asList, asObject, asText, isObject, toEvent } from '../event.ts';
import type { JsonReader, StreamState } from './reader.ts';
import { hasCleanStatus, toToolEvent } from './tool-result.ts';

const STATES: Readonly<Record<string, ServerState>> = {
  connected: 'connected',
  ready: 'connected',
  pending: 'pending',
  starting: 'pending',
  connecting: 'pending',
  failed: 'failed',
  error: 'failed',
  'needs-auth': 'needs-auth',
  needs_auth: 'needs-auth',
  cancelled: 'cancelled',
  disabled: 'disabled',
};

/** State of a server by the word that a CLI uses for it. */
export const toServerState = (word: unknown): ServerState => STATES[asText(word).toLowerCase()] ?? 'unknown';

function readServers(value: unknown): Record<string, ServerState> | null {
  if (!Array.isArray(value)) return null;
  const servers: Record<string, ServerState> = {};
  for (const item of value) {
    const name = asText(asObject(item)['name']);
    if (name !== '') servers[name] = toServerState(asObject(item)['status']);
  }
  return servers;
}

function readInit(json: Json): LogEvent {
  const tools = Array.isArray(json['tools']) ? json['tools'].filter((tool) => typeof tool === 'string') : null;
  return toEvent('init', '', [{ kind: 'start', tools, servers: readServers(json['mcp_servers']) }]);
}

/** Text of a message's content: a string, or its parts of type text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(asObject(part)['text']))
    .join('\n');
}

const isApiError = (json: Json, text: string): boolean =>
  json['is_api_error_message'] === true || json['isApiErrorMessage'] === true || /^\[?API Error\b/.test(text);

function readAssistant(json: Json, state: StreamState): LogEvent[] {
  const content = asObject(json['message'])['content'];
  const events: LogEvent[] = [];
  for (const part of asList(content).map(asObject)) {
    if (part['type'] === 'tool_use') {
      const command = asObject(part['input'])['command'];
      state.calls.set(asText(part['id']), {
        tool: asText(part['name']),
        command: typeof command === 'string' ? command : null,
      });
      events.push(toEvent('tool-argument', '', [{ kind: 'activity' }]));
    }
  }
  const text = textOf(content);
  if (isApiError(json, text)) events.push(toEvent('error', text));
  else if (text !== '') events.push(toEvent('prose', text, [{ kind: 'activity' }]));
  return events;
}

function readToolResults(json: Json, state: StreamState): LogEvent[] {
  const content = asObject(json['message'])['content'];
  // A prompt that is echoed is content, unless nothing is in it.
  if (typeof content === 'string') return content.trim() === '' ? [toEvent('prompt', '')] : [];
  const parts = asList(content).map(asObject);
  return parts
    .filter((part) => part['type'] === 'tool_result')
    .map((part) => {
      const call = state.calls.get(asText(part['tool_use_id'])) ?? { tool: '', command: null };
      const text = textOf(part['content']);
      return toToolEvent({ ...call, ok: part['is_error'] !== true && hasCleanStatus(text), text });
    });
}

/** Claude Code's closing event: `is_error` decides, for a failed run may say `subtype: success`. */
function readResult(json: Json): LogEvent {
  const subtype = asText(json['subtype']);
  const ok = json['is_error'] !== true && !subtype.startsWith('error');
  const isEmpty = json['num_turns'] === 0;
  const details = [asText(json['result']), ...asList(json['errors']).map(asText)].filter((text) => text !== '');
  const status = json['api_error_status'];
  if (typeof status === 'number') details.push(`api_error_status ${status}`);
  const fact: Fact = { kind: 'result', ok, isEmpty };
  if (ok) return toEvent('prose', asText(json['result']), [fact]);
  return { ...toEvent('result', [subtype, ...details].join(': '), [fact]), level: 'error' };
}

/** Cursor puts a call and its outcome into `tool_call.<name>ToolCall`. */
function readCursorCall(json: Json): LogEvent[] {
  if (json['subtype'] !== 'completed') return [toEvent('tool-argument', '', [{ kind: 'activity' }])];
  const [name, call] = Object.entries(asObject(json['tool_call']))[0] ?? ['', {}];
  const args = asObject(asObject(call)['args']);
  const result = asObject(asObject(call)['result']);
  const failure = result['error'] ?? result['failure'] ?? result['rejected'];
  const command = typeof args['command'] === 'string' ? args['command'] : null;
  const text = isObject(failure) || isObject(result['success']) ? flatten(failure ?? result['success']) : '';
  const tool = name.replace(/ToolCall$/, '');
  return [toToolEvent({ tool, command, ok: failure === undefined, text })];
}

/** All strings of a value, one a line; at most four levels deep. */
export function flatten(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > 4 || typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map((part) => flatten(part, depth + 1))
    .filter((text) => text !== '')
    .join('\n');
}

/** Claude Code's stream-json, and Cursor's, which copies its shape. */
export const claudeCode: JsonReader = {
  id: 'claude-code',
  read(json, state) {
    switch (json['type']) {
      case 'system':
        if (json['subtype'] === 'init') return [readInit(json)];
        return typeof json['subtype'] === 'string' ? [] : null;
      case 'assistant':
        return isObject(json['message']) ? readAssistant(json, state) : null;
      case 'user':
        return isObject(json['message']) ? readToolResults(json, state) : null;
      case 'result':
        return 'subtype' in json || 'is_error' in json ? [readResult(json)] : null;
      case 'tool_call':
        return isObject(json['tool_call']) ? readCursorCall(json) : null;
      case 'rate_limit_event':
      case 'stream_event':
        return [];
      default:
        return null;
    }
  },
};
