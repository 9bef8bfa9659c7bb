/** A call that did not succeed. The message holds no token and nothing that was sent. */
export class HealerCallError extends Error {
  override readonly name = 'HealerCallError';
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** What is wrong with the request, field by field, where Healer says so. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  /** Milliseconds that the answer asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: {
      status?: number | undefined;
      faults?: readonly { readonly path: string; readonly message: string }[];
      retryable: boolean;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.faults = facts.faults ?? [];
    this.retryable = facts.retryable;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const isRetryable = (status: number): boolean => status === 429 || status >= 500;

/** What an answer other than 2xx says: Healer's own errors, API Gateway's `{ message }`, or something that is no JSON. */
export function toFailure(status: number, headers: Headers, text: string): HealerCallError {
  const body = parseObject(text);
  const message = typeof body?.['message'] === 'string' ? body['message'] : 'the answer holds no reason';
  return new HealerCallError(`Healer answered ${status}: ${message}`, {
    status,
    faults: toFaults(body?.['errors']),
    retryable: isRetryable(status),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: toRetryAfterMs(headers),
  });
}

/** The JSON object of a text, or undefined. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function toFaults(errors: unknown): { path: string; message: string }[] {
  if (!Array.isArray(errors)) return [];
  return (errors as readonly unknown[]).flatMap((fault) => {
    const { path, message } = (fault ?? {}) as { path?: unknown; message?: unknown };
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}

/** `Retry-After` holds seconds, or a moment: the answer's own `Date` says how far away that is. */
function toRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
