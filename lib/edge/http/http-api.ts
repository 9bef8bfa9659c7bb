import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { NotFoundError, SourceError } from '#lib/domain/errors.ts';
import { logger, withLogContext } from '#lib/logger.ts';
import { withMetrics } from '#lib/metrics.ts';
import { type Document, FailedReply, type ReplyBody, toErrorReply, toJsonResult, toResult } from './reply.ts';
import { type ApiRequest, type RawRequest, toApiRequest } from './request.ts';

/** Parses, asks a use case, and maps what it says. What it throws is mapped by its type. */
export type Route = (request: ApiRequest) => Promise<ReplyBody | Document>;
/** A route that checks a signature over the body. */
export type RawRoute = (request: RawRequest) => Promise<ReplyBody | Document>;

/** An answer goes out this long before the time-out of the function, even when a peer hangs. */
const RESERVE_MS = 500;

/**
 * Handler of the routes of one function. Keys are API Gateway's route keys, e.g. `GET /api/v1/session/{play_id}`. Every
 * error is JSON, and every answer but a {@link Document}.
 */
export const httpApi = (routes: Readonly<Record<string, RawRoute>>) =>
  middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>({
    timeoutEarlyInMillis: RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new SourceError({
        source: 'healer',
        message: 'The request took too long.',
        retryable: true,
        advice: 'Look for the call that hangs.',
      });
    },
  })
    .use(withLogContext())
    .use(withMetrics())
    .before(({ event, context }) =>
      logger.appendKeys({ request_id: toRequestId(event, context), route: event.routeKey }),
    )
    .onError((request) => {
      request.response = answerError(request.error, toRequestId(request.event, request.context));
    })
    .handler(async (event, context) => {
      const route = Object.hasOwn(routes, event.routeKey) ? routes[event.routeKey] : undefined;
      if (route === undefined) throw new NotFoundError('There is no such route.');
      return toResult(await route(toApiRequest(event)), toRequestId(event, context));
    });

/** API Gateway's id, which its access log has too. */
const toRequestId = (event: APIGatewayProxyEventV2, context: Context): string =>
  event.requestContext.requestId || context.awsRequestId;

function answerError(error: unknown, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, fields, retryAfterMs } = toErrorReply(error);
  const cause = error instanceof FailedReply ? error.cause : error;
  if (status >= 500) logger.error('request failed', { status, error: cause as Error });
  else if (status === 429) logger.warn('request put off', { status, error: cause as Error });
  else logger.info('request refused', { status });
  return toJsonResult(status, fields, requestId, retryAfterMs);
}
