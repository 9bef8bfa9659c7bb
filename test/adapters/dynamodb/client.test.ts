import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { isConditionFailed } from '#lib/adapters/dynamodb/errors.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

let server: TestTables;
beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

const put = (condition?: string) =>
  new PutCommand({ TableName: server.tables.Budgets, Item: { pk: 'a', left: 3 }, ConditionExpression: condition });

describe('toDocumentClient', () => {
  it('reads back what it wrote, without undefined fields', async () => {
    const client = toDocumentClient();
    await client.send(
      new PutCommand({ TableName: server.tables.Budgets, Item: { pk: 'b', left: 3, gone: undefined } }),
    );
    const { Item } = await client.send(new GetCommand({ TableName: server.tables.Budgets, Key: { pk: 'b' } }));
    expect(Item).toEqual({ pk: 'b', left: 3 });
  });

  it('passes a failed condition through, which is an answer', async () => {
    const client = toDocumentClient();
    await client.send(put());
    const error = await client.send(put('attribute_not_exists(pk)')).catch((thrown: unknown) => thrown);
    expect(isConditionFailed(error)).toBe(true);
  });

  it('says that a missing table is no matter of trying again', async () => {
    const read = toDocumentClient().send(new GetCommand({ TableName: 'no-such-table', Key: { pk: 'a' } }));
    await expect(read).rejects.toMatchObject({ name: 'SourceError', source: 'dynamodb', retryable: false });
  });

  it.each([
    { answer: 'ThrottlingException', status: 429, retryable: true, retryAfterMs: 1000 },
    { answer: 'ProvisionedThroughputExceededException', status: 429, retryable: true, retryAfterMs: 1000 },
    { answer: 'InternalServerError', status: undefined, retryable: true, retryAfterMs: undefined },
    { answer: 'AccessDeniedException', status: undefined, retryable: false, retryAfterMs: undefined },
  ])('tells what $answer means', async ({ answer, ...fate }) => {
    const stand = await standIn((response) => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${answer}`, message: 'no' }));
    });
    await expect(stand.client.send(put())).rejects.toMatchObject({ name: 'SourceError', ...fate });
    stand.close();
  });

  it('says that a broken connection may be tried again', async () => {
    const stand = await standIn((response) => response.destroy());
    await expect(stand.client.send(put())).rejects.toMatchObject({ name: 'SourceError', retryable: true });
    stand.close();
  });
});

/** A server that speaks DynamoDB's error protocol as the real one does when it refuses. */
async function standIn(answer: (response: ServerResponse) => void) {
  const stand = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => void stand.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(stand.address() as AddressInfo).port}`;
  const client = toDocumentClient();
  return {
    client,
    close: () => {
      process.env.AWS_ENDPOINT_URL_DYNAMODB = server.endpoint;
      stand.close();
    },
  };
}
