import type { Readable, Writable } from 'node:stream';

/** What a command may touch of the process; tests pass their own. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One `healer <name>`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, options, and an example that works when pasted; at most 80 columns. */
  readonly help: string;
  /** Returns the exit code. @throws UsageError for words that it does not understand. */
  run(args: readonly string[], io: CliIo): Promise<number>;
}

/** The words of a call are off: printed with a pointer to `--help`, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
