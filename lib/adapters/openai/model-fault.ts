import type { Clock } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';

/** What the SDK's APIError holds, as far as it is read. Its message may quote the request and is never used. */
export interface EndpointFault {
  readonly status: number;
  readonly code?: unknown;
  readonly headers?: { get(name: string): string | null } | undefined;
}

const ADVICE: Readonly<Record<number, (secret: string) => string>> = {
  400: () => 'Check that the model knows structured outputs (response_format of type json_schema, strict).',
  401: (secret) => `Store a valid key as the secret ${secret}.`,
  403: () => "Check what the key's project may use: the model, the region, the network.",
  404: () => 'Check the name of the model and OPENAI_BASE_URL; the key may also have no access to the model.',
  413: () => 'Use an endpoint that takes larger requests.',
  422: () => 'Check that the endpoint knows chat completions with response_format of type json_schema.',
};

const PASSING = new Set([408, 409, 429]);
/** Codes of a 429 that waiting does not cure. */
const FINAL = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

const toCode = (code: unknown): string => (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : '');

/** The endpoint answered with an error: nothing was used, and `status` says so to callers. */
export function toEndpointError(fault: EndpointFault, context: { secret: string; clock: Clock }): SourceError {
  const { status } = fault;
  const code = toCode(fault.code);
  const isFinal = FINAL.has(code);
  const retryable = !isFinal && (PASSING.has(status) || status >= 500);
  return new SourceError({
    source: 'openai',
    message: `The model's endpoint answered ${status}${code === '' ? '' : ` (${code})`}.`,
    retryable,
    status,
    advice: isFinal
      ? "Raise the limit of the key's project or add credit."
      : adviceOf(status, retryable, context.secret),
    retryAfterMs: retryable ? retryAfter(fault.headers, context.clock) : undefined,
  });
}

function adviceOf(status: number, retryable: boolean, secret: string): string {
  if (retryable) return 'It is asked again later; if it persists, look at the status page of the endpoint.';
  if (status >= 300 && status < 400) return 'Redirects are not followed: set OPENAI_BASE_URL to where it leads.';
  return ADVICE[status]?.(secret) ?? 'Look at what the endpoint logged about the request.';
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date. Longer than a day is taken for nonsense. */
function retryAfter(headers: EndpointFault['headers'], clock: Clock): number | undefined {
  const millis = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  const text = headers?.get('retry-after') ?? '';
  const asked = [millis, Number.parseFloat(text) * 1000, Date.parse(text) - clock.now()].find(Number.isFinite);
  return asked !== undefined && asked > 0 && asked < 86_400_000 ? Math.ceil(asked) : undefined;
}

/** No answer came in the time that the invocation leaves. It may have been used all the same. */
export const toLateError = (ms: number): SourceError =>
  new SourceError({
    source: 'openai',
    message: `The model did not answer within ${Math.round(ms / 1000)} s.`,
    retryable: true,
    advice: 'If it persists, use a faster model or a smaller prompt.',
  });

/** So little time is left that no call was begun. */
export const toNoTimeError = (): SourceError =>
  new SourceError({
    source: 'invocation',
    message: 'There is no time left to ask the model.',
    retryable: true,
    advice: 'If it persists, give the function a longer timeout.',
  });

export const toUnreachableError = (error: unknown): SourceError =>
  new SourceError({
    source: 'openai',
    message: `The model's endpoint could not be reached (${causeOf(error)}).`,
    retryable: true,
    advice: 'Check OPENAI_BASE_URL and that the function may reach it.',
  });

/** Node hides the reason, such as ECONNREFUSED, in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return toCode(code) || 'the connection broke';
}
