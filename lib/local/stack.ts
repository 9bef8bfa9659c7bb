import type { Call } from './aws/calls.ts';
import { type FunctionTarget, findFunction } from './aws/lambda-api.ts';
import type { QueueFaults } from './aws/queue-faults.ts';
import type { QueueService } from './aws/queues.ts';
import type { SqsQueue } from './aws/sqs-store.ts';
import type { MovableClock } from './clock.ts';
import {
  type Closers,
  closeServer,
  createClosers,
  type Ground,
  killFunction,
  openGround,
  stopFunctions,
} from './ground.ts';
import { createHttpApi, createHttpFront, listenOn } from './http/api.ts';
import { FunctionError } from './invocation.ts';
import type { Logs } from './logs.ts';
import { parseMappings, poll } from './mappings.ts';
import { parseSchedules, type Schedule, startTicker, toScheduleEvent } from './schedules.ts';
import type { ServiceAccess, StackOptions } from './stack-options.ts';
import { createTime, type Time } from './time.ts';

/** Numbers of messages in one queue. */
export interface QueueState {
  readonly name: string;
  readonly visible: number;
  readonly delayed: number;
  /** Received and neither deleted nor visible again. */
  readonly inFlight: number;
}

/** A running stack. */
export interface LocalStack extends Time, ServiceAccess {
  /** The HTTP API, e.g. `http://127.0.0.1:8083`. */
  readonly url: string;
  readonly port: number;
  readonly clock: MovableClock;
  readonly logs: Logs;
  /** Faults of the queues; set a switch at any time. */
  readonly faults: QueueFaults;
  /** Each distinct call that functions and others made to AWS services. */
  calls(): readonly Call[];
  queues(): readonly QueueState[];
  /** Invokes a function by its short or full name or ARN. @throws FunctionError when it fails */
  invoke(functionName: string, event: unknown, qualifier?: string): Promise<unknown>;
  /** Invokes a function as its schedule does, at once. @throws FunctionError when it fails */
  invokeNow(functionName: string): Promise<unknown>;
  /**
   * Ends the workers of a function amid their work (or the one with this session token), as a crash of their host does;
   * their messages come again.
   */
  kill(functionName: string, worker?: string): Promise<void>;
  /** Ends everything within two seconds. */
  stop(): Promise<void>;
}

/**
 * Runs a packaged service on this machine: tables, queues, functions, HTTP API, mappings and schedules of its template.
 * @throws Error when the template holds what the stack cannot run, or when the port is taken
 */
export async function startStack(options: StackOptions): Promise<LocalStack> {
  const closers = createClosers();
  try {
    const ground = await openGround(options, closers);
    return await openDoors(ground, options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** Opens what lets events in: HTTP, queues, schedules. */
async function openDoors(ground: Ground, options: StackOptions, closers: Closers): Promise<LocalStack> {
  const { template, functions, region, activity, clock, endpoint } = ground;
  const isThrottled = options.throttle ?? true;
  const api = createHttpApi(template, functions, { ...ground, isThrottled });
  const mappings = parseMappings(template, functions);
  const schedules = parseSchedules(template, functions, { region, now: clock.now() });
  const front = createHttpFront({
    api,
    activity,
    token: await options.makeToken?.(ground),
    services: { endpoint, region },
  });
  const port = await listenOn(front, options.port ?? 0);
  closers.add(() => closeServer(front));
  const failed = keptInFlight(ground.queues);
  const polling = new AbortController();
  const pollOptions = { ...ground, onFailed: (handle: string) => void failed.add(handle) };
  const polls = mappings.map((mapping) => poll(mapping, pollOptions, polling.signal));
  closers.add(async () => {
    polling.abort();
    ground.queues.store.shutdown();
    await stopFunctions(functions);
    await Promise.all(polls);
  });
  const ticker = startTicker(schedules, region);
  closers.add(ticker.stop);
  const consumed = mappings.map(({ queueName }) => queueName);
  const time = createTime({ ...ground, consumed, failed, ticker });
  return { ...handles(ground, schedules), ...time, url: `http://127.0.0.1:${port}`, port, stop: closers.closeAll };
}

/** Messages that an earlier run left in flight wait for their visibility timeout, like failed ones. */
const keptInFlight = ({ store }: QueueService): Set<string> =>
  new Set([...store.allQueues()].flatMap((queue) => [...queue.inflightMessages.keys()]));

function handles(ground: Ground, schedules: readonly Schedule[]) {
  const { endpoint, region, credentials, ref, clock, logs, calls, queues } = ground;
  return {
    endpoint,
    region,
    credentials,
    ref,
    clock,
    logs,
    faults: queues.faults,
    calls: calls.list,
    queues: () => [...queues.store.allQueues()].map(toQueueState),
    invoke: async (name: string, event: unknown, qualifier?: string) =>
      invoke(findTarget(ground, name, qualifier), event),
    kill: (name: string, worker?: string) => killFunction(ground.functions, name, worker),
    async invokeNow(name: string) {
      const target = findTarget(ground, name);
      const schedule = schedules.find((each) => each.target.function === target.function);
      if (!schedule) throw new Error(`no schedule wakes the function ${name}`);
      return invoke(target, toScheduleEvent(schedule, clock.now(), region));
    },
  };
}

function findTarget({ functions }: Ground, name: string, qualifier?: string): FunctionTarget {
  const target = findFunction(functions, name, qualifier);
  if (target) return target;
  const known = functions.map(({ spec }) => spec.name).join(', ');
  throw new Error(`there is no function ${name}${qualifier === undefined ? '' : `:${qualifier}`}; known are ${known}`);
}

async function invoke({ function: called, qualifier }: FunctionTarget, event: unknown): Promise<unknown> {
  const outcome = await called.invoke(event, qualifier);
  if (outcome.error) throw new FunctionError(called.spec.name, outcome.error);
  return JSON.parse(outcome.payload);
}

const toQueueState = ({ name, messages, delayedMessages, inflightMessages }: SqsQueue): QueueState => ({
  name,
  visible: messages.length,
  delayed: delayedMessages.length,
  inFlight: inflightMessages.size,
});
