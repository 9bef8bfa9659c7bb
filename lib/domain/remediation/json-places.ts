/** A value of a JSON text with its place: `text.slice(start, end)` is the value. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly entries: readonly JsonEntry[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly start: number; readonly end: number; readonly value: unknown };

export interface JsonEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly node: JsonNode;
}

/** Deeper nesting is no configuration. */
const MAX_DEPTH = 64;
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

/** Reads where each value of a JSON text stands, so that text can be edited without being written anew. Undefined: no JSON. */
export function toPlaces(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
    return new Scanner(text).read(0);
  } catch {
    return undefined;
  }
}

/** Walks a text that is known to be JSON. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    const first = this.#skip();
    if (first === '{') return this.#readObject(depth);
    return first === '[' ? this.#readArray(depth) : this.#readScalar();
  }

  /** The next character that is no blank. */
  #skip(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text[this.#at] ?? '';
  }

  #take(...characters: readonly string[]): boolean {
    const isThere = characters.includes(this.#skip());
    if (isThere) this.#at += 1;
    return isThere;
  }

  #readObject(depth: number): JsonNode {
    const start = this.#at;
    const entries: JsonEntry[] = [];
    this.#at += 1;
    while (!this.#take('}')) {
      this.#take(',');
      this.#skip();
      const keyStart = this.#at;
      const key = String(this.#readScalar().value);
      this.#take(':');
      entries.push({ key, keyStart, node: this.read(depth + 1) });
    }
    return { kind: 'object', start, end: this.#at, entries };
  }

  #readArray(depth: number): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    this.#at += 1;
    while (!this.#take(']')) {
      this.#take(',');
      items.push(this.read(depth + 1));
    }
    return { kind: 'array', start, end: this.#at, items };
  }

  #readScalar(): Extract<JsonNode, { kind: 'scalar' }> {
    const start = this.#at;
    SCALAR.lastIndex = start;
    const raw = SCALAR.exec(this.#text)?.[0] ?? '';
    this.#at = start + raw.length;
    return { kind: 'scalar', start, end: this.#at, value: JSON.parse(raw) as unknown };
  }
}

/** The value at a path of keys; undefined when a key is missing. */
export function placeAt(node: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  const [key, ...rest] = path;
  if (key === undefined || node === undefined) return node;
  return node.kind === 'object' ? placeAt(node.entries.find((entry) => entry.key === key)?.node, rest) : undefined;
}

/** Entries of an object; none for anything else. */
export const entriesOf = (node: JsonNode | undefined): readonly JsonEntry[] =>
  node?.kind === 'object' ? node.entries : [];

/** Items of an array; none for anything else. */
export const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.kind === 'array' ? node.items : []);

/** The text that a node holds; undefined when it is no string. */
export const textOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
