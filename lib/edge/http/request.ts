import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { InputError, MediaTypeError, TooLargeError } from '#lib/domain/errors.ts';
import { LIMITS } from './limits.ts';

/** One request to the API, as far as routes need it. */
export interface ApiRequest {
  /** Values of the route's `{parameters}`, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /**
   * The parsed body.
   *
   * @throws MediaTypeError, TooLargeError, or InputError when it is no JSON, or too deep.
   */
  json(): unknown;
}

/** A request whose body is signed. */
export interface RawRequest extends ApiRequest {
  /** The body as it was sent, for a signature over it. @throws TooLargeError */
  bytes(limit: number): Buffer;
  /** The value of a header, whatever the case of its name. */
  header(name: string): string | undefined;
}

export const toApiRequest = (event: APIGatewayProxyEventV2): RawRequest => ({
  parameters: event.pathParameters ?? {},
  query: event.queryStringParameters ?? {},
  json: () => parseJsonBody(event),
  bytes: (limit) => toBytes(event, limit),
  header: (name) => headerOf(event, name),
});

const headerOf = ({ headers }: APIGatewayProxyEventV2, name: string): string | undefined =>
  Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];

function toBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2, limit: number): Buffer {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length <= limit) return bytes;
  throw new TooLargeError(`The body has ${bytes.length} bytes; at most ${limit} (${limit / 1024} KB) are read.`);
}

function parseJsonBody(event: APIGatewayProxyEventV2): unknown {
  const contentType = headerOf(event, 'content-type') ?? '';
  if (!/^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(contentType.trim()))
    throw new MediaTypeError('The body must be JSON: send it with the header "Content-Type: application/json".');
  const bytes = toBytes(event, LIMITS.bodyBytes);
  const value = parseJson(bytes);
  if (!isShallow(value, LIMITS.depth))
    throw new InputError(
      `The body nests deeper than ${LIMITS.depth} levels of objects and arrays, which is the limit.`,
    );
  return value;
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new InputError('The body is empty; it must be a JSON object.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new InputError('The body is not valid JSON in UTF-8.');
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
