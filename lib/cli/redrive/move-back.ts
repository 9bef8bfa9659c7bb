import {
  DeleteMessageBatchCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { ConfigError } from '#lib/domain/errors.ts';
import { answerOf } from '../stage/aws-advice.ts';
import type { QueuePair } from './queues.ts';

/** Told after each step: how many have been sent back, out of about how many. */
export type OnProgress = (moved: number, total: number) => void;

interface Patience {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** Milliseconds between two looks at the task. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
const BATCH = 10;
/** Time in which a batch is sent and deleted. */
const HIDDEN_SECONDS = 30;

/**
 * Sends all dead letters back to their queue: by a task of SQS, or by hand where the other side knows no such tasks.
 * Returns how many it sent. Sending twice does no harm: a message is a hint, the table says what is due.
 * @throws ConfigError in an operator's words
 */
export async function moveBack(pair: QueuePair, patience: Patience): Promise<number> {
  try {
    await pair.sqs.send(new StartMessageMoveTaskCommand({ SourceArn: pair.deadArn }));
  } catch (error) {
    if (isUnknown(error)) return answerOf(moveByHand(pair, patience), pair.request);
    return answerOf(Promise.reject(error as Error), pair.request);
  }
  return answerOf(watchTask(pair, patience), pair.request);
}

/** Emulators say so of actions that they lack. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && /(UnsupportedOperation|InvalidAction|UnknownOperation|NotImplemented)/.test(error.name);

async function watchTask({ sqs, deadArn, count, name }: QueuePair, patience: Patience): Promise<number> {
  for (;;) {
    const { Results: [task] = [] } = await sqs.send(
      new ListMessageMoveTasksCommand({ SourceArn: deadArn, MaxResults: 1 }),
    );
    const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
    patience.onProgress(moved, task?.ApproximateNumberOfMessagesToMove ?? count);
    if (task?.Status === 'COMPLETED') return moved;
    if (task?.Status === 'FAILED' || task?.Status === 'CANCELLED') {
      const reason = task.FailureReason ?? 'no reason given';
      throw new ConfigError(`SQS stopped sending back from ${name} after ${moved} (${reason}); send the command again`);
    }
    if (patience.signal.aborted) {
      throw new ConfigError(`SQS goes on sending back from ${name} by itself; look again with healer redrive`);
    }
    await pause(patience);
  }
}

const pause = ({ pollMs = POLL_MS, signal }: Patience): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, pollMs);
    signal.addEventListener('abort', end);
  });

/** As many as there were at first: one that dies again meanwhile is not sent round in a circle. */
async function moveByHand(pair: QueuePair, { signal, onProgress }: Patience): Promise<number> {
  const { sqs, deadUrl, count } = pair;
  let moved = 0;
  while (moved < count && !signal.aborted) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadUrl,
        MaxNumberOfMessages: Math.min(BATCH, count - moved),
        VisibilityTimeout: HIDDEN_SECONDS,
        WaitTimeSeconds: 1,
      }),
    );
    if (Messages.length === 0) break;
    moved += await handBack(pair, Messages);
    onProgress(moved, count);
  }
  return moved;
}

/** Sent first and deleted then: what is lost in between is there twice, not gone. */
async function handBack({ sqs, deadUrl, sourceUrl }: QueuePair, messages: readonly Message[]): Promise<number> {
  const sent = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: sourceUrl,
      Entries: messages.map(({ Body }, index) => ({ Id: String(index), MessageBody: Body })),
    }),
  );
  const ids = (sent.Successful ?? []).map(({ Id }) => Number(Id));
  if (ids.length === 0) throw new Error('no message was taken');
  const Entries = ids.map((id) => ({ Id: String(id), ReceiptHandle: messages[id]?.ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: deadUrl, Entries }));
  return ids.length;
}
