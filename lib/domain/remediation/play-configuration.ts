import { entriesOf, itemsOf, type JsonNode, placeAt, textOf, toPlaces } from './json-places.ts';

const NAME = /(?:^|\/)cto-config\.json$/;
const SCHEMA = /(?:^|\/)cto-config\.schema\.json$/;
/** A catalogue of tools, as the platform keeps it beside the configuration. */
const CATALOGUE = /(?:^|\/)(?:[\w-]*tools?[-_.]?(?:catalog(?:ue)?|registry|inventory)|catalog(?:ue)?|tools)\.json$/i;
const MAX_CATALOGUES = 4;

const byDepth = (one: string, other: string): number =>
  one.split('/').length - other.split('/').length || (one < other ? -1 : 1);

/** The play's configuration, its schema and the tool catalogues among the files of a repository; shallow ones first. */
export function findConfiguration(paths: readonly string[]) {
  const sorted = paths.toSorted(byDepth);
  return {
    config: sorted.find((path) => NAME.test(path)),
    schema: sorted.find((path) => SCHEMA.test(path)),
    catalogues: sorted.filter((path) => CATALOGUE.test(path)).slice(0, MAX_CATALOGUES),
  };
}

/** A declared tool: where its name stands, and in which list. */
export interface DeclaredTool {
  readonly agent: string;
  readonly name: string;
  readonly node: JsonNode;
  /** Names of the same list. */
  readonly list: readonly string[];
}

/** All tools that the configuration declares: `agents.<name>.tools.remote` and `…localServers.<server>.tools`. */
export function declaredToolsOf(config: JsonNode | undefined): readonly DeclaredTool[] {
  return entriesOf(placeAt(config, ['agents'])).flatMap(({ key: agent, node }) => {
    const servers = entriesOf(placeAt(node, ['tools', 'localServers']));
    const lists = [placeAt(node, ['tools', 'remote']), ...servers.map((server) => placeAt(server.node, ['tools']))];
    return lists.flatMap((list) => toDeclared(agent, itemsOf(list)));
  });
}

function toDeclared(agent: string, items: readonly JsonNode[]): readonly DeclaredTool[] {
  const list = items.map(textOf).filter((name) => name !== undefined);
  return items.flatMap((node) => {
    const name = textOf(node);
    return name === undefined ? [] : [{ agent, name, node, list }];
  });
}

/** A tool that a catalogue knows, with the names it had before. */
export interface CatalogueTool {
  readonly name: string;
  readonly formerly: readonly string[];
}

const FORMERLY = ['renamedFrom', 'renamed_from', 'formerly', 'aliases', 'replaces'];
/** Keys whose list, or whose object's keys, are names of tools. */
const LISTS = new Set(['tools', 'remote']);

/** Reads a catalogue: objects with a `name`, lists of names under `tools` or `remote`, and objects under these keys. */
export function toCatalogue(text: string): readonly CatalogueTool[] {
  const root = toPlaces(text);
  return root === undefined ? [] : collect(root, root.kind === 'array');
}

function collect(node: JsonNode, isList: boolean): readonly CatalogueTool[] {
  if (node.kind === 'array') {
    return node.items.flatMap((item) => {
      const name = isList ? textOf(item) : undefined;
      return name === undefined ? collect(item, isList) : [{ name, formerly: [] }];
    });
  }
  const name = textOf(placeAt(node, ['name']));
  const own = name === undefined ? [] : [{ name, formerly: FORMERLY.flatMap((key) => textsOf(placeAt(node, [key]))) }];
  return [
    ...own,
    ...entriesOf(node).flatMap(({ key, node: child }) => {
      const isNamed = LISTS.has(key) && child.kind === 'object';
      const keys = isNamed ? child.entries.map((entry) => ({ name: entry.key, formerly: [] })) : [];
      return [...keys, ...collect(child, LISTS.has(key))];
    }),
  ];
}

const textsOf = (node: JsonNode | undefined): readonly string[] =>
  [textOf(node), ...itemsOf(node).map(textOf)].filter((text) => text !== undefined);
