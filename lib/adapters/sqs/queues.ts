import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Queues } from '#lib/app/ports.ts';
import { ConfigError, SourceError } from '#lib/domain/errors.ts';
import type { QueueName } from '#lib/flow.ts';

const MAX_ATTEMPTS = 3;
const REQUEST_TIMEOUT_MS = 2_000;
const CONNECTION_TIMEOUT_MS = 1_000;

/** Region, credentials and endpoint come from the environment of the function. */
export const toSqsClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // Emulators hand out queue URLs with a host of their own; the configured endpoint is the one to ask.
    useQueueUrlAsEndpoint: false,
  });

/**
 * Sends to the queues whose URLs the function was given. A failed send throws a retryable SourceError: the table already
 * says what is due, and the sweep sends it again.
 *
 * @throws ConfigError for a queue without a URL.
 */
export const sqsQueues = (client: SQSClient, urls: Readonly<Partial<Record<QueueName, string>>>): Queues => ({
  async send(queue, message, delaySeconds) {
    const url = urls[queue];
    if (url === undefined) throw new ConfigError(`This function was given no URL for the ${queue} queue.`);
    const input = { QueueUrl: url, MessageBody: JSON.stringify(message), DelaySeconds: delaySeconds };
    try {
      await client.send(new SendMessageCommand(input));
    } catch (cause) {
      throw toSendError(queue, cause);
    }
  },
});

function toSendError(queue: QueueName, cause: unknown): SourceError {
  const name = cause instanceof Error ? cause.name : 'unknown error';
  return new SourceError({
    source: 'sqs',
    message: `SQS took no message for the ${queue} queue (${name}).`,
    retryable: name !== 'AccessDenied' && name !== 'QueueDoesNotExist',
    advice: 'The sweep sends it again; if it persists, compare the role and queue URLs with the deployed template.',
    cause,
  });
}
