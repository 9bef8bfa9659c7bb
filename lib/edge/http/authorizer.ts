import middy from '@middy/core';
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { Authorization } from '#lib/app/authorize.ts';
import { logger, withLogContext } from '#lib/logger.ts';
import { measure, withMetrics } from '#lib/metrics.ts';

/** What a route learns of its caller; empty for a refused one. */
type Caller = { readonly token_id?: string; readonly token_name?: string };

/**
 * Lambda authorizer of an HTTP API with simple answers. API Gateway answers 401 itself when the header is missing, 403 when
 * this one refuses, and 500 when it throws (a table that does not answer lets nobody in).
 */
export const authorizer = (authorize: (header: string | undefined) => Promise<Authorization>) =>
  middy<APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult<Caller>>()
    .use(withLogContext())
    .use(withMetrics())
    .handler(async (event) => {
      logger.appendKeys({ request_id: event.requestContext.requestId });
      const authorization = await authorize(headerOf(event));
      if (authorization.isAuthorized) {
        const { tokenId, tokenName } = authorization;
        return { isAuthorized: true, context: { token_id: tokenId, token_name: tokenName } };
      }
      measure('TokenRefused');
      logger.info('token refused', { reason: authorization.reason });
      return { isAuthorized: false, context: {} };
    });

const headerOf = ({ headers = {} }: APIGatewayRequestAuthorizerEventV2): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
