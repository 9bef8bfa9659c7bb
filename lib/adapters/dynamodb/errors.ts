import { SourceError } from '#lib/domain/errors.ts';

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
]);
/** The request itself is at fault: sending it again cannot help. */
const PERMANENT = new Set([
  'AccessDeniedException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
  'ValidationException',
  'ItemCollectionSizeLimitExceededException',
]);

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** A conditional write found another state than it asked for: read again and decide. */
export const isConditionFailed = (error: unknown): boolean => nameOf(error) === 'ConditionalCheckFailedException';

/**
 * What a DynamoDB call that failed means to callers. Throttling carries status 429, so that a client of the API backs off;
 * time-outs, broken connections and 5xx are retryable; a refused right or a missing table is not.
 */
export function toStoreError(error: unknown): SourceError {
  const name = nameOf(error);
  const isThrottled = THROTTLED.has(name);
  return new SourceError({
    source: 'dynamodb',
    message: `DynamoDB did not do what was asked (${name || 'unknown error'}).`,
    retryable: !PERMANENT.has(name),
    status: isThrottled ? 429 : undefined,
    advice: PERMANENT.has(name)
      ? "Compare the function's role and table names with the deployed template."
      : 'Send it again; if it persists, look at the metrics of the table.',
    retryAfterMs: isThrottled ? 1_000 : undefined,
    cause: error,
  });
}
