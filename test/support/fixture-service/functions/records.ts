import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

const table = new DynamoDBClient({});

/** Writes one record, so that a test can see from the outside what a function did and when. */
export async function record(pk: string, kind: string, at = Date.now()): Promise<void> {
  const sk = `${at}#${Math.random()}`;
  const Item = { pk: { S: pk }, sk: { S: sk }, kind: { S: kind }, at: { N: String(at) } };
  await table.send(new PutItemCommand({ TableName: process.env['TABLE'], Item }));
}
