import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { findFunction } from '../aws/lambda-api.ts';
import type { LocalFunction } from '../functions.ts';
import { ACCOUNT } from '../resource-types.ts';
import { numberOf, type Resource, textOf } from '../template.ts';
import { gatewayAnswer, type HttpAnswer, INTERNAL_ERROR } from './response.ts';

/** Lets a request through with the context of the authorizer, or says what API Gateway answers instead. */
export type Verdict =
  | { readonly context: { readonly [name: string]: unknown }; readonly refusal?: undefined }
  | { readonly context?: undefined; readonly refusal: HttpAnswer };

export type Authorizer = (event: APIGatewayProxyEventV2) => Promise<Verdict>;

/** @throws Error naming the authorizer when it is of a kind that the local stack does not run. */
export function createAuthorizer(resource: Resource, functions: readonly LocalFunction[], region: string): Authorizer {
  const sources = identitySources(resource);
  const authorizing = functionOf(resource, functions);
  const ttlMs = numberOf(resource, 'AuthorizerResultTtlInSeconds', 0) * 1000;
  const cache = new Map<string, { readonly until: number; readonly verdict: Verdict }>();
  return async (event) => {
    const identity = sources.map((source) => source(event));
    if (identity.includes('')) return { refusal: gatewayAnswer(401, 'Unauthorized') };
    const key = JSON.stringify(identity);
    const known = cache.get(key);
    if (known && known.until > Date.now()) return known.verdict;
    const outcome = await authorizing.invoke(toAuthorizerEvent(event, identity, region));
    const verdict = outcome.error ? undefined : toVerdict(outcome.payload);
    // A broken authorizer is asked again next time.
    if (!verdict) return { refusal: INTERNAL_ERROR };
    cache.set(key, { until: Date.now() + ttlMs, verdict });
    return verdict;
  };
}

function functionOf(resource: Resource, functions: readonly LocalFunction[]): LocalFunction {
  const { logicalId, properties } = resource;
  if (properties['AuthorizerType'] !== 'REQUEST' || properties['EnableSimpleResponses'] !== true) {
    throw new Error(`authorizer ${logicalId}: only REQUEST authorizers with simple responses run locally`);
  }
  const arn = /functions\/(.+)\/invocations$/.exec(textOf(resource, 'AuthorizerUri'))?.[1] ?? '';
  const target = findFunction(functions, arn);
  if (!target) throw new Error(`authorizer ${logicalId}: there is no function ${arn}`);
  return target.function;
}

type IdentitySource = (event: APIGatewayProxyEventV2) => string;

function identitySources({ logicalId, properties }: Resource): readonly IdentitySource[] {
  return ((properties['IdentitySource'] ?? []) as readonly string[]).map((expression) => {
    const parts = /^\$request\.(?<place>header|querystring)\.(?<name>.+)$/.exec(expression)?.groups;
    if (!parts) throw new Error(`authorizer ${logicalId}: unknown identity source ${expression}`);
    const name = String(parts['name']);
    return parts['place'] === 'header'
      ? (event) => event.headers[name.toLowerCase()] ?? ''
      : (event) => event.queryStringParameters?.[name] ?? '';
  });
}

function toAuthorizerEvent(event: APIGatewayProxyEventV2, identitySource: readonly string[], region: string) {
  const { body: _body, isBase64Encoded: _isBase64Encoded, ...facts } = event;
  const { method, path } = event.requestContext.http;
  const routeArn = `arn:aws:execute-api:${region}:${ACCOUNT}:local/$default/${method}${path}`;
  return { ...facts, type: 'REQUEST', routeArn, identitySource };
}

function toVerdict(payload: string): Verdict | undefined {
  const answer = JSON.parse(payload) as { isAuthorized?: unknown; context?: { [name: string]: unknown } } | null;
  if (typeof answer?.isAuthorized !== 'boolean') return undefined;
  return answer.isAuthorized ? { context: answer.context ?? {} } : { refusal: gatewayAnswer(403, 'Forbidden') };
}
