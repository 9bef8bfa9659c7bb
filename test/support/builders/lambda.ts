import type { APIGatewayProxyEventV2, Context, SQSEvent } from 'aws-lambda';

/** What Lambda tells a function of its invocation. */
export const aLambdaContext = (overrides: Partial<Context> = {}): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'healer-test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:healer-test',
  memoryLimitInMB: '256',
  awsRequestId: 'lambda-request-1',
  logGroupName: '/aws/lambda/healer-test',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => 10_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
  ...overrides,
});

export interface ApiEventOverrides {
  readonly parameters?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** An object is sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
}

/** A request as API Gateway's HTTP API (payload 2.0) hands it to a function, e.g. `anApiEvent('GET /health')`. */
export function anApiEvent(routeKey: string, overrides: ApiEventOverrides = {}): APIGatewayProxyEventV2 {
  const [method = '', template = ''] = routeKey.split(' ');
  const { parameters = {}, query, headers = {}, body, isBase64Encoded = false } = overrides;
  const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => parameters[name] ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { host: 'api.example.com', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(query && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: 'gateway-request-1',
      routeKey,
      stage: '$default',
      time: '30/Nov/2026:12:00:00 +0000',
      timeEpoch: 1_796_040_000_000,
    },
  };
}

/** A batch of one record a body; message ids are `message-0`, `message-1` and so on. */
export const anSqsEvent = (bodies: readonly string[]): SQSEvent => ({
  Records: bodies.map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `handle-${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1796040000000',
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: '1796040000000',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:queue',
    awsRegion: 'eu-central-1',
  })),
});
