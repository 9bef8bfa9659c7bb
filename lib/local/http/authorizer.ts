import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { findFunction } from '../aws/lambda-api.ts';
import type { LocalFunction } from '../functions.ts';
import { toText } from '../intrinsics.ts';
import { ACCOUNT } from '../resource-types.ts';
import { numberOf, type Resource, textOf } from '../template.ts';
import { type Authorizer, FORBIDDEN, parseIdentitySource, UNAUTHORIZED, type Verdict } from './authorization.ts';
import { createJwtAuthorizer } from './jwt-authorizer.ts';
import { INTERNAL_ERROR } from './response.ts';

/** @throws Error naming the authorizer when it is of a kind that the local stack does not run. */
export function createAuthorizer(resource: Resource, functions: readonly LocalFunction[], region: string): Authorizer {
  const type = toText(resource.properties['AuthorizerType'] ?? '');
  if (type === 'JWT') return createJwtAuthorizer(resource);
  if (type === 'REQUEST') return createFunctionAuthorizer(resource, functions, region);
  throw new Error(`authorizer ${resource.logicalId}: type ${type} does not run locally`);
}

function createFunctionAuthorizer(resource: Resource, functions: readonly LocalFunction[], region: string): Authorizer {
  const sources = ((resource.properties['IdentitySource'] ?? []) as readonly string[]).map(parseIdentitySource);
  const authorizing = functionOf(resource, functions);
  const ttlMs = numberOf(resource, 'AuthorizerResultTtlInSeconds', 0) * 1000;
  const cache = new Map<string, { readonly until: number; readonly verdict: Verdict }>();
  return async ({ event }) => {
    const identity = sources.map((source) => source(event));
    if (identity.includes('')) return UNAUTHORIZED;
    const key = JSON.stringify(identity);
    const known = cache.get(key);
    if (known && known.until > Date.now()) return known.verdict;
    const outcome = await authorizing.invoke(toAuthorizerEvent(event, identity, region));
    const verdict = outcome.error ? undefined : toVerdict(outcome.payload);
    // A broken authorizer is asked again next time.
    if (!verdict) return { refusal: INTERNAL_ERROR };
    if (cache.size >= CACHED_AT_MOST) cache.clear();
    cache.set(key, { until: Date.now() + ttlMs, verdict });
    return verdict;
  };
}

/** A caller that sends another token each time must not fill the memory. */
const CACHED_AT_MOST = 10_000;

function functionOf(resource: Resource, functions: readonly LocalFunction[]): LocalFunction {
  const { logicalId, properties } = resource;
  if (properties['EnableSimpleResponses'] !== true) {
    throw new Error(`authorizer ${logicalId}: only REQUEST authorizers with simple responses run locally`);
  }
  const arn = /functions\/(.+)\/invocations$/.exec(textOf(resource, 'AuthorizerUri'))?.[1] ?? '';
  const target = findFunction(functions, arn);
  if (!target) throw new Error(`authorizer ${logicalId}: there is no function ${arn}`);
  return target.function;
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
  return answer.isAuthorized ? { context: { lambda: answer.context ?? {} } } : FORBIDDEN;
}
