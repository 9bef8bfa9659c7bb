import type { FunctionSpec } from '../function-specs.ts';
import type { LocalFunction } from '../functions.ts';
import type { Outcome } from '../invocation.ts';
import { parseFunctionReference } from '../resource-types.ts';
import { type Calls, callerOf } from './calls.ts';
import { jsonAnswer, type ServiceAnswer, type ServiceRequest } from './protocol.ts';

/** Lambda's `Invoke`, with aliases. */
export interface LambdaApi {
  matches(request: ServiceRequest): boolean;
  handle(request: ServiceRequest): Promise<ServiceAnswer>;
}

/** A function and the alias through which it is invoked. */
export interface FunctionTarget {
  readonly function: LocalFunction;
  readonly qualifier: string | undefined;
}

/**
 * Finds what a name stands for: the full or the short name of a function, an ARN, each with or without an alias; a
 * qualifier of its own counts as well. Undefined when there is no such function or alias.
 */
export function findFunction(
  functions: readonly LocalFunction[],
  reference: string,
  ownQualifier?: string | null,
): FunctionTarget | undefined {
  const { functionName, qualifier: named } = parseFunctionReference(reference);
  const found = functions.find(({ spec }) => spec.fullName === functionName || spec.name === functionName);
  const asked = ownQualifier ?? named;
  const qualifier = asked === '$LATEST' ? undefined : asked;
  if (!found || (qualifier !== undefined && !found.spec.aliases.includes(qualifier))) return undefined;
  return { function: found, qualifier };
}

const PATH = /^\/2015-03-31\/functions\/(?<name>[^/?]+)\/invocations(?:\?(?<query>.*))?$/;

export function createLambdaApi(functions: readonly LocalFunction[], calls: Calls): LambdaApi {
  return {
    matches: ({ method, url }) => method === 'POST' && PATH.test(url),
    async handle(request) {
      const parts = PATH.exec(request.url)?.groups;
      const reference = decodeURIComponent(parts?.['name'] ?? '');
      const qualifier = new URLSearchParams(parts?.['query']).get('Qualifier');
      const target = findTarget(functions, reference, qualifier);
      if (!target) return notFound(reference, qualifier);
      const resource = arnOf(target.function.spec, target.qualifier);
      const caller = callerOf(request.headers);
      calls.record({ function: caller, service: 'lambda', action: 'InvokeFunction', resource });
      return invoke(target, request);
    },
  };
}

function findTarget(functions: readonly LocalFunction[], reference: string, qualifier: string | null) {
  try {
    return findFunction(functions, reference, qualifier);
  } catch {
    return undefined;
  }
}

const arnOf = (spec: FunctionSpec, qualifier: string | undefined): string =>
  qualifier === undefined ? spec.arn : `${spec.arn}:${qualifier}`;

async function invoke(target: FunctionTarget, { headers, body }: ServiceRequest): Promise<ServiceAnswer> {
  const event = parseEvent(body);
  if (event === undefined) {
    return failure(400, 'InvalidRequestContentException', 'Could not parse request body into json');
  }
  const type = String(headers['x-amz-invocation-type'] ?? 'RequestResponse');
  const running = target.function.invoke(event.value, target.qualifier);
  // An asynchronous invocation is logged when it fails.
  if (type === 'Event') return { status: 202, headers: {}, body: '' };
  return toAnswer(await running);
}

function parseEvent(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: body.length === 0 ? {} : JSON.parse(body.toString('utf8')) };
  } catch {
    return undefined;
  }
}

function toAnswer(outcome: Outcome): ServiceAnswer {
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (!outcome.error) return { status: 200, headers, body: outcome.payload };
  return {
    status: 200,
    headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
    body: JSON.stringify(outcome.error),
  };
}

const failure = (status: number, type: string, message: string): ServiceAnswer =>
  jsonAnswer(status, { Type: 'User', Message: message }, { 'x-amzn-errortype': type });

function notFound(reference: string, qualifier: string | null): ServiceAnswer {
  const name = qualifier === null ? reference : `${reference}:${qualifier}`;
  return failure(404, 'ResourceNotFoundException', `Function not found: ${name}`);
}
