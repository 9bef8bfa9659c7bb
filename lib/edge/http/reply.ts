import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import {
  ConflictError,
  type FieldFault,
  ForbiddenError,
  InputError,
  MediaTypeError,
  NotFoundError,
  SourceError,
  TooLargeError,
} from '#lib/domain/errors.ts';

/** The body of an answer; `healer` holds what the original API does not have. */
export interface ReplyBody {
  readonly [field: string]: unknown;
  readonly healer?: Readonly<Record<string, unknown>>;
}

/** An answer that is no JSON of the session API, e.g. the page; `headers` name its media type. */
export class Document {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor(headers: Readonly<Record<string, string>>, body: string) {
    this.headers = headers;
    this.body = body;
  }
}

/** An error whose answer has fields of its own beside those that every error has, e.g. `session: null`. */
export class FailedReply extends Error {
  override readonly name = 'FailedReply';
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>, cause: unknown) {
    super('an answer failed', { cause });
    this.fields = fields;
  }
}

/** Adds fields to the answer of a request that fails. */
export async function failingWith<T>(fields: Readonly<Record<string, unknown>>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new FailedReply(fields, error);
  }
}

/** Subclasses come before their bases. */
const STATUSES = [
  [TooLargeError, 413],
  [MediaTypeError, 415],
  [InputError, 400],
  [ForbiddenError, 403],
  [NotFoundError, 404],
  [ConflictError, 409],
] as const;

/**
 * What a caller learns of an error. An error that is the caller's to mend is told in full; any other only that the request
 * may be sent again. Nothing of the inside (names of tables, stacks, values) is told.
 */
export function toErrorReply(error: unknown): { status: number; fields: ReplyBody; retryAfterMs?: number | undefined } {
  if (error instanceof FailedReply) {
    const reply = toErrorReply(error.cause);
    return { ...reply, fields: { ...reply.fields, ...error.fields } };
  }
  const [, status] = STATUSES.find(([type]) => error instanceof type) ?? [];
  if (status !== undefined) return { status, fields: errorFields((error as Error).message, faultsOf(error)) };
  if (error instanceof SourceError && error.status === 429)
    return {
      status: 429,
      fields: errorFields('Healer has too much to do at the moment; send the request again after a pause.'),
      retryAfterMs: error.retryAfterMs ?? 1_000,
    };
  const again = error instanceof SourceError && !error.retryable ? '' : ' Sending the request again is safe.';
  return { status: 500, fields: errorFields(`Healer could not answer; the reason is in its log.${again}`) };
}

const errorFields = (message: string, errors: readonly FieldFault[] = []): ReplyBody => ({
  status: 'error',
  message,
  errors,
});

const faultsOf = (error: unknown): readonly FieldFault[] =>
  error instanceof InputError || error instanceof ConflictError ? error.faults : [];

/** What a route answers when it succeeds; a success is 200, as in the original API. */
export const toResult = (answer: ReplyBody | Document, requestId: string): APIGatewayProxyStructuredResultV2 =>
  answer instanceof Document
    ? { statusCode: 200, headers: { ...answer.headers, 'x-request-id': requestId }, body: answer.body }
    : toJsonResult(200, answer, requestId);

/** A JSON answer. The request id is in the body and in a header, so that a caller can name the request to an operator. */
export function toJsonResult(
  status: number,
  body: ReplyBody,
  requestId: string,
  retryAfterMs?: number,
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    },
    body: JSON.stringify({ ...body, healer: { request_id: requestId, ...body.healer } }),
  };
}
