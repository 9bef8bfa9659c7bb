import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed, toStoreError } from './errors.ts';

/**
 * Three tries of at most two seconds and their pauses end before a ten-second function does, so a table that hangs is
 * answered and not cut off.
 */
const MAX_ATTEMPTS = 3;
const REQUEST_TIMEOUT_MS = 2_000;
const CONNECTION_TIMEOUT_MS = 1_000;

/**
 * The client that all stores share. Region, credentials and endpoint come from the environment of the function. Fields
 * that are undefined are not written. Numbers come back as `number`: nanoseconds are stored as strings.
 *
 * Every failure is thrown as SourceError, except ConditionalCheckFailedException, which is an answer
 * (see {@link isConditionFailed}).
 */
export function toDocumentClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw isConditionFailed(error) ? error : toStoreError(error);
      }
    },
    { name: 'healerStoreErrors', step: 'initialize', priority: 'high' },
  );
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
