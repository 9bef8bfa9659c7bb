import { setTimeout as sleep } from 'node:timers/promises';
import type { Activity } from './activity.ts';
import type { QueueService } from './aws/queues.ts';
import type { SqsQueue } from './aws/sqs-store.ts';
import type { MovableClock } from './clock.ts';
import type { Ticker } from './schedules.ts';

/** Waiting for the stack to come to rest, and moving its clock. */
export interface Time {
  /** What keeps the stack from its rest, in words; empty at rest. */
  busy(): readonly string[];
  /**
   * Resolves when no function runs and no message is visible or being worked on in a queue that a function consumes.
   * Messages that are delayed, or that failed and wait for their visibility timeout, do not count.
   * @throws Error naming what still runs when nothing has begun or ended for `timeoutMs` (real milliseconds), or when
   * there is no end to it
   */
  idle(timeoutMs?: number): Promise<void>;
  /**
   * Moves the clock to `at` (milliseconds since the epoch) by way of everything that becomes due until then, in order:
   * schedules fire once for each of their periods, delayed and failed messages come back. Each step waits for rest.
   */
  advanceTo(at: number): Promise<void>;
  /** {@link advanceTo} by a span in milliseconds. */
  advance(ms: number): Promise<void>;
}

export interface TimeOptions {
  readonly clock: MovableClock;
  readonly activity: Activity;
  readonly queues: QueueService;
  /** Names of the queues that a function consumes. */
  readonly consumed: readonly string[];
  /** Receipt handles of messages that failed and wait for their visibility timeout. */
  readonly failed: Set<string>;
  readonly ticker: Ticker;
}

/** Real milliseconds between two looks while waiting for rest. */
const LOOK_MS = 2;
/** Longer than the longest timeout of a function (15 minutes) is never sensible in a test; two minutes tell a hang. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** So many timeouts are waited in all, on a machine that has much else to do. */
const PATIENCE = 4;

export function createTime(options: TimeOptions): Time {
  const { clock, ticker } = options;
  const consumed = (): readonly SqsQueue[] =>
    options.consumed.flatMap((name) => options.queues.store.getQueueByName(name) ?? []);
  const busy = (): readonly string[] => whatIsBusy(options, consumed());
  const idle = async (timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> => {
    const start = performance.now();
    let changedAt = start;
    let before = '';
    for (;;) {
      const reasons = busy().join(', ');
      if (reasons === '') return;
      const now = performance.now();
      if (reasons !== before) [before, changedAt] = [reasons, now];
      if (now > Math.min(changedAt + timeoutMs, start + PATIENCE * timeoutMs)) {
        throw new Error(`not at rest after ${Math.round(now - start)} ms: ${reasons}`);
      }
      await sleep(LOOK_MS);
    }
  };
  const advanceTo = async (at: number): Promise<void> => {
    for (;;) {
      await idle();
      const dues = [...ticker.schedules.map(({ dueAt }) => dueAt), ...consumed().flatMap(duesOf)];
      // Nothing runs between the look at rest and the jump: both happen in one turn of the event loop.
      const next = Math.min(at, ...dues);
      clock.jumpTo(next);
      options.queues.store.processAllTimers();
      await ticker.fireDue();
      if (next >= at) return idle();
    }
  };
  return { busy, idle, advanceTo, advance: (ms) => advanceTo(clock.now() + ms) };
}

/** Moments at which messages of the queue come back. */
const duesOf = (queue: SqsQueue): readonly number[] => [
  ...queue.delayedMessages.map(({ delayUntil = 0 }) => delayUntil),
  ...[...queue.inflightMessages.values()].map(({ visibilityDeadline }) => visibilityDeadline),
];

function whatIsBusy({ activity, failed, queues }: TimeOptions, consumed: readonly SqsQueue[]): readonly string[] {
  queues.store.processAllTimers();
  const handles = new Set(consumed.flatMap((queue) => [...queue.inflightMessages.keys()]));
  for (const handle of failed) if (!handles.has(handle)) failed.delete(handle);
  const waiting = consumed.filter(({ messages }) => messages.length > 0);
  const worked = consumed.filter((queue) => [...queue.inflightMessages.keys()].some((handle) => !failed.has(handle)));
  return [
    ...activity.running(),
    ...waiting.map(({ name, messages }) => `${messages.length} messages in ${name}`),
    ...worked.map(({ name }) => `messages in flight from ${name}`),
  ];
}
