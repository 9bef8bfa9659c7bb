import type { Json, LogEvent } from '../event.ts';
import { asList, asObject, asText, isObject, toEvent } from '../event.ts';
import { flatten } from './claude-code.ts';
import type { JsonReader, StreamState } from './reader.ts';
import { hasCleanStatus, toToolEvent } from './tool-result.ts';

/** opencode's error object: a name, the message and, at times, a status code that the message lacks. */
function readError(error: Json): string {
  const data = asObject(error['data']);
  const status = data['statusCode'] ?? error['statusCode'];
  const parts = [asText(error['name']), asText(data['message']) || asText(error['message'])];
  if (typeof status === 'number') parts.push(`status ${status}`);
  const cause = asObject(data['metadata'])['code'];
  if (typeof cause === 'string') parts.push(cause);
  return parts.filter((part) => part !== '').join(': ');
}

function readOpencodeTool(part: Json): LogEvent {
  const state = asObject(part['state']);
  const command = asObject(state['input'])['command'];
  const text = asText(state['error']) || asText(state['output']);
  const exit = asObject(state['metadata'])['exit'];
  // A call that cannot be made at all is handed to a tool of its own, which always completes.
  const isRefused = part['tool'] === 'invalid';
  const ok = state['status'] !== 'error' && !isRefused && (typeof exit !== 'number' || exit === 0);
  return toToolEvent({ tool: asText(part['tool']), command: typeof command === 'string' ? command : null, ok, text });
}

/** opencode `run --format json`. */
export const opencode: JsonReader = {
  id: 'opencode',
  read(json) {
    const part = asObject(json['part']);
    switch (json['type']) {
      case 'tool_use':
        return isObject(part['state']) ? [readOpencodeTool(part)] : null;
      case 'step_start':
        return 'sessionID' in json ? [toEvent('init', '', [{ kind: 'activity' }])] : null;
      case 'text':
      case 'reasoning':
        return 'sessionID' in json ? [toEvent('prose', asText(part['text']), [{ kind: 'activity' }])] : null;
      case 'step_finish':
        return part['reason'] === 'stop' ? [toEvent('result', '', [{ kind: 'result', ok: true, isEmpty: false }])] : [];
      case 'error':
        return isObject(json['error']) && 'sessionID' in json
          ? [
              {
                ...toEvent('result', readError(json['error']), [{ kind: 'result', ok: false, isEmpty: false }]),
                level: 'error',
              },
            ]
          : null;
      default:
        return null;
    }
  },
};

/** Gemini `--output-format stream-json`. A failed shell command is a `success` there, so its text is read. */
export const gemini: JsonReader = {
  id: 'gemini',
  read(json, state) {
    switch (json['type']) {
      case 'init':
        return 'session_id' in json ? [toEvent('init', '', [{ kind: 'start', tools: null, servers: null }])] : null;
      case 'message':
        return typeof json['content'] === 'string' ? [readGeminiMessage(json)] : null;
      case 'tool_use':
        if (!('tool_id' in json)) return null;
        state.calls.set(asText(json['tool_id']), {
          tool: asText(json['tool_name']),
          command: asText(asObject(json['parameters'])['command']) || null,
        });
        return [toEvent('tool-argument', '', [{ kind: 'activity' }])];
      case 'tool_result':
        return 'tool_id' in json ? [readGeminiResult(json, state)] : null;
      case 'result':
        return 'status' in json ? [readGeminiEnd(json)] : null;
      case 'error':
        return 'severity' in json ? [toEvent('error', asText(json['message']))] : null;
      default:
        return null;
    }
  },
};

function readGeminiMessage(json: Json): LogEvent {
  const text = asText(json['content']);
  if (/^\s*\[API Error/.test(text)) return toEvent('error', text);
  if (json['role'] === 'user' && text.trim() === '') return toEvent('prompt', '');
  return toEvent('prose', text, json['role'] === 'assistant' ? [{ kind: 'activity' }] : []);
}

function readGeminiResult(json: Json, state: StreamState): LogEvent {
  const call = state.calls.get(asText(json['tool_id'])) ?? { tool: '', command: null };
  const text = asText(json['output']) || flatten(json['error']);
  return toToolEvent({ ...call, ok: json['status'] !== 'error' && hasCleanStatus(text), text });
}

function readGeminiEnd(json: Json): LogEvent {
  const ok = json['status'] === 'success';
  const fact = { kind: 'result', ok, isEmpty: false } as const;
  return ok ? toEvent('result', '', [fact]) : { ...toEvent('result', flatten(json['error']), [fact]), level: 'error' };
}

function readClineTool(event: Json): LogEvent {
  const outputs = asList(event['output']).map(asObject);
  const command = outputs.map((output) => asText(output['query'])).find((query) => query !== '') ?? null;
  const ok = outputs.every((output) => output['success'] !== false && output['error'] === undefined);
  const text = outputs.map((output) => [asText(output['result']), asText(output['error'])].join('\n')).join('\n');
  return toToolEvent({ tool: asText(event['toolName']), command, ok: ok && hasCleanStatus(text), text });
}

function readClineEvent(event: Json): LogEvent[] {
  switch (event['type']) {
    case 'content_end':
      if (event['contentType'] === 'tool') return [readClineTool(event)];
      return [toEvent('prose', asText(event['text']), [{ kind: 'activity' }])];
    case 'error':
      return [{ ...toEvent('error', readError(asObject(event['error']))), level: 'error' }];
    case 'notice':
      return [{ ...toEvent('error', asText(event['message'])), level: 'info' }];
    default:
      return [];
  }
}

/** Cline `--json`, and the older `say` events. */
export const cline: JsonReader = {
  id: 'cline',
  read(json) {
    switch (json['type']) {
      case 'hook_event':
        return [];
      case 'agent_event':
        return readClineEvent(asObject(json['event']));
      case 'run_result': {
        const ok = json['finishReason'] !== 'error';
        const fact = { kind: 'result', ok, isEmpty: false } as const;
        return [
          ok ? toEvent('result', '', [fact]) : { ...toEvent('result', asText(json['text']), [fact]), level: 'error' },
        ];
      }
      case 'say':
        if (json['say'] === 'error') return [{ ...toEvent('error', asText(json['text'])), level: 'error' }];
        return [toEvent('prose', asText(json['text']))];
      case 'error':
        return 'ts' in json ? [{ ...toEvent('error', asText(json['message'])), level: 'error' }] : null;
      default:
        return null;
    }
  },
};
