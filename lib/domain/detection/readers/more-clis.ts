import type { Json, LogEvent } from '../event.ts';
import { asList, asObject, asText, isObject, toEvent } from '../event.ts';
import { flatten } from './claude-code.ts';
import type { JsonReader, StreamState } from './reader.ts';
import { hasCleanStatus, toToolEvent } from './tool-result.ts';

const rememberCall = (state: StreamState, id: unknown, tool: unknown, input: unknown): LogEvent => {
  const command = asText(asObject(input)['command']) || null;
  state.calls.set(asText(id), { tool: asText(tool), command });
  return toEvent('tool-argument', '', [{ kind: 'activity' }]);
};

const unknownCall = { tool: '', command: null };

/** Factory's droid: `exec --output-format stream-json` (its `init` has Claude Code's shape). */
export const droid: JsonReader = {
  id: 'droid',
  read(json, state) {
    switch (json['type']) {
      case 'tool_call':
        return 'toolName' in json ? [rememberCall(state, json['id'], json['toolName'], json['parameters'])] : null;
      case 'tool_result': {
        if (!('isError' in json)) return null;
        const call = state.calls.get(asText(json['id'])) ?? unknownCall;
        const text = asText(json['value']) || flatten(json['error']);
        return [toToolEvent({ ...call, ok: json['isError'] !== true && hasCleanStatus(text), text })];
      }
      case 'message':
        if (typeof json['text'] !== 'string') return null;
        return [toEvent('prose', json['text'], json['role'] === 'assistant' ? [{ kind: 'activity' }] : [])];
      case 'completion':
        return [toEvent('result', '', [{ kind: 'result', ok: true, isEmpty: false }])];
      default:
        return null;
    }
  },
};

/** A provider's error ends a run as a message of the assistant. */
const readGooseText = (text: string): LogEvent =>
  /^\s*(?:Ran into this error\b|Error: )/.test(text)
    ? { ...toEvent('error', text), level: 'error' }
    : toEvent('prose', text, [{ kind: 'activity' }]);

function readGoosePart(part: Json, state: StreamState): LogEvent[] {
  if (part['type'] === 'text') return [readGooseText(asText(part['text']))];
  if (part['type'] === 'toolRequest') {
    const call = asObject(asObject(part['toolCall'])['value']);
    return [rememberCall(state, part['id'], call['name'], call['arguments'])];
  }
  if (part['type'] === 'error') return [{ ...toEvent('error', flatten(part)), level: 'error' }];
  if (part['type'] !== 'toolResponse') return [];
  const result = asObject(part['toolResult']);
  const call = state.calls.get(asText(part['id'])) ?? unknownCall;
  const text = flatten(result['error'] ?? result['value']);
  return [toToolEvent({ ...call, ok: result['status'] !== 'error' && hasCleanStatus(text), text })];
}

/** goose `run --output-format stream-json`. */
export const goose: JsonReader = {
  id: 'goose',
  read(json, state) {
    if (json['type'] === 'message' && isObject(json['message']) && Array.isArray(json['message']['content'])) {
      return asList(json['message']['content']).flatMap((part) => readGoosePart(asObject(part), state));
    }
    if (json['type'] === 'complete') return [toEvent('result', '', [{ kind: 'result', ok: true, isEmpty: false }])];
    return null;
  },
};

/** OpenHands' headless `--json` events: actions of the agent and observations of what they did. */
export const openhands: JsonReader = {
  id: 'openhands',
  read(json) {
    if (typeof json['observation'] === 'string') {
      const text = asText(json['content']) || asText(json['message']);
      if (json['observation'] === 'error') return [{ ...toEvent('error', text), level: 'error' }];
      const extras = asObject(json['extras']);
      const exit = asObject(extras['metadata'])['exit_code'] ?? extras['exit_code'];
      const command = asText(extras['command']) || null;
      return [toToolEvent({ tool: json['observation'], command, ok: exit === undefined || exit === 0, text })];
    }
    if (typeof json['action'] !== 'string' || !('source' in json)) return null;
    return [toEvent(json['action'] === 'message' ? 'prose' : 'tool-argument', '', [{ kind: 'activity' }])];
  },
};

/** The body with which a model's API refuses a request, printed as it came. */
function readRefusal(json: Json): LogEvent[] | null {
  const error = asObject(json['error']);
  const isBody = Object.keys(json).length <= 3 && ['code', 'type', 'status'].some((key) => key in error);
  if (!isBody || asText(error['message']) === '') return null;
  const parts = [
    'error',
    asText(error['type']),
    asText(error['status']),
    asText(error['message']),
    `code ${String(error['code'])}`,
  ];
  return [{ ...toEvent('error', parts.filter((part) => part !== '').join(': ')), level: 'error' }];
}

const FAILED_TYPE = /(?:^|[._/-])(?:error|failed|failure|fatal)$/i;

/** An event of a stream that no reader knows: its type says that something failed, so its message is read as an error. */
export const unknownStream: JsonReader = {
  id: 'unknown-stream',
  read(json) {
    const type = asText(json['type']) || asText(json['event']);
    if (type === '') return readRefusal(json);
    if (!FAILED_TYPE.test(type)) return null;
    const text = asText(json['message']) || flatten(json['error'] ?? json['data']).slice(0, 4000);
    return text === '' ? null : [{ ...toEvent('error', text), level: 'error' }];
  },
};
