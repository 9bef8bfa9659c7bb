import type { Json } from '../event.ts';
import { asObject, asText, isObject, toEvent, toLevel } from '../event.ts';
import { flatten } from './claude-code.ts';
import type { JsonReader } from './reader.ts';

const HEALTHY = /^(?:Started|Pulled|Ready|SuccessfulMountVolume|NodeHasNoDiskPressure|NodeReady|Scheduled)$/;
const EVENT_TYPES = new Set(['Normal', 'Warning']);

/** A Kubernetes event as exporters print it: type, reason, object, message. */
export const kubernetesEvent: JsonReader = {
  id: 'kubernetes-event',
  read(json) {
    const involved = asObject(json['involvedObject']);
    const object = asText(json['object']) || `${asText(involved['kind'])}/${asText(involved['name'])}`;
    if (!EVENT_TYPES.has(asText(json['type'])) || typeof json['reason'] !== 'string') return null;
    const reason = json['reason'];
    const facts = HEALTHY.test(reason) ? [{ kind: 'healthy', object } as const] : [];
    // An event of health only lifts what was said before, whatever words its message repeats.
    const text = facts.length > 0 ? '' : `${reason}: ${asText(json['message'])}`;
    return [{ ...toEvent('infrastructure', text, facts), object, level: json['type'] === 'Warning' ? 'warn' : 'info' }];
  },
};

const MESSAGE_KEYS = ['msg', 'message', 'event', 'line', 'text'];

/** What else a log line may say of an error, without the stack. */
function details(json: Json): string {
  const error = json['err'] ?? json['error'] ?? json['errorMessage'] ?? json['exception'];
  if (typeof error === 'string') return error;
  if (!isObject(error)) return '';
  return asText(error['message']) || flatten(error).slice(0, 2000);
}

/** JSON loggers: pino, bunyan, winston, zap, logrus, structlog; `level` or `severity` with a message. */
export const jsonLog: JsonReader = {
  id: 'json-log',
  read(json) {
    const level = toLevel(json['level'] ?? json['severity'] ?? json['lvl']);
    const key = MESSAGE_KEYS.find((name) => typeof json[name] === 'string');
    if (key === undefined || (level === null && !('state' in json))) return null;
    const path = asText(json['path']) || asText(json['file']);
    const text = [asText(json[key]), details(json), path].filter((part) => part !== '').join(': ');
    return [{ ...toEvent('stderr', text), level }];
  },
};
