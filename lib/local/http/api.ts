import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Activity } from '../activity.ts';
import { findFunction } from '../aws/lambda-api.ts';
import type { LocalFunction } from '../functions.ts';
import { toText } from '../intrinsics.ts';
import { type Resource, type Template, textOf } from '../template.ts';
import type { Authorizer } from './authorization.ts';
import { createAuthorizer } from './authorizer.ts';
import { type HttpRequest, toEvent } from './event.ts';
import { createIamAuthorizer, type KnownCredentials } from './iam-authorizer.ts';
import { isLoopbackHost, isLoopbackOrigin, readBody } from './requests.ts';
import { gatewayAnswer, type HttpAnswer, INTERNAL_ERROR, jsonAnswer, toHttpAnswer } from './response.ts';
import { findRoute, parseRoute, type Route } from './routes.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** The HTTP API of the template, without its socket. */
export type HttpApi = (request: HttpRequest) => Promise<HttpAnswer>;

interface Target {
  readonly function: LocalFunction;
  readonly authorize: Authorizer | undefined;
}

export interface HttpApiOptions {
  readonly region: string;
  /** With which requests to routes of type AWS_IAM are signed. */
  readonly credentials: KnownCredentials;
  /** False lets through what the stage's settings would throttle. */
  readonly isThrottled: boolean;
}

/** Builds routes, integrations and authorizers. @throws Error naming what it cannot run. */
export function createHttpApi(
  template: Template,
  functions: readonly LocalFunction[],
  { region, credentials, isThrottled }: HttpApiOptions,
): HttpApi {
  const [stage] = template.of('AWS::ApiGatewayV2::Stage');
  const throttle = createThrottle(isThrottled ? stage : undefined, Date.now);
  const iam = createIamAuthorizer(credentials, region);
  const authorizers = new Map(
    template
      .of('AWS::ApiGatewayV2::Authorizer')
      .map((resource) => [resource.logicalId, createAuthorizer(resource, functions, region)]),
  );
  const integrations = new Map(
    template.of('AWS::ApiGatewayV2::Integration').map((resource) => [resource.logicalId, resource]),
  );
  const routes = template.of('AWS::ApiGatewayV2::Route').map((route) => {
    const integration = integrations.get(textOf(route, 'Target').replace('integrations/', ''));
    if (!integration) throw new Error(`route ${route.logicalId} has no integration in the template`);
    const target = {
      function: integratedFunction(integration, functions),
      authorize: authorizerOf(route, authorizers, iam),
    };
    return parseRoute<Target>(textOf(route, 'RouteKey'), target);
  });
  return (request) => serve({ routes, throttle }, request);
}

function integratedFunction(integration: Resource, functions: readonly LocalFunction[]): LocalFunction {
  if (integration.properties['PayloadFormatVersion'] !== '2.0') {
    throw new Error(`integration ${integration.logicalId}: only payload format 2.0 runs locally`);
  }
  const target = findFunction(functions, textOf(integration, 'IntegrationUri'));
  if (!target) throw new Error(`integration ${integration.logicalId} points to no function of the template`);
  return target.function;
}

function authorizerOf(
  route: Resource,
  authorizers: ReadonlyMap<string, Authorizer>,
  iam: Authorizer,
): Authorizer | undefined {
  const type = toText(route.properties['AuthorizationType'] ?? 'NONE');
  if (type === 'NONE') return undefined;
  if (type === 'AWS_IAM') return iam;
  const authorizer = authorizers.get(textOf(route, 'AuthorizerId'));
  if (!['CUSTOM', 'JWT'].includes(type) || !authorizer) {
    throw new Error(`route ${route.logicalId}: authorization of type ${type} does not run locally`);
  }
  return authorizer;
}

interface Doors {
  readonly routes: readonly Route<Target>[];
  readonly throttle: Throttle;
}

async function serve({ routes, throttle }: Doors, request: HttpRequest): Promise<HttpAnswer> {
  const path = request.url.split('?')[0] ?? '/';
  const found = findRoute(routes, request.method, path);
  if (!found) return gatewayAnswer(404, 'Not Found');
  if (!throttle()) return gatewayAnswer(429, 'Too Many Requests');
  const { target, key } = found.route;
  const event = toEvent(request, key, found.pathParameters);
  const verdict = await target.authorize?.({ request, event });
  if (verdict?.refusal) return verdict.refusal;
  const authorizer = verdict ? { authorizer: verdict.context } : {};
  const outcome = await target.function.invoke({
    ...event,
    requestContext: { ...event.requestContext, ...authorizer },
  });
  return outcome.error ? INTERNAL_ERROR : toHttpAnswer(outcome.payload);
}

/** API Gateway's limit for a request, in bytes. */
const MAX_BODY = 10 * 1024 * 1024;

export interface HttpFrontOptions {
  readonly api: HttpApi;
  readonly activity: Activity;
  /** Added to requests that carry no `Authorization`; undefined adds nothing. */
  readonly token: string | undefined;
  /** Where the AWS services are: told to programs of this machine, e.g. `healer token --local`. */
  readonly services: { readonly endpoint: string; readonly region: string };
}

/** No route of the template; `_` begins none. */
const SERVICES_PATH = '/_local/services';

/** Room for tokens that are too long, so that an authorizer refuses them; node's own limit answers without a body. */
const MAX_HEADER_BYTES = 64 * 1024;

/** The server that people and programs of this machine talk to. */
export function createHttpFront({ api, activity, token, services }: HttpFrontOptions): Server {
  const answerTo = async (message: IncomingMessage): Promise<HttpAnswer | undefined> => {
    const body = await readBody(message, MAX_BODY);
    if (body === 'aborted') return undefined;
    if (!isLoopbackHost(message.headers.host)) return gatewayAnswer(403, FOREIGN_HOST);
    if (body === 'too large') return gatewayAnswer(413, 'Request Entity Too Large');
    const { method = 'GET', url = '/' } = message;
    if (url === SERVICES_PATH && isLoopbackOrigin(message.headers.origin)) return jsonAnswer(services);
    const headers = withToken(message.headers, token);
    return api({ method, url, headers, body, sourceIp: message.socket.remoteAddress ?? '127.0.0.1' });
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (message, response) => {
    void activity
      .during(`${message.method} ${message.url}`, () => answerTo(message))
      .catch(() => INTERNAL_ERROR)
      .then((answer) => answer && send(response, answer));
  });
  return server.on('clientError', refuseBroken);
}

/** What is no HTTP, or has too much in its headers, gets an answer that a program can read. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const [status, message] = isLarge ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
  const body = JSON.stringify({ message });
  const head = [`HTTP/1.1 ${status} ${message}`, 'content-type: application/json', `content-length: ${body.length}`];
  socket.end([...head, 'connection: close', '', body].join('\r\n'));
}

const FOREIGN_HOST =
  'The local stack answers only requests to localhost, 127.0.0.1 or [::1]; this one has another Host header.';

/** A page of another site gets no token: it could otherwise act with the rights of whoever visits it. */
function withToken(headers: IncomingMessage['headers'], token: string | undefined): IncomingMessage['headers'] {
  const mayHave = headers.authorization === undefined && isLoopbackOrigin(headers.origin);
  return token !== undefined && mayHave ? { ...headers, authorization: `Bearer ${token}` } : headers;
}

function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { date: new Date().toUTCString(), ...headers }).end(body);
}

/** @throws Error that names the port and how to choose another when it is taken. */
export async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function toListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const text = `port ${port} is taken by another program; choose another one with --port or HEALER_PORT`;
  return new Error(text, { cause: error });
}
