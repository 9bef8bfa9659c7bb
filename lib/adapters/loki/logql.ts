import { InputError } from '#lib/domain/errors.ts';

/** One comparison of a label; for `=~` and `!~` the value is an RE2 expression that must match whole. */
export interface LabelMatcher {
  readonly label: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/**
 * Stream selector of the labels (equal) and further matchers: `{namespace="cto",app!="healer"}`. Values may hold anything.
 * @throws InputError for a label name that LogQL does not know, or when nothing at all is asked for.
 */
export function toSelector(labels: Readonly<Record<string, string>>, extra: readonly LabelMatcher[] = []): string {
  const equal = Object.entries(labels).map(([label, value]): LabelMatcher => ({ label, op: '=', value }));
  const matchers = [...equal, ...extra];
  if (matchers.length === 0) throw new InputError('A log selector needs at least one label, such as namespace.');
  return `{${matchers.map(toMatcher).join(',')}}`;
}

/** Adds filters behind the pipe; unlike the selector they see structured metadata (a pod's name often stands there). */
export function withLabelFilters(selector: string, filters: readonly LabelMatcher[]): string {
  return [selector, ...filters.map(toMatcher)].join(' | ');
}

/** RE2 text that matches exactly this text. */
export const quoteRegex = (text: string): string => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);

/** A selector cut behind its closing brace. */
export interface SelectorParts {
  readonly stream: string;
  /** Label filters, ` | pod="x"`, or empty. */
  readonly pipeline: string;
}

/** @throws InputError for text that is not `{…}`, optionally followed by filters that begin with `|`. */
export function splitSelector(selector: string): SelectorParts {
  const parts = /^\s*(\{(?:[^"`{}]|"(?:[^"\\\n]|\\.)*"|`[^`]*`)*\})\s*(\|[\s\S]*)?$/.exec(selector);
  if (!parts?.[1]) throw new InputError('A log selector must look like {namespace="cto"}, optionally with | pod="x".');
  return { stream: parts[1], pipeline: parts[2] ? ` ${parts[2]}` : '' };
}

const MATCHER = /([A-Za-z_][A-Za-z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\\n]|\\.)*"|`[^`]*`)/g;

/** The comparisons of a stream selector. @throws InputError when it is none */
export function matchersOf(selector: string): readonly LabelMatcher[] {
  const { stream } = splitSelector(selector);
  return [...stream.matchAll(MATCHER)].map(([, label = '', op, quoted = '']) => ({
    label,
    op: op as LabelMatcher['op'],
    value: quoted.startsWith('`') ? quoted.slice(1, -1) : unquote(quoted),
  }));
}

/** Escapes that Go knows and JSON does not are left as they stand. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Log query: the line filter (RE2, found anywhere in the line) stands first, where Loki evaluates it cheapest. */
export function toLogQuery(selector: string, lineFilter: string | undefined): string {
  const { stream, pipeline } = splitSelector(selector);
  return `${stream}${lineFilter ? ` |~ ${quote(lineFilter)}` : ''}${pipeline}`;
}

/** Number of entries per label value over a range in milliseconds, Loki's finest unit for ranges. */
export function toCountQuery(selector: string, label: string, rangeMs: bigint): string {
  const { stream, pipeline } = splitSelector(selector);
  return `sum by (${toLabelName(label)}) (count_over_time(${stream}${pipeline} [${rangeMs}ms]))`;
}

const toMatcher = ({ label, op, value }: LabelMatcher): string => `${toLabelName(label)}${op}${quote(value)}`;

export const isLabelName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

function toLabelName(name: string): string {
  if (isLabelName(name)) return name;
  throw new InputError('A Loki label name holds letters, digits and underscores only and does not begin with a digit.');
}

/**
 * A Go string literal. JSON's escapes are a subset of Go's; a lone surrogate, which Go refuses, becomes U+FFFD.
 */
const quote = (text: string): string => JSON.stringify(text.toWellFormed());
