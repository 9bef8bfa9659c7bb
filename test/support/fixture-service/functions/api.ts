import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

const sqs = new SQSClient({});
const table = new DynamoDBClient({});
const QueueUrl = process.env['WORK_QUEUE_URL'];

let invocations = 0;
let running = 0;

type Act = (argument: { [key: string]: unknown }, context: Context) => unknown;

/** What `POST /act {"act": "…"}` can do. */
const ACTS: { [name: string]: Act } = {
  throw: () => {
    throw new TypeError('thrown on purpose');
  },
  exit: () => process.exit(3),
  wait: async ({ ms }) => {
    running += 1;
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    running -= 1;
    return { invocations, running, endedAt: Date.now() };
  },
  bare: () => ({ plain: 'object' }),
  text: () => 'plain text',
  nothing: () => undefined,
  malformed: () => ({ statusCode: 'two hundred' }),
  objectBody: () => ({ statusCode: 200, body: { not: 'a string' } }),
  cookies: () => ({ statusCode: 201, cookies: ['a=1', 'b=2'], headers: { 'X-Answer': 'yes' }, body: 'made' }),
  binary: () => ({ statusCode: 200, body: Buffer.from([0, 255]).toString('base64'), isBase64Encoded: true }),
  environment: () => ({ ...process.env }),
  time: async (_argument, context) => {
    const before = context.getRemainingTimeInMillis();
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { now: Date.now(), text: String(new Date()), before, after: context.getRemainingTimeInMillis() };
  },
  log: ({ text }) => {
    console.log(text);
    console.error(`error: ${String(text)}`);
    return {};
  },
  send: async ({ body, delay, count = 1 }) => {
    for (let n = 0; n < Number(count); n++) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl,
          MessageBody: JSON.stringify(body),
          DelaySeconds: Number(delay ?? 0),
          MessageAttributes: { origin: { DataType: 'String', StringValue: 'fixture' } },
        }),
      );
    }
    return {};
  },
  sendBatch: async ({ bodies }) => {
    const Entries = (bodies as unknown[]).map((body, n) => ({ Id: `m${n}`, MessageBody: JSON.stringify(body) }));
    const sent = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    return { successful: sent.Successful?.map((entry) => entry.Id), failed: sent.Failed?.length ?? 0 };
  },
  query: async ({ kind }) => {
    const found = await table.send(
      new QueryCommand({
        TableName: process.env['TABLE'],
        IndexName: 'by-kind',
        KeyConditionExpression: 'kind = :kind',
        ExpressionAttributeValues: { ':kind': { S: String(kind) } },
      }),
    );
    return { count: found.Count, times: found.Items?.map((item) => Number(item['at']?.N)) };
  },
};

/** Echoes the event, or does what `POST /act` names. */
export async function handler(event: APIGatewayProxyEventV2, context: Context) {
  invocations += 1;
  if (event.routeKey !== 'POST /act') return { event, invokedFunctionArn: context.invokedFunctionArn };
  const argument = JSON.parse(event.body ?? '{}') as { [key: string]: unknown };
  return await ACTS[String(argument['act'])]?.(argument, context);
}
