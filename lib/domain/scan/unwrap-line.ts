import { isObject } from '../detection/event.ts';
import type { Nanos } from '../time.ts';
import { type Format, POD_PREFIX } from './formats.ts';
import { lineTime, parseMoment } from './line-time.ts';

/** What one line of a file says of itself, apart from its text. */
export interface UnwrappedLine {
  /** Null: the line tells no moment. */
  readonly ns: Nanos | null;
  readonly pod: string | null;
  readonly container: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly text: string;
}

/** What a line of the format looks like, for messages. */
export const LINE_SHAPES: Readonly<Record<Exclude<Format, 'loki'>, string>> = {
  plain: 'a line of text',
  kubectl:
    '"2026-01-08T16:04:11.123456789Z text" (kubectl logs --timestamps), with or without "[pod/name/container] " before it',
  jsonl: '{"time":"2026-01-08T16:04:11Z","pod":"…","container":"…","line":"…"}',
};

/** Takes a line out of its wrapping; null when it does not have the format. */
export function unwrapLine(format: Exclude<Format, 'loki'>, line: string): UnwrappedLine | null {
  if (format === 'jsonl') return unwrapJson(line);
  return format === 'kubectl' ? unwrapKubectl(line) : toPlain(line);
}

/** A line that is not wrapped at all. */
export const toPlain = (line: string): UnwrappedLine => ({
  ns: lineTime(line),
  pod: null,
  container: null,
  labels: null,
  text: line,
});

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?/;

/** kubectl puts the time behind the prefix in some versions and before it in others. */
function unwrapKubectl(line: string): UnwrappedLine | null {
  const first = STAMPED.exec(line);
  const afterTime = first === null ? line : line.slice(first[0].length);
  const prefix = POD_PREFIX.exec(afterTime);
  const rest = prefix === null ? afterTime : afterTime.slice(prefix[0].length);
  const second = first === null ? STAMPED.exec(rest) : null;
  const stamp = (first ?? second)?.[1];
  if (stamp === undefined && prefix === null) return null;
  const text = second === null ? rest : rest.slice(second[0].length);
  const ns = stamp === undefined ? lineTime(text) : parseMoment(stamp);
  return { ns, pod: prefix?.[1] ?? null, container: prefix?.[2] ?? null, labels: null, text };
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `{time,pod,container,line}`, or `{timestamp,labels,line}` as logcli prints it. */
function unwrapJson(line: string): UnwrappedLine | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(json) || typeof json['line'] !== 'string') return null;
  const time = json['time'] ?? json['timestamp'];
  const ns = typeof time === 'string' || typeof time === 'number' ? parseMoment(String(time)) : null;
  const labels = isObject(json['labels']) ? toLabels(json['labels']) : null;
  return { ns, pod: text(json['pod']), container: text(json['container']), labels, text: json['line'] };
}

const toLabels = (labels: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
