import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { logger, withLogContext } from '#lib/logger.ts';
import { measure, withMetrics } from '#lib/metrics.ts';
import { wireGithubToken } from '#lib/wiring/github-token.ts';

const mintToken = wireGithubToken();

/** The token is in the answer and nowhere else: neither it nor the event is logged. */
export const handler = middy()
  .use(withLogContext())
  .use(withMetrics())
  .handler(async (event: unknown, context: Context) => {
    const answer = await mintToken(event, context.invokedFunctionArn);
    if ('error' in answer) tellRefusal(answer.error);
    return answer;
  });

/** GitHub being away is no denial: the same wish is granted later. */
function tellRefusal({ message, advice, retryable }: { message: string; advice: string; retryable: boolean }): void {
  if (!retryable) measure('BrokerDenied');
  logger.error('token refused', { reason: message, advice, retryable });
}
