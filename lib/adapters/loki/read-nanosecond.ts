import type { Page, PulledEntry } from './answer.ts';
import { LokiRefusal } from './refusal.ts';

/** What the streams of one nanosecond gave. */
export interface NanosecondRead {
  readonly entries: readonly PulledEntry[];
  /** Streams that hold more than one answer can carry. */
  readonly fullStreams: number;
}

type AskStream = (limit: number, stream: string) => Promise<Page>;

/** Reads a nanosecond that fills a page by itself, one stream at a time; each may be asked for up to `maxLimit` entries. */
export async function readNanosecond(
  streams: readonly string[],
  limit: number,
  maxLimit: number,
  ask: AskStream,
): Promise<NanosecondRead> {
  const entries: PulledEntry[] = [];
  let fullStreams = 0;
  for (const stream of streams) {
    const read = await readStream(stream, limit, maxLimit, ask);
    entries.push(...read.entries);
    if (!read.isWhole) fullStreams += 1;
  }
  return { entries, fullStreams };
}

/** Doubles the limit while the page is full; a limit that had shrunk for a dense window may do for one stream. */
async function readStream(
  stream: string,
  first: number,
  maxLimit: number,
  ask: AskStream,
): Promise<{ entries: readonly PulledEntry[]; isWhole: boolean }> {
  let entries: readonly PulledEntry[] = [];
  for (let limit = first; ; limit = Math.min(limit * 2, maxLimit)) {
    try {
      ({ entries } = await ask(limit, stream));
    } catch (error) {
      if (error instanceof LokiRefusal && error.kind === 'large') return { entries, isWhole: false };
      throw error;
    }
    if (entries.length < limit) return { entries, isWhole: true };
    if (limit >= maxLimit) return { entries, isWhole: false };
  }
}
