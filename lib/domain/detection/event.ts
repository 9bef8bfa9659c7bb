import type { ServerState } from './detection.ts';
import type { Channel } from './patterns/channel.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** What a top-level event says for a fact, whatever its words. */
export type Fact =
  /** A start event lists what the agent got; null where the CLI lists nothing of the kind. */
  | {
      readonly kind: 'start';
      readonly tools: readonly string[] | null;
      readonly servers: Readonly<Record<string, ServerState>> | null;
    }
  /** A start-up line tells of one server; `toolCount` and `tools` where it says them. */
  | {
      readonly kind: 'server';
      readonly name: string;
      readonly state: ServerState;
      readonly toolCount: number | null;
      readonly tools: readonly string[] | null;
    }
  /** Everything that the CLI will list of its servers has been listed. */
  | { readonly kind: 'discovered' }
  /** The closing event of a run or turn. */
  | { readonly kind: 'result'; readonly ok: boolean; readonly isEmpty: boolean }
  /** A tool call that has ended; `command` is the shell command, where it was one. */
  | { readonly kind: 'call'; readonly tool: string; readonly command: string | null; readonly ok: boolean }
  /** The model answered, a step went on: what failed before has been overcome. */
  | {
      readonly kind: 'activity' /** Told by plain text, whose order and meaning are less certain. */;
      readonly isText?: true;
      /** A logger that goes on without complaint: it lifts what was to be tried again, nothing else. */
      readonly isLog?: true;
    }
  /** Words of success in plain text. */
  | { readonly kind: 'success'; readonly isText?: true }
  /** A Kubernetes object is well again; `isImage`: so far only its image is known to be there. */
  | { readonly kind: 'healthy'; readonly object: string; readonly isImage?: boolean };

/** One piece of an entry with its meaning. An entry gives none (an empty line), one or several. */
export interface LogEvent {
  readonly channel: Channel;
  readonly text: string;
  readonly level: Level | null;
  readonly facts: readonly Fact[];
  /** Kubernetes object that the event is about, e.g. `Pod/play-1-rex-abcde`. */
  readonly object?: string;
  /** Shell command or tool whose result this is. */
  readonly command?: string;
  /** Last line of a trace: the exception itself. */
  readonly isException?: boolean;
}

/** A JSON object whose fields are not known yet. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): Json => (isObject(value) ? value : {});

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A message with nothing but its channel. */
export const toEvent = (channel: Channel, text: string, facts: readonly Fact[] = []): LogEvent => ({
  channel,
  text,
  level: null,
  facts,
});

const LEVEL_NAMES: Readonly<Record<string, Level>> = {
  trace: 'debug',
  debug: 'debug',
  debu: 'debug',
  info: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  err: 'error',
  error: 'error',
  erro: 'error',
  severe: 'error',
  fatal: 'fatal',
  fata: 'fatal',
  pani: 'fatal',
  panic: 'fatal',
  crit: 'fatal',
  critical: 'fatal',
};

/** Level by its name (any case) or by pino's and bunyan's number; null when it is neither. */
export function toLevel(value: unknown): Level | null {
  if (typeof value === 'number') {
    if (value >= 60) return 'fatal';
    if (value >= 50) return 'error';
    if (value >= 40) return 'warn';
    return value >= 30 ? 'info' : 'debug';
  }
  return LEVEL_NAMES[asText(value).toLowerCase()] ?? null;
}
