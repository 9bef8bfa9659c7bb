import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SQSEvent } from 'aws-lambda';
import { record } from './records.ts';

const lambda = new LambdaClient({});

/** Asks the broker's read alias and notes its answer. */
export async function handler(event: SQSEvent) {
  for (const message of event.Records) {
    const { id } = JSON.parse(message.body) as { id: string };
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: process.env['BROKER_ALIAS'] }));
    const { right } = JSON.parse(new TextDecoder().decode(Payload)) as { right: string };
    await record('next', `${id} ${right}`);
  }
}
