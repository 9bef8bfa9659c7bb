import { FIELDS, findFault, nest } from '#lib/domain/deployment/describe-fields.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { UsageError } from '../command.ts';

/** What was answered, by the field's path. */
export type Answers = ReadonlyMap<string, unknown>;

/** A field's value from what a person typed: lists are separated by commas, and numbers are numbers where one is wanted. */
export function toValue(path: string, typed: string, stage: string): unknown {
  const text = typed.trim();
  if (FIELDS.get(path)?.isList) {
    const entries = text.replace(/^\[(.*)\]$/, '$1').split(',');
    return entries.map((entry) => entry.trim()).filter(Boolean);
  }
  const isNumber = /^\d+(?:\.\d+)?$/.test(text) && findFault(path, text, stage) !== undefined;
  return isNumber ? Number(text) : text;
}

/** Reads `loki.url=https://loki.example.com`. @throws UsageError for what names no field, ConfigError for a wrong value */
export function parseSettings(words: readonly string[], stage: string): Answers {
  return new Map(words.map((word) => parseSetting(word, stage)));
}

function parseSetting(word: string, stage: string): readonly [string, unknown] {
  const [path = '', text] = word.split(/=(.*)/s);
  if (text === undefined) throw new UsageError('--set needs field=value, e.g. --set loki.url=https://loki.example.com');
  if (!FIELDS.has(path)) throw new UsageError('--set must name a field of healer.example.yml, e.g. loki.url');
  const value = toValue(path, text, stage);
  const fault = findFault(path, value, stage);
  if (fault !== undefined) throw new ConfigError(`${path} ${fault}`);
  return [path, value];
}

/** The answers over what `base` holds, as the file would hold them. */
export const toInput = (answers: Answers, base: unknown): unknown =>
  [...answers].reduce((input, [path, value]) => merge(input, nest(path, value)), base);

const isBlock = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The later value counts; blocks are merged. */
function merge(base: unknown, over: unknown): unknown {
  if (!isBlock(base) || !isBlock(over)) return over;
  const merged = Object.entries(over).map(([name, value]) => [name, merge(base[name], value)] as const);
  return { ...base, ...Object.fromEntries(merged) };
}
