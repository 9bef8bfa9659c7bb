import type { OutgoingHttpHeaders } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

export const jsonAnswer = (value: object, status = 200): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** What API Gateway says itself. */
export const gatewayAnswer = (status: number, message: string): HttpAnswer => jsonAnswer({ message }, status);

export const INTERNAL_ERROR = gatewayAnswer(500, 'Internal Server Error');

interface ProxyResult {
  readonly statusCode: unknown;
  readonly headers?: { readonly [name: string]: unknown } | null;
  readonly cookies?: readonly string[] | null;
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
}

/**
 * A function's payload (JSON) as an HTTP answer, by the rules of payload format 2.0: without a `statusCode` the payload
 * is the body of a 200; what is malformed is a 500.
 */
export function toHttpAnswer(payload: string): HttpAnswer {
  const result = JSON.parse(payload) as ProxyResult | string | null;
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  return isWellFormed(result) ? fromProxyResult(result) : INTERNAL_ERROR;
}

/** A status as a number or as digits, a body of text, headers of plain values. */
function isWellFormed({ statusCode, headers, body }: ProxyResult): boolean {
  const status = Number(statusCode);
  const plain = Object.values(headers ?? {}).every((value) => typeof value !== 'object');
  const hasText = body === undefined || body === null || typeof body === 'string';
  return Number.isInteger(status) && status >= 100 && status < 600 && plain && hasText;
}

function fromProxyResult({ statusCode, headers, cookies, body, isBase64Encoded }: ProxyResult): HttpAnswer {
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const text = (body ?? '') as string;
  return {
    status: Number(statusCode),
    headers: {
      ...(text === '' ? {} : { 'content-type': 'text/plain;charset=UTF-8' }),
      ...Object.fromEntries(own),
      ...(cookies && cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}),
    },
    body: isBase64Encoded === true ? Buffer.from(text, 'base64') : text,
  };
}
