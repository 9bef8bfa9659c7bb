import type { Json } from '../event.ts';
import { asObject, asText, isObject, toEvent, toLevel } from '../event.ts';
import { flatten } from './claude-code.ts';
import type { JsonReader } from './reader.ts';

const MESSAGE_KEYS = ['msg', 'message', 'event', 'line', 'text'];

/** What else a log line may say of an error, without the stack. */
function details(json: Json): string {
  const error = json['err'] ?? json['error'] ?? json['errorMessage'] ?? json['exception'] ?? json['reason'];
  if (typeof error === 'string') return error;
  if (!isObject(error)) return '';
  return asText(error['message']) || flatten(error).slice(0, 2000);
}

/** JSON loggers: pino, bunyan, winston, zap, logrus, structlog, tracing; `level` or `severity` with a message. */
export const jsonLog: JsonReader = {
  id: 'json-log',
  read(object) {
    const json: Json = { ...asObject(object['fields']), ...object };
    const level = toLevel(json['level'] ?? json['severity'] ?? json['lvl']);
    const key = MESSAGE_KEYS.find((name) => typeof json[name] === 'string');
    if (key === undefined || (level === null && !('state' in json))) return null;
    const path = asText(json['path']) || asText(json['file']);
    const text = [asText(json[key]), details(json), path].filter((part) => part !== '').join(': ');
    return [{ ...toEvent('stderr', text), level }];
  },
};
