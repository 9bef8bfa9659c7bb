import middy from '@middy/core';
import type { Context, SQSEvent } from 'aws-lambda';
import { InputError } from '#lib/domain/errors.ts';
import { ProbeRequest } from '#lib/domain/probe.ts';
import { logger, withLogContext } from '#lib/logger.ts';
import { withMetrics } from '#lib/metrics.ts';
import type { Work } from './sqs-batch.ts';

/** What an answer takes on its way. */
const RESERVE_MS = 1_000;

/**
 * Handler of a function that also answers the probe of `healer doctor`: an invocation whose event is `{"healer":"probe"}`.
 * Nobody gets there by a queue: whatever a message says, its event is `{"Records": […]}`, made by AWS. Who may invoke the
 * function directly decides IAM.
 */
export function withProbe<A, R>(
  probe: (request: ProbeRequest, work: Work) => Promise<A>,
  handler: (event: SQSEvent, context: Context) => Promise<R>,
) {
  const answer = middy()
    .use(withLogContext())
    .use(withMetrics())
    .handler(async (event: unknown, context: Context): Promise<A> => {
      const request = parseRequest(event);
      logger.info('probe');
      return probe(request, toWork(context));
    });
  return (event: SQSEvent | object, context: Context): Promise<A | R> =>
    isProbe(event) ? answer(event, context) : handler(event as SQSEvent, context);
}

const toWork = (context: Context): Work => ({
  signal: AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS)),
  remainingMs: () => context.getRemainingTimeInMillis(),
});

const isProbe = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'healer' in event && !('Records' in event);

/** @throws InputError */
function parseRequest(event: unknown): ProbeRequest {
  const parsed = ProbeRequest.safeParse(event);
  if (parsed.success) return parsed.data;
  throw new InputError('a probe must be {"healer": "probe", "namespaces": ["…"]}');
}
