import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpRequest } from './event.ts';
import { gatewayAnswer, type HttpAnswer } from './response.ts';

/** A request that a route matched, and the event made of it. */
export interface Arrival {
  readonly request: HttpRequest;
  readonly event: APIGatewayProxyEventV2;
}

/** Lets a request through with what functions see as `requestContext.authorizer`, or says what API Gateway answers instead. */
export type Verdict =
  | { readonly context: { readonly [kind: string]: unknown }; readonly refusal?: undefined }
  | { readonly context?: undefined; readonly refusal: HttpAnswer };

export type Authorizer = (arrival: Arrival) => Promise<Verdict>;

export const UNAUTHORIZED: Verdict = { refusal: gatewayAnswer(401, 'Unauthorized') };
export const FORBIDDEN: Verdict = { refusal: gatewayAnswer(403, 'Forbidden') };

type IdentitySource = (event: APIGatewayProxyEventV2) => string;

/** Reads `$request.header.Name` or `$request.querystring.name`. @throws Error for any other expression */
export function parseIdentitySource(expression: string): IdentitySource {
  const parts = /^\$request\.(?<place>header|querystring)\.(?<name>.+)$/.exec(expression)?.groups;
  if (!parts) throw new Error(`unknown identity source ${expression}`);
  const name = String(parts['name']);
  return parts['place'] === 'header'
    ? (event) => event.headers[name.toLowerCase()] ?? ''
    : (event) => event.queryStringParameters?.[name] ?? '';
}
