import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ACCOUNT } from '../resource-types.ts';

/** A request as it came in, read whole. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** The event of payload format 2.0 that a function or an authorizer gets. */
export function toEvent(
  request: HttpRequest,
  routeKey: string,
  pathParameters: { readonly [name: string]: string },
): APIGatewayProxyEventV2 {
  const [rawPath = '/', rawQueryString = ''] = request.url.split(/\?(.*)/s);
  const { cookie, ...others } = request.headers;
  const query = toQuery(rawQueryString);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    headers: toHeaders(others, request),
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: toRequestContext(request, routeKey, rawPath),
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    ...toBody(request),
  };
}

/** Headers of one connection; they end at API Gateway. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Lower case, repeated ones joined by commas (node does both), and those that API Gateway adds. */
function toHeaders(headers: IncomingHttpHeaders, { sourceIp }: HttpRequest): { [name: string]: string } {
  const passed = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const own = passed.map(([name, value]) => [name, [value].flat().join(',')] as const);
  return {
    ...Object.fromEntries(own),
    'x-amzn-trace-id': `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': sourceIp,
    'x-forwarded-port': headers.host?.split(':').at(-1) ?? '80',
    'x-forwarded-proto': 'http',
  };
}

/** Repeated names are joined by commas. */
function toQuery(rawQueryString: string): { [name: string]: string } | undefined {
  const query: { [name: string]: string } = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = Object.hasOwn(query, name) ? `${query[name]},${value}` : value;
  }
  return Object.keys(query).length > 0 ? query : undefined;
}

const TEXT = /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))\b)/i;

/** Text stays text; everything else, a form as well, comes in base64. */
function toBody({ headers, body }: HttpRequest): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(headers['content-type'] ?? 'text/plain');
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

function toRequestContext(request: HttpRequest, routeKey: string, path: string) {
  const now = new Date();
  const { method, sourceIp, headers } = request;
  return {
    accountId: ACCOUNT,
    apiId: 'local',
    domainName: headers.host ?? 'localhost',
    domainPrefix: 'local',
    http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
    requestId: randomUUID(),
    routeKey,
    stage: '$default',
    time: toLogTime(now),
    timeEpoch: now.getTime(),
  };
}

/** `12/Mar/2020:19:03:58 +0000`, the format of `requestContext.time`. */
function toLogTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
