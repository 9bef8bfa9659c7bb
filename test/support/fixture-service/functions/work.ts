import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { record } from './records.ts';

const sqs = new SQSClient({});

interface Work {
  readonly id: string;
  readonly does?: 'pass on' | 'poison' | 'unknown id' | 'empty id' | 'throw' | 'null' | 'wait' | 'log';
}

const parse = (message: SQSRecord): Work => JSON.parse(message.body) as Work;

/** Does what each message says; a message that says `poison` fails alone, the others of its batch succeed. */
export async function handler(event: SQSEvent) {
  for (const message of event.Records) await record('work', parse(message).id);
  const words = event.Records.map((message) => parse(message).does);
  if (words.includes('throw')) throw new Error('the whole batch fails');
  if (words.includes('null')) return null;
  if (words.includes('wait')) await wait(words.length);
  if (words.includes('unknown id')) return { batchItemFailures: [{ itemIdentifier: 'no such message' }] };
  if (words.includes('empty id')) return { batchItemFailures: [{ itemIdentifier: '' }] };
  for (const message of event.Records) await finish(message);
  const failed = event.Records.filter((message) => parse(message).does === 'poison');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Half a second, between two lines that tell how many batches run at once. */
async function wait(messages: number): Promise<void> {
  console.log(`begins ${messages}`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  console.log(`ends ${messages}`);
}

async function finish(message: SQSRecord): Promise<void> {
  if (parse(message).does === 'log') console.log(JSON.stringify(message));
  if (parse(message).does !== 'pass on') return;
  const QueueUrl = process.env['NEXT_QUEUE_URL'];
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ id: parse(message).id }) }));
}
