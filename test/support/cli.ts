import { PassThrough, Readable } from 'node:stream';
import type { CliIo } from '#lib/cli/command.ts';
import { runCli } from '#lib/cli/run-cli.ts';

/** A call of the command that is under way. */
export interface CliRun {
  readonly code: Promise<number>;
  /** What has been printed so far. */
  stdout(): string;
  stderr(): string;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

/** Starts `healer <args>` in this process, with its own streams and environment. */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: CliIo['stdin'] = Readable.from([]),
): CliRun {
  const [stdout, stderr] = [collect(), collect()];
  const interrupt = new AbortController();
  const io = { stdin, stdout: stdout.stream, stderr: stderr.stream, env, signal: interrupt.signal };
  return {
    code: runCli(args, io),
    stdout: stdout.text,
    stderr: stderr.text,
    interrupt: () => interrupt.abort(),
  };
}

function collect() {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream, text: () => text };
}

/** Runs `healer <args>` to its end. */
export async function cli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: CliIo['stdin'] = Readable.from([]),
) {
  const run = startCli(args, env, stdin);
  const code = await run.code;
  // Streams hand their chunks over in later turns.
  await new Promise((resolve) => setImmediate(resolve));
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}
