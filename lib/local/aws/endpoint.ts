import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost, readBody } from '../http/requests.ts';
import { type Calls, callerOf, parameterResource, queueAction, queueResource, tableResources } from './calls.ts';
import { type Interruption, interrupted } from './interruptions.ts';
import type { LambdaApi } from './lambda-api.ts';
import type { ParameterService } from './parameters.ts';
import { jsonAnswer, type ServiceAnswer, type ServiceRequest } from './protocol.ts';
import type { QueueService } from './queues.ts';
import type { TableService } from './tables.ts';

/** The services behind the one address that `AWS_ENDPOINT_URL_*` of every function points to. */
export interface Services {
  readonly region: string;
  readonly calls: Calls;
  readonly tables: TableService;
  readonly queues: QueueService;
  readonly parameters: ParameterService;
  readonly lambda: LambdaApi;
  readonly interruption: Interruption;
}

/** DynamoDB's own limit for a request, in bytes; no other service here takes more. */
const MAX_BODY = 16 * 1024 * 1024;

/** Listens on a free port of 127.0.0.1. The server is dynalite's, so that closing it closes the database. */
export async function listenForServices(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hands each request to its service, and notes who called what. */
export function serveServices(server: Server, services: Services): void {
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    void answer(message, response, services).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      send(response, jsonAnswer(500, { __type: 'InternalFailure', message: text }));
    });
  });
}

async function answer(message: IncomingMessage, response: ServerResponse, services: Services): Promise<void> {
  const body = await readBody(message, MAX_BODY);
  // A caller that hung up gets no answer; a worker may end in the middle of a request.
  if (body === 'aborted') return;
  if (body === 'too large') return send(response, jsonAnswer(413, { message: 'the request is larger than 16 MB' }));
  if (!isLoopbackHost(message.headers.host)) {
    return send(response, jsonAnswer(403, { message: 'this address answers requests to 127.0.0.1 only' }));
  }
  const { method = 'GET', url = '/', headers } = message;
  const request: ServiceRequest = { method, url, headers, body };
  const [service, action = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const worker = headers['x-amz-security-token']?.toString();
  const call = { function: callerOf(headers), worker, action, body: body.toString('utf8') };
  if (await interrupted(call, services.interruption, response)) return;
  if (service === 'DynamoDB_20120810') return answerTables(request, action, response, services);
  if (service === 'AmazonSQS') return send(response, await answerQueues(request, action, services));
  if (service === 'AmazonSSM') return send(response, answerParameters(request, action, services));
  if (services.lambda.matches(request)) return send(response, await services.lambda.handle(request));
  const asked = service || `${method} ${url}`;
  send(response, jsonAnswer(400, { __type: 'UnknownOperationException', message: `no local service for ${asked}` }));
}

function answerTables(request: ServiceRequest, action: string, response: ServerResponse, services: Services): void {
  for (const resource of tableResources(services.region, parseJson(request.body))) {
    services.calls.record({ function: callerOf(request.headers), service: 'dynamodb', action, resource });
  }
  services.tables.handle(request, response);
}

function answerQueues(request: ServiceRequest, action: string, services: Services): Promise<ServiceAnswer> {
  services.calls.record({
    function: callerOf(request.headers),
    service: 'sqs',
    action: queueAction(action),
    resource: queueResource(services.region, parseJson(request.body)),
  });
  return services.queues.handle(request);
}

function answerParameters(request: ServiceRequest, action: string, services: Services): ServiceAnswer {
  const input = parseJson<{ Name?: string; WithDecryption?: boolean }>(request.body);
  const resource = parameterResource(services.region, input.Name ?? '*');
  services.calls.record({ function: callerOf(request.headers), service: 'ssm', action, resource });
  return services.parameters.handle(action, input, resource);
}

/** An empty object for what is no JSON: the service itself says what is wrong with it. */
function parseJson<T extends object>(body: Buffer): Partial<T> {
  try {
    return (JSON.parse(body.toString('utf8')) ?? {}) as T;
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { status, headers, body }: ServiceAnswer): void {
  // The SDK corrects its clock by this header, so it tells the movable time.
  response.writeHead(status, { date: new Date().toUTCString(), ...headers }).end(body);
}
