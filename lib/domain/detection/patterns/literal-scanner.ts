/** Offsets kept of each pattern in one text; a hostile line may repeat a literal thousands of times. */
const MAX_HITS = 4;

/**
 * Finds all literals of all patterns in one pass over a text, without regard to the case of ASCII letters (Aho-Corasick
 * with a full transition table). Cost is linear in the text and does not grow with the number of literals.
 */
export class LiteralScanner {
  readonly #classes: Uint8Array;
  readonly #width: number;
  readonly #next: Int32Array;
  readonly #outputs: readonly (readonly number[])[];

  /** @param literals for each pattern its literals; they must not be empty. */
  constructor(literals: readonly (readonly string[])[]) {
    const lowered = literals.map((list) => list.map((literal) => literal.toLowerCase()));
    const { classes, width } = toClasses(lowered.flat().join(''));
    this.#classes = classes;
    this.#width = width;
    const trie = buildTrie(lowered, classes, width);
    this.#next = trie.next;
    this.#outputs = trie.outputs;
  }

  scan(text: string): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, number[]>();
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      node = this.#next[node * this.#width + (code < 128 ? (this.#classes[code] ?? 0) : 0)] ?? 0;
      const outputs = this.#outputs[node];
      if (outputs === undefined || outputs.length === 0) continue;
      for (const pattern of outputs) note(found, pattern, index + 1);
    }
    return found;
  }
}

function note(found: Map<number, number[]>, pattern: number, end: number): void {
  const ends = found.get(pattern);
  if (ends === undefined) found.set(pattern, [end]);
  else if (ends.length < MAX_HITS) ends.push(end);
  else ends[MAX_HITS - 1] = end;
}

/** Characters that stand in no literal share class 0, so that the table stays small. */
function toClasses(characters: string): { classes: Uint8Array; width: number } {
  const classes = new Uint8Array(128);
  let width = 1;
  for (const character of new Set(characters)) {
    const code = character.charCodeAt(0);
    if (code < 128) classes[code] = width++;
  }
  for (let code = 65; code <= 90; code += 1) classes[code] = classes[code + 32] ?? 0;
  return { classes, width };
}

function buildTrie(literals: readonly (readonly string[])[], classes: Uint8Array, width: number) {
  const size = literals.flat().reduce((sum, literal) => sum + literal.length, 1);
  const next = new Int32Array(size * width);
  const outputs: number[][] = [[]];
  literals.forEach((list, pattern) => {
    for (const literal of list) {
      let node = 0;
      for (let index = 0; index < literal.length; index += 1) {
        const at = node * width + (classes[literal.charCodeAt(index)] ?? 0);
        if (next[at] === 0) next[at] = outputs.push([]) - 1;
        node = next[at] ?? 0;
      }
      outputs[node]?.push(pattern);
    }
  });
  linkFailures(next, outputs, width);
  return { next, outputs };
}

/** Completes the table: where a node has no child, it goes where its longest proper suffix goes. */
function linkFailures(next: Int32Array, outputs: number[][], width: number): void {
  const failure = new Int32Array(outputs.length);
  const queue: number[] = [];
  for (let symbol = 0; symbol < width; symbol += 1) {
    const child = next[symbol] ?? 0;
    if (child !== 0) queue.push(child);
  }
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head] ?? 0;
    const fallback = failure[node] ?? 0;
    outputs[node]?.push(...(outputs[fallback] ?? []));
    for (let symbol = 0; symbol < width; symbol += 1) {
      const at = node * width + symbol;
      const target = next[fallback * width + symbol] ?? 0;
      const child = next[at] ?? 0;
      if (child === 0) next[at] = target;
      else {
        failure[child] = target;
        queue.push(child);
      }
    }
  }
}
