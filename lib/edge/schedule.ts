import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { logger, withLogContext } from '#lib/logger.ts';
import { withMetrics } from '#lib/metrics.ts';

/**
 * Handler of a function that a schedule wakes. The event says nothing that the use case needs. What the use case returns
 * (counts) is logged and answered; an error that it throws fails the invocation, which the scheduler repeats.
 * @param observe measures what the use case returned
 */
export const scheduled = <R extends object | void>(
  useCase: () => Promise<R>,
  observe: (result: R) => void = () => {},
) =>
  middy()
    .use(withLogContext())
    .use(withMetrics())
    .handler(async (_event: unknown, _context: Context): Promise<R> => {
      const result = await useCase();
      logger.info('pass finished', { result: result ?? {} });
      observe(result);
      return result;
    });
