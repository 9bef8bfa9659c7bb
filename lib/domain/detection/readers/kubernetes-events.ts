import type { Fact, LogEvent } from '../event.ts';
import { asObject, asText, toEvent } from '../event.ts';
import type { JsonReader } from './reader.ts';

/** Reasons that say that an object is well again. */
const HEALTHY =
  /^(?:Started|Pulled|Ready|SuccessfulMountVolume|SuccessfulAttachVolume|NodeHasNo\w+Pressure|NodeHasSufficient\w+|NodeReady|Scheduled)$/;
const EVENT_TYPES = new Set(['Normal', 'Warning']);

interface ClusterEvent {
  readonly type: string;
  readonly reason: string;
  /** `Pod/name`. */
  readonly object: string;
  readonly message: string;
}

/** An image that is there again is no sign that what came after it works. */
const healthOf = ({ reason, object }: ClusterEvent): Fact => ({
  kind: 'healthy',
  object,
  isImage: reason === 'Pulled',
});

/** An event of health only lifts what was said before, whatever words its message repeats. */
function toLogEvent(event: ClusterEvent): LogEvent {
  const facts = HEALTHY.test(event.reason) ? [healthOf(event)] : [];
  const text = facts.length > 0 ? '' : `${event.reason}: ${event.message}`;
  const level = event.type === 'Warning' ? 'warn' : 'info';
  return { ...toEvent('infrastructure', text, facts), object: event.object, level };
}

/**
 * A Kubernetes event as exporters print it in JSON: type, reason, object, message. Object and message have the names of
 * the event's two API versions (`involvedObject`, `regarding`; `message`, `note`) or stand flat (Grafana Alloy).
 */
export const kubernetesEvent: JsonReader = {
  id: 'kubernetes-event',
  read(json) {
    const involved = asObject(json['involvedObject'] ?? json['regarding'] ?? json);
    const object = asText(json['object']) || `${asText(involved['kind'])}/${asText(involved['name'])}`;
    const type = asText(json['type']);
    if (!EVENT_TYPES.has(type) || typeof json['reason'] !== 'string') return null;
    const message = asText(json['message']) || asText(json['note']) || asText(json['msg']);
    return [toLogEvent({ type, reason: json['reason'], object, message })];
  },
};

/** Grafana Alloy's `loki.source.kubernetes_events` in logfmt: the fields of an event, its message last. */
const LOGFMT =
  /^(?=.* kind=(?<kind>\w+))(?=.* reason=(?<reason>\w+))(?=.* type=(?<type>Normal|Warning)\b)name=(?<name>\S+) .* msg=(?<message>.+)$/s;
/** A row of `kubectl get events`: age, type, reason, object, message. */
const ROW = /^\S+\s+(?<type>Normal|Warning)\s+(?<reason>[A-Z]\w+)\s+(?<kind>[a-z]+)\/(?<name>\S+)\s+(?<message>.+)$/s;

const unquote = (text: string): string => {
  const inner = /^"(.*)"$/s.exec(text.trim())?.[1];
  return inner === undefined ? text.trim() : inner.replaceAll(/\\(["\\])/g, '$1');
};

const capital = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

/** A Kubernetes event in a line of text; null for all other lines. */
export function readEventLine(text: string): LogEvent | null {
  if (!text.includes('Warning') && !text.includes('Normal')) return null;
  const found = (LOGFMT.exec(text) ?? ROW.exec(text))?.groups;
  if (found === undefined) return null;
  const { type = '', reason = '', kind = '', name = '', message = '' } = found;
  return toLogEvent({ type, reason, object: `${capital(kind)}/${name}`, message: unquote(message) });
}
