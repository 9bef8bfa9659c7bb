import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { logger, withLogContext } from '#lib/logger.ts';
import { wireGithubToken } from '#lib/wiring/github-token.ts';

const mintToken = wireGithubToken();

/** The token is in the answer and nowhere else: neither it nor the event is logged. */
export const handler = middy()
  .use(withLogContext())
  .handler(async (event: unknown, context: Context) => {
    const answer = await mintToken(event, context.invokedFunctionArn);
    if ('error' in answer) logger.error('token refused', { reason: answer.error.message, advice: answer.error.advice });
    return answer;
  });
