import { PassThrough, Readable, Writable } from 'node:stream';
import { runCli } from '#lib/cli/run-cli.ts';

/** How a command is called in tests. */
export interface CliCall {
  readonly stdin?: string | Buffer | Readable;
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of a terminal; absent: stdout and stderr are pipes. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

export interface CliAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `healer …` in this process with streams of its own. */
export async function callCli(args: readonly string[], call: CliCall = {}): Promise<CliAnswer> {
  const terminal = call.columns === undefined ? {} : { isTTY: true, columns: call.columns };
  const [out, err] = [collector(), collector()];
  const code = await runCli(args, {
    stdin: toStream(call.stdin),
    stdout: Object.assign(out.stream, terminal),
    stderr: Object.assign(err.stream, terminal),
    env: call.env ?? {},
    signal: call.signal ?? new AbortController().signal,
  });
  return { code, stdout: out.text(), stderr: err.text() };
}

function toStream(stdin: CliCall['stdin']): Readable {
  if (stdin === undefined) return new PassThrough().end();
  return stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)]);
}

function collector() {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => parts.join('') };
}
