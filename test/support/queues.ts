import type { AddressInfo } from 'node:net';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { toSqsClient } from '#lib/adapters/sqs/queues.ts';

/**
 * Starts SQS's emulator on a free loopback port with the queues named, and points the SDK's environment variables of this
 * process at it.
 */
export async function startTestQueues<const N extends string>(names: readonly N[]) {
  const app = buildApp({ logger: false, defaultRegion: 'eu-central-1' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const client = toSqsClient();
  const created = names.map(async (QueueName) => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName }));
    return [QueueName, QueueUrl];
  });
  const urls = Object.fromEntries(await Promise.all(created)) as Record<N, string>;
  return { urls, stop: () => app.close() };
}
