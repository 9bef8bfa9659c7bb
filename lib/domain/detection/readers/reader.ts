import type { Json, LogEvent } from '../event.ts';

/** What a reader remembers of one stream (a container of a pod) while it reads it in order. */
export interface StreamState {
  /** Reader id of the CLI whose stream this is, as soon as one event has shown it. */
  cli: string | null;
  /** Tool calls by id, to know what a result belongs to. */
  readonly calls: Map<string, { readonly tool: string; readonly command: string | null }>;
  /** Position inside a block of plain text; see `text-blocks.ts`. */
  block: TextBlock | null;
  /** Lines read since the block began. */
  blockLines: number;
}

/** A run of lines that have one meaning because of the line that began it. */
export interface TextBlock {
  readonly kind: 'tool-result' | 'listing' | 'prose' | 'prompt' | 'trace' | 'tests';
  /** Command of the tool whose output follows. */
  readonly command: string | null;
  /** How the block ends. */
  readonly ends: 'unindented' | 'marker' | 'stamped' | 'command' | 'tests' | 'diff' | 'replace' | 'trace' | 'fence';
}

export const newState = (): StreamState => ({ cli: null, calls: new Map(), block: null, blockLines: 0 });

/** Reads the JSON events of one CLI; null when the object is none of its own. */
export interface JsonReader {
  readonly id: string;
  read(json: Json, state: StreamState): readonly LogEvent[] | null;
}
