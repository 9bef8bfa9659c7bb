import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { ConfigError } from '#lib/domain/errors.ts';

const app = buildApp({ logger: false, defaultRegion: 'eu-central-1' });
let url: string;

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const { QueueUrl } = await toSqsClient().send(new CreateQueueCommand({ QueueName: 'evidence' }));
  url = QueueUrl as string;
});
afterAll(() => app.close());

describe('sqsQueues', () => {
  it('sends the message as JSON', async () => {
    await sqsQueues(toSqsClient(), { evidence: url }).send('evidence', { incident: 'incident-1' });
    const { Messages } = await toSqsClient().send(new ReceiveMessageCommand({ QueueUrl: url }));
    expect(Messages?.map(({ Body }) => JSON.parse(Body ?? ''))).toEqual([{ incident: 'incident-1' }]);
  });

  it('delays a message', async () => {
    await sqsQueues(toSqsClient(), { evidence: url }).send('evidence', { incident: 'incident-2' }, 900);
    const { Messages } = await toSqsClient().send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 0 }));
    expect(Messages ?? []).toEqual([]);
  });

  it('says that a queue was not given', async () => {
    const send = sqsQueues(toSqsClient(), {}).send('evidence', { incident: 'incident-1' });
    await expect(send).rejects.toThrow(ConfigError);
  });

  it('says that a missing queue is no matter of trying again', async () => {
    const send = sqsQueues(toSqsClient(), { evidence: `${url}-missing` }).send('evidence', { incident: 'incident-1' });
    await expect(send).rejects.toMatchObject({ name: 'SourceError', source: 'sqs', retryable: false });
  });
});
