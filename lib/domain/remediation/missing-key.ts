import type { Finding } from '../detection/finding.ts';
import { entriesOf, itemsOf, type JsonNode, placeAt, textOf, toPlaces } from './json-places.ts';
import { findConfiguration } from './play-configuration.ts';
import type { Edit, Proposal } from './proposal.ts';
import { toUniqueEdit } from './unique-edit.ts';

interface MissingKey {
  /** The object that lacks it. */
  readonly owner: Extract<JsonNode, { kind: 'object' }>;
  readonly path: readonly string[];
  readonly key: string;
  /** The default as the schema writes it. */
  readonly value: string;
}

const MAX_KEYS = 10;

/**
 * Remedy of A11: the configuration lacks keys that its own schema (`cto-config.schema.json`) requires and documents a
 * `default` for. Undefined when nothing is missing or the schema names no default.
 */
export function remedyMissingKey(
  finding: Finding,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): Proposal | undefined {
  if (finding.code !== 'A11') return undefined;
  const { config: path, schema } = findConfiguration(paths);
  const text = path === undefined ? undefined : texts.get(path);
  const rules = schema === undefined ? undefined : texts.get(schema);
  if (path === undefined || text === undefined || schema === undefined || rules === undefined) return undefined;
  const edits: Edit[] = [];
  const added: MissingKey[] = [];
  let current = text;
  while (added.length < MAX_KEYS) {
    const [missing] = findMissing(toPlaces(current), toPlaces(rules), rules, []);
    const edit = missing && addKey(path, current, missing);
    if (missing === undefined || edit?.search == null) break;
    edits.push(edit);
    added.push(missing);
    current = current.replace(edit.search, () => edit.replace);
  }
  return edits.length === 0 ? undefined : toProposal(path, schema, added, edits);
}

/** Walks configuration and schema side by side: `properties`, `additionalProperties`, `required`, `default`. */
function findMissing(
  node: JsonNode | undefined,
  schema: JsonNode | undefined,
  text: string,
  path: readonly string[],
): readonly MissingKey[] {
  if (node?.kind !== 'object' || schema === undefined) return [];
  const properties = placeAt(schema, ['properties']);
  const required = itemsOf(placeAt(schema, ['required'])).map(textOf);
  const own = required.flatMap((key) => {
    const standard = key === undefined ? undefined : placeAt(properties, [key, 'default']);
    const isThere = node.entries.some((entry) => entry.key === key);
    if (key === undefined || standard === undefined || isThere) return [];
    return [{ owner: node, path, key, value: text.slice(standard.start, standard.end) }];
  });
  const below = entriesOf(node).flatMap(({ key, node: child }) => {
    const rule = placeAt(properties, [key]) ?? placeAt(schema, ['additionalProperties']);
    return findMissing(child, rule, text, [...path, key]);
  });
  return [...own, ...below];
}

/** The key goes first into its object, indented like the one that stood there. */
function addKey(path: string, text: string, { owner, key, value }: MissingKey): Edit | undefined {
  const [first] = owner.entries;
  const entry = `${JSON.stringify(key)}: ${value}`;
  const start = owner.start + 1;
  if (first === undefined) return toUniqueEdit(path, text, { start, end: owner.end - 1, replacement: ` ${entry} ` });
  const blank = text.slice(start, first.keyStart);
  return toUniqueEdit(path, text, { start, end: first.keyStart, replacement: `${blank}${entry},${blank || ' '}` });
}

function toProposal(path: string, schema: string, added: readonly MissingKey[], edits: readonly Edit[]): Proposal {
  const names = added.map((one) => `\`${[...one.path, one.key].join('.')}\``).join(', ');
  return {
    title: `Add the missing configuration ${names}`.slice(0, 200),
    why: `\`${schema}\` requires ${names}, which \`${path}\` lacks; the values are the defaults that the schema documents.`.slice(
      0,
      4_000,
    ),
    edits,
    verify: ['Start a play of this repository: its agents start without an error of configuration.'],
    source: 'rules',
    declaredIn: [schema],
    expects: null,
  };
}
