import { randomBytes, randomUUID } from 'node:crypto';
import type { Activity } from './activity.ts';
import type { FunctionSpec } from './function-specs.ts';
import { type InvocationFacts, type Outcome, toFailure } from './invocation.ts';
import type { Logs } from './logs.ts';
import type { Sandbox } from './sandbox.ts';

/** Answers an alias in the place of the function; what it throws is the function's error. */
export type Replacement = (event: unknown, invokedFunctionArn: string) => unknown;

/** A function that can be invoked, with as many sandboxes as are needed at once. */
export interface LocalFunction {
  readonly spec: FunctionSpec;
  /** Serves the event, at once or when one of the sandboxes is free; never rejects. */
  invoke(event: unknown, qualifier?: string): Promise<Outcome>;
  /** Ends the sandboxes that serve an invocation (or the one of this id), as a crash of their host does; the invocations fail. */
  kill(id?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface FunctionOptions {
  readonly spec: FunctionSpec;
  readonly openSandbox: () => Sandbox;
  readonly logs: Logs;
  readonly activity: Activity;
  /** By alias. */
  readonly replacements: { readonly [alias: string]: Replacement };
}

export function createFunction(options: FunctionOptions): LocalFunction {
  const { spec, logs, activity } = options;
  const pool = createPool(spec.concurrency, options.openSandbox);
  const serve = async (event: unknown, qualifier: string | undefined): Promise<Outcome> => {
    const arn = qualifier === undefined ? spec.arn : `${spec.arn}:${qualifier}`;
    const replacement = options.replacements[qualifier ?? ''];
    if (replacement) return answerInstead(replacement, event, arn);
    return pool.use((sandbox) => sandbox.run(toFacts(spec, event, arn), spec.timeoutMs));
  };
  return {
    spec,
    invoke: (event, qualifier) =>
      activity.during(spec.name, async () => {
        const outcome = await serve(event, qualifier);
        if (outcome.error) {
          const text = `Invoke Error ${JSON.stringify(outcome.error)}`;
          logs.write({ function: spec.name, stream: 'platform', text });
        }
        return outcome;
      }),
    kill: pool.kill,
    stop: pool.stop,
  };
}

async function answerInstead(replacement: Replacement, event: unknown, arn: string): Promise<Outcome> {
  try {
    return { payload: JSON.stringify((await replacement(event, arn)) ?? null) };
  } catch (error) {
    return error instanceof Error ? toFailure(error.name, error.message) : toFailure('Error', String(error));
  }
}

function toFacts(spec: FunctionSpec, event: unknown, invokedFunctionArn: string): InvocationFacts {
  return {
    requestId: randomUUID(),
    traceId: `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`,
    functionName: spec.fullName,
    invokedFunctionArn,
    memoryMb: spec.memoryMb,
    deadline: process.hrtime.bigint() + BigInt(spec.timeoutMs) * 1_000_000n,
    event: JSON.stringify(event) ?? 'null',
  };
}

interface Pool {
  readonly use: (work: (sandbox: Sandbox) => Promise<Outcome>) => Promise<Outcome>;
  readonly kill: (id?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** At most `limit` sandboxes; who finds none free waits in line. */
function createPool(limit: number, open: () => Sandbox): Pool {
  const all = new Set<Sandbox>();
  const idle: Sandbox[] = [];
  const waiting: (() => void)[] = [];
  let isStopped = false;
  let taken = 0;
  const take = async (): Promise<Sandbox | undefined> => {
    if (taken >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken += 1;
    if (isStopped) return undefined;
    const sandbox = idle.pop() ?? open();
    all.add(sandbox);
    return sandbox;
  };
  const giveBack = (sandbox: Sandbox): void => {
    if (sandbox.isAlive) idle.push(sandbox);
    else all.delete(sandbox);
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async use(work) {
      const sandbox = await take();
      if (!sandbox) return toFailure('Sandbox.Stopped', 'the local stack has stopped');
      const outcome = await work(sandbox);
      giveBack(sandbox);
      return outcome;
    },
    async kill(id) {
      const met = [...all].filter((sandbox) => !idle.includes(sandbox) && sandbox.id === (id ?? sandbox.id));
      await Promise.all(met.map((sandbox) => sandbox.stop()));
    },
    async stop() {
      isStopped = true;
      for (const resume of waiting.splice(0)) resume();
      await Promise.all([...all].map((sandbox) => sandbox.stop()));
    },
  };
}
