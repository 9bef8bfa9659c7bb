import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';

type Batches = AsyncIterator<readonly ScanEntry[]>;

/** The next entries of one file. */
interface Head {
  readonly batches: Batches;
  batch: readonly ScanEntry[];
  at: number;
}

const BATCH = 512;

/** Entries of several files in the order of time; those of one file keep its order. */
export async function* mergeLogs(
  logs: readonly AsyncIterable<readonly ScanEntry[]>[],
): AsyncGenerator<readonly ScanEntry[]> {
  const [only] = logs;
  if (logs.length === 1 && only !== undefined) {
    yield* only;
    return;
  }
  const heads: Head[] = logs.map((log) => ({ batches: log[Symbol.asyncIterator](), batch: [], at: 0 }));
  const open = await refill(heads);
  let merged: ScanEntry[] = [];
  while (open.length > 0) {
    const head = earliest(open);
    merged.push(head.batch[head.at] as ScanEntry);
    head.at += 1;
    if (head.at === head.batch.length && (await refill([head])).length === 0) open.splice(open.indexOf(head), 1);
    if (merged.length < BATCH) continue;
    yield merged;
    merged = [];
  }
  if (merged.length > 0) yield merged;
}

function earliest(heads: readonly Head[]): Head {
  let first = heads[0] as Head;
  for (const head of heads) if (momentOf(head) < momentOf(first)) first = head;
  return first;
}

const momentOf = ({ batch, at }: Head): bigint => batch[at]?.ns ?? 0n;

/** Loads the next batch of each; returns those that have one. */
async function refill(heads: readonly Head[]): Promise<Head[]> {
  const loaded: Head[] = [];
  for (const head of heads) {
    const next = await head.batches.next();
    if (next.done === true) continue;
    head.batch = next.value;
    head.at = 0;
    if (head.batch.length > 0) loaded.push(head);
    else loaded.push(...(await refill([head])));
  }
  return loaded;
}
