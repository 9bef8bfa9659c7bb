import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { expect } from 'vitest';
import { type ApiEventOverrides, aLambdaContext, anApiEvent } from './builders/lambda.ts';
import { answerFaults } from './openapi.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Any JSON: a test says what it expects of it. */
interface Answer {
  readonly status: number | undefined;
  readonly body: Record<string, unknown>;
}

/** Sends one request to an exported handler, as API Gateway does, and holds the answer against the OpenAPI document. */
export async function ask(handler: Handler, routeKey: string, overrides: ApiEventOverrides = {}): Promise<Answer> {
  const result = await handler(anApiEvent(routeKey, overrides), aLambdaContext());
  const body = JSON.parse(result.body ?? '') as Record<string, unknown>;
  expect(await answerFaults(routeKey, result.statusCode, body)).toEqual([]);
  return { status: result.statusCode, body };
}
