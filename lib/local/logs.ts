import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/** One line that a function printed, or that the stack says about it (`platform`). */
export interface LogLine {
  /** Milliseconds since the epoch by the movable clock. */
  readonly at: number;
  /** The function's name in `serverless.yml`; `stack` for what belongs to none. */
  readonly function: string;
  readonly stream: 'stdout' | 'stderr' | 'platform';
  readonly text: string;
}

/** Collects the lines of all functions: one file a function, the last lines in memory, and whoever listens. */
export interface Logs {
  readonly directory: string;
  write(line: Omit<LogLine, 'at'>): void;
  /** The last lines, oldest first, of one function or of all. */
  lines(functionName?: string): readonly LogLine[];
  /** Calls back for each further line; returns a function that ends it. */
  subscribe(listener: (line: LogLine) => void): () => void;
  stop(): Promise<void>;
}

/** Lines kept in memory. */
const KEPT = 20_000;

export function openLogs(directory: string): Logs {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const listeners = new Set<(line: LogLine) => void>();
  const kept: LogLine[] = [];
  const fileOf = (name: string): WriteStream => {
    const file = files.get(name) ?? createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
    files.set(name, file);
    return file;
  };
  return {
    directory,
    write(input) {
      const line = { at: Date.now(), ...input };
      kept.push(line);
      if (kept.length > KEPT) kept.splice(0, KEPT / 10);
      fileOf(line.function).write(`${new Date(line.at).toISOString()} ${line.stream} ${line.text}\n`);
      for (const listener of listeners) listener(line);
    },
    lines: (name) => kept.filter((line) => name === undefined || line.function === name),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      listeners.clear();
      const open = [...files.values()];
      files.clear();
      for (const file of open) file.end();
      await Promise.all(open.map((file) => finished(file)));
    },
  };
}
