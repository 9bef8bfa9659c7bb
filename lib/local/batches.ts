import type { Message } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSMessageAttributes, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import type { Outcome } from './invocation.ts';

/** A message as SQS hands it to a mapping; the fields that SQS always sets are there. */
export type ReceivedMessage = Message & { readonly MessageId: string; readonly ReceiptHandle: string };

/** The record that a function gets for a message. */
export function toRecord(message: ReceivedMessage, queueArn: string, region: string): SQSRecord {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? '',
    attributes: (message.Attributes ?? {}) as unknown as SQSRecordAttributes,
    messageAttributes: toAttributes(message),
    md5OfBody: message.MD5OfBody ?? '',
    ...(message.MD5OfMessageAttributes === undefined ? {} : { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

function toAttributes({ MessageAttributes = {} }: ReceivedMessage): SQSMessageAttributes {
  const entries = Object.entries(MessageAttributes).map(([name, value]) => {
    const { StringValue: stringValue, BinaryValue, DataType = 'String' } = value;
    // The queue speaks JSON, where binary values are base64 already.
    const binaryValue = BinaryValue as unknown as string | undefined;
    return [
      name,
      { stringValue, binaryValue, stringListValues: [], binaryListValues: [], dataType: DataType },
    ] as const;
  });
  return Object.fromEntries(entries) as unknown as SQSMessageAttributes;
}

/**
 * Message ids that failed, by the rules of `ReportBatchItemFailures`: an error keeps the whole batch, nothing reported
 * means that all succeeded, and an answer with an empty or unknown id, or of another shape, keeps the whole batch.
 * Without partial failures an answer of any kind means success.
 */
export function failedIds(
  batch: readonly ReceivedMessage[],
  outcome: Outcome,
  isPartial: boolean,
): ReadonlySet<string> {
  const all = new Set(batch.map(({ MessageId }) => MessageId));
  if (outcome.error) return all;
  if (!isPartial) return new Set();
  const answer = JSON.parse(outcome.payload) as Partial<SQSBatchResponse> | null;
  const failures = typeof answer === 'object' && answer !== null ? (answer.batchItemFailures ?? []) : [];
  if (!Array.isArray(failures)) return all;
  const ids = failures.map((failure: { itemIdentifier?: string } | null) => failure?.itemIdentifier ?? '');
  return ids.every((id) => all.has(id)) ? new Set(ids) : all;
}
