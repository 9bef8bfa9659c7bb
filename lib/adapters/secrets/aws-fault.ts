/** What the AWS SDK throws, as far as it matters here. */
interface AwsFault {
  readonly name: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const isAwsFault = (error: unknown): error is AwsFault => error instanceof Error && '$metadata' in error;

export const faultName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

export const faultStatus = (error: unknown): number | undefined =>
  isAwsFault(error) ? error.$metadata?.httpStatusCode : undefined;

/** Throttling, server faults and broken connections pass by themselves; a refusal does not. */
export function isPassing(error: unknown): boolean {
  const status = faultStatus(error);
  if (/throttl|toomanyrequests|limitexceeded/i.test(faultName(error))) return true;
  return status === undefined || status >= 500 || status === 429;
}
