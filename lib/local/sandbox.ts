import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ClockOffset } from './clock.ts';
import { type InvocationFacts, type Outcome, toFailure, type WorkerReply } from './invocation.ts';

/** One worker thread with one function in it. It serves one invocation at a time. */
export interface Sandbox {
  /** Its session token: the calls of AWS services that it makes carry it. */
  readonly id: string;
  /** False once the thread has ended, by a timeout, a crash or an exit. */
  readonly isAlive: boolean;
  /** Serves an invocation; never rejects. A timeout ends the thread. */
  run(facts: InvocationFacts, timeoutMs: number): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  readonly id: string;
  readonly offset: ClockOffset;
  /** URL of the module with the handler. */
  readonly file: string;
  readonly exportName: string;
  readonly environment: { readonly [name: string]: string };
  readonly memoryMb: number;
  readonly onLine: (stream: 'stdout' | 'stderr', text: string) => void;
}

const WORKER = new URL('./worker.ts', import.meta.url);

export function openSandbox(options: SandboxOptions): Sandbox {
  const worker = startWorker(options);
  let isAlive = true;
  let settle: (outcome: Outcome) => void = () => {};
  worker.on('message', (reply: WorkerReply) => settle(reply));
  worker.on('error', (error: unknown) => settle(toCrash(error)));
  worker.on('exit', (code) => {
    isAlive = false;
    settle(toFailure('Runtime.ExitError', `Runtime exited with error: exit status ${code}`));
  });
  return {
    id: options.id,
    get isAlive() {
      return isAlive;
    },
    async run(facts, timeoutMs) {
      const isDone = new AbortController();
      const answer = new Promise<Outcome>((resolve) => {
        settle = resolve;
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window's
      worker.postMessage(facts);
      const expiry = sleep(timeoutMs, 'expired' as const, { signal: isDone.signal }).catch(() => 'cancelled' as const);
      const first = await Promise.race([answer, expiry]);
      isDone.abort();
      if (typeof first !== 'string') return first;
      isAlive = false;
      await worker.terminate();
      const seconds = (timeoutMs / 1000).toFixed(2);
      return toFailure(
        'Sandbox.Timedout',
        `RequestId: ${facts.requestId} Error: Task timed out after ${seconds} seconds`,
      );
    },
    async stop() {
      isAlive = false;
      await worker.terminate();
    },
  };
}

function startWorker(options: SandboxOptions): Worker {
  const { id, offset, file, exportName, environment, memoryMb } = options;
  const worker = new Worker(WORKER, {
    workerData: { offset, file, exportName },
    env: { ...environment, AWS_SESSION_TOKEN: id },
    // A worker does not read NODE_OPTIONS by itself.
    execArgv: (environment['NODE_OPTIONS'] ?? '').split(/\s+/).filter((option) => option !== ''),
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    createInterface({ input: worker[stream] }).on('line', (text) => options.onLine(stream, text));
  }
  return worker;
}

/** An error that nobody caught in the thread: an unhandled rejection, memory that ran out. */
function toCrash(error: unknown): Outcome {
  if (!(error instanceof Error)) return toFailure('Runtime.Unknown', String(error));
  const trace = (error.stack ?? '').split('\n');
  return { error: { errorType: error.name, errorMessage: error.message, trace } };
}
