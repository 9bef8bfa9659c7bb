import {
  ChangeMessageVisibilityBatchCommand,
  ReceiveMessageCommand,
  type Message as SqsMessage,
} from '@aws-sdk/client-sqs';
import { type Message, parseMessage } from '#lib/domain/messages.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';
import { answerOf } from '../stage/aws-advice.ts';
import type { QueuePair } from './queues.ts';

/** A message that its function gave up on. */
export interface DeadLetter {
  readonly messageId: string;
  readonly sentAt: Millis;
  /** The ids that it holds; null when it cannot be read: such a one comes back whenever it is sent. */
  readonly about: Message<QueueName> | null;
}

/** Long enough to receive all that are shown before the first of them is visible again. */
const HIDDEN_SECONDS = 30;
const BATCH = 10;
/** Receives that bring nothing unseen, after which there is taken to be no more: SQS asks some of its servers at a time. */
const EMPTY_RECEIVES = 2;

/** Reads dead letters and leaves them where they are, oldest first. @throws ConfigError in an operator's words */
export async function readDeadLetters(pair: QueuePair, most: number): Promise<readonly DeadLetter[]> {
  const seen = new Map<string, SqsMessage>();
  try {
    await answerOf(receiveAll(pair, seen, most), pair.request);
  } finally {
    await giveBack(pair, [...seen.values()]);
  }
  const letters = [...seen.values()].map((message) => toDeadLetter(pair.queue, message));
  return letters.toSorted((a, b) => a.sentAt - b.sentAt);
}

async function receiveAll(
  { sqs, deadUrl, count }: QueuePair,
  seen: Map<string, SqsMessage>,
  most: number,
): Promise<void> {
  for (let empty = 0; empty < (seen.size < count ? EMPTY_RECEIVES : 1) && seen.size < most; ) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadUrl,
        MaxNumberOfMessages: Math.min(BATCH, most - seen.size),
        VisibilityTimeout: HIDDEN_SECONDS,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
    );
    const fresh = Messages.filter(({ MessageId = '' }) => !seen.has(MessageId));
    for (const message of fresh) seen.set(message.MessageId ?? '', message);
    empty = fresh.length === 0 ? empty + 1 : 0;
  }
}

/** Makes them visible again at once. Where that fails they are when {@link HIDDEN_SECONDS} are over. */
async function giveBack({ sqs, deadUrl }: QueuePair, messages: readonly SqsMessage[]): Promise<void> {
  for (let i = 0; i < messages.length; i += BATCH) {
    const Entries = messages
      .slice(i, i + BATCH)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, VisibilityTimeout: 0 }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: deadUrl, Entries })).catch(() => {});
  }
}

function toDeadLetter(queue: QueueName, { MessageId = '', Body = '', Attributes = {} }: SqsMessage): DeadLetter {
  return { messageId: MessageId, sentAt: Number(Attributes.SentTimestamp ?? 0), about: readBody(queue, Body) };
}

function readBody(queue: QueueName, body: string): DeadLetter['about'] {
  try {
    return parseMessage(queue, body);
  } catch {
    return null;
  }
}
