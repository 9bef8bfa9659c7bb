import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed, toStoreError } from './errors.ts';

/**
 * Three tries of at most two seconds and their pauses end before a ten-second function does, so a table that hangs is
 * answered and not cut off.
 */
const MAX_ATTEMPTS = 3;
const REQUEST_TIMEOUT_MS = 2_000;
const CONNECTION_TIMEOUT_MS = 1_000;

/** Where the tables are, for programs that are told; a function's environment says it to the SDK. */
export type TablePlace = Pick<DynamoDBClientConfig, 'region' | 'endpoint' | 'credentials'>;

/**
 * The client that all stores share. What `place` leaves out comes from the environment, as the SDK reads it. Fields
 * that are undefined are not written. Numbers come back as `number`: nanoseconds are stored as strings.
 *
 * Every failure is thrown as SourceError, except ConditionalCheckFailedException, which is an answer
 * (see {@link isConditionFailed}).
 */
export function toDocumentClient(place: TablePlace = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...place,
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
