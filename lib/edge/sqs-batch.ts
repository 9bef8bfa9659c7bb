import { setTimeout } from 'node:timers';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Message, parseMessage } from '#lib/domain/messages.ts';
import type { QueueName } from '#lib/flow.ts';
import { logger, withLogContext } from '#lib/logger.ts';
import { withMetrics } from '#lib/metrics.ts';
import { measureFailure, measureOutcome } from './measure-record.ts';

/** A record that is still at work this long before the time-out of the function goes back to the queue. */
const RESERVE_MS = 1_000;

/** What a use case may know of the invocation that it runs in. */
export interface Work {
  /** Aborted shortly before the function's time-out: pass it to outside calls. */
  readonly signal: AbortSignal;
  /** Milliseconds until the function is stopped. */
  readonly remainingMs: () => number;
}

/**
 * Handler of a function that consumes `queue`. Records are worked one after the other, and each ends as done or as failure:
 * a failed one becomes visible again after the queue's visibility time-out and is a dead letter after five tries; the
 * others of the batch are not touched. Only a body that cannot be parsed, an error that the use case throws, and the end
 * of the function's time are failures; a use case that finds nothing to do, or has to wait, returns.
 * @param observe measures what the use case returned, beyond how the record ended
 */
export const sqsBatch = <Q extends QueueName, R>(
  queue: Q,
  useCase: (message: Message<Q>, work: Work) => Promise<R>,
  observe: (outcome: R) => void = () => {},
) =>
  middy<SQSEvent, SQSBatchResponse>()
    .use(withLogContext())
    .use(withMetrics())
    .handler(async (event, context) => {
      const work = async (record: SQSRecord) => {
        // Ids alone: a message holds nothing else.
        const ids = { queue, message_id: record.messageId };
        try {
          const message = parseMessage(queue, record.body);
          Object.assign(ids, message);
          const outcome = await beforeTimeout(context, (work) => useCase(message, work));
          const advice = toAdvice(outcome);
          const told = { ...ids, ...toKind(outcome) };
          if (advice !== undefined) logger.warn('record done', { ...told, advice });
          // Most messages that ask for a look come too soon, and there is nothing to learn from them.
          else logger[told.outcome === 'skipped' ? 'debug' : 'info']('record done', told);
          measureOutcome(queue, outcome);
          observe(outcome);
        } catch (error) {
          measureFailure(queue);
          logger.error('record failed', { ...ids, error: error as Error });
          throw error;
        }
      };
      return processPartialResponse(event, work, new BatchProcessor(EventType.SQS), {
        context,
        processInParallel: false,
        throwOnFullBatchFailure: false,
      });
    });

/** The one word of an outcome that tells how a record ended. */
const toKind = (outcome: unknown): { outcome?: string } => {
  const { kind } = (outcome ?? {}) as { kind?: unknown };
  return typeof kind === 'string' ? { outcome: kind } : {};
};

/** Healer's own sentence for an operator about what another system did; what that system said is not logged. */
function toAdvice(outcome: unknown): string | undefined {
  const { advice } = (outcome ?? {}) as { advice?: unknown };
  return typeof advice === 'string' ? advice : undefined;
}

async function beforeTimeout<T>(context: Context, run: (work: Work) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const left = context.getRemainingTimeInMillis() - RESERVE_MS;
  const late = () => new Error('the function ran out of time; the record goes back to the queue');
  if (left <= 0) throw late();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
      abort.abort(late());
    }, left);
  });
  try {
    const work = { signal: abort.signal, remainingMs: () => context.getRemainingTimeInMillis() };
    return await Promise.race([run(work), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
