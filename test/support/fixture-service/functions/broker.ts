import type { Context } from 'aws-lambda';

/** Takes the right from the alias, as a token broker does; never from the payload. */
export async function handler(event: { fail?: boolean } | null, context: Context) {
  if (event?.fail === true) throw new RangeError('the broker refuses');
  return { right: context.invokedFunctionArn.split(':')[7] ?? 'none', requestId: context.awsRequestId };
}
