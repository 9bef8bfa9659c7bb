import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

let stack: Fixture;
let lambda: LambdaClient;
let ssm: SSMClient;
beforeAll(async () => {
  stack = await startFixture();
  lambda = new LambdaClient(stack);
  ssm = new SSMClient(stack);
});
afterAll(() => stack.stop());

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:fixture-test-broker';

describe('lambda:Invoke', () => {
  it.each([
    ['a name', { FunctionName: 'fixture-test-broker' }, 'none'],
    ['a name and a qualifier', { FunctionName: 'fixture-test-broker', Qualifier: 'read' }, 'read'],
    ['a name with its alias', { FunctionName: 'fixture-test-broker:write' }, 'write'],
    ['an ARN', { FunctionName: ARN }, 'none'],
    ['an alias ARN', { FunctionName: `${ARN}:read` }, 'read'],
    ['a partial ARN', { FunctionName: '000000000000:function:fixture-test-broker:read' }, 'read'],
  ])('takes %s', async (_case, target, right) => {
    const answer = await lambda.send(new InvokeCommand(target));
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(answer.FunctionError).toBeUndefined();
    expect(JSON.parse(text(answer.Payload))).toMatchObject({ right });
  });

  it('reports what the function throws', async () => {
    const Payload = JSON.stringify({ fail: true });
    const answer = await lambda.send(new InvokeCommand({ FunctionName: ARN, Payload }));
    expect(answer).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
    const error: unknown = JSON.parse(text(answer.Payload));
    expect(error).toMatchObject({ errorType: 'RangeError', errorMessage: 'the broker refuses' });
  });

  it('answers an asynchronous invocation at once and logs its failure', async () => {
    const Payload = JSON.stringify({ fail: true });
    const answer = await lambda.send(new InvokeCommand({ FunctionName: ARN, Payload, InvocationType: 'Event' }));
    expect(answer.StatusCode).toBe(202);
    await stack.idle();
    expect(stack.logs.lines('broker').at(-1)?.text).toContain('Invoke Error {"errorType":"RangeError"');
  });

  it.each([
    ['function', { FunctionName: 'nobody' }],
    ['alias', { FunctionName: ARN, Qualifier: 'admin' }],
  ])('knows no other %s', async (_case, target) => {
    await expect(lambda.send(new InvokeCommand(target))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });

  it('refuses a payload that is no JSON', async () => {
    const Payload = new TextEncoder().encode('{');
    await expect(lambda.send(new InvokeCommand({ FunctionName: ARN, Payload }))).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidRequestContentException' }),
    );
  });
});

describe('ssm:GetParameter', () => {
  it('answers a secret of the options', async () => {
    const Name = '/fixture/test/token';
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name, WithDecryption: true }));
    expect(Parameter).toMatchObject({ Name, Type: 'SecureString', Value: 'let-me-in' });
  });

  it('keeps a secret that is not asked in the clear', async () => {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: '/fixture/test/token' }));
    expect(Parameter?.Value).not.toContain('let-me-in');
  });

  it.each(['/fixture/test/other', 'toString'])('has no parameter %s', async (Name) => {
    await expect(ssm.send(new GetParameterCommand({ Name }))).rejects.toThrow(
      expect.objectContaining({ name: 'ParameterNotFound' }),
    );
  });
});

describe('the endpoint', () => {
  it('has the tables of the template with their indexes', async () => {
    const client = new DynamoDBClient(stack);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: stack.ref('RecordsTable') }));
    expect(Table).toMatchObject({ TableName: 'fixture-test-records', TableStatus: 'ACTIVE' });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['by-kind']);
  });

  it('refuses a service that it does not know, naming it', async () => {
    const headers = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
    const response = await fetch(stack.endpoint, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('no local service for secretsmanager');
  });
});

describe('attribution', () => {
  it('names for each function what it called, and on which resource', async () => {
    await stack.act('send', { body: { id: 'm', does: 'pass on' } });
    await stack.act('sendBatch', { bodies: [{ id: 'n' }] });
    await stack.idle();
    await stack.count('m');
    const lines = stack.calls().map((call) => `${call.function} ${call.service}:${call.action} ${call.resource}`);
    const region = 'eu-central-1:000000000000';
    expect(lines.filter((line) => !line.startsWith('local-runner')).toSorted()).toEqual(
      [
        `api dynamodb:Query arn:aws:dynamodb:${region}:table/fixture-test-records/index/by-kind`,
        `api sqs:SendMessage arn:aws:sqs:${region}:fixture-test-work`,
        `authorize dynamodb:PutItem arn:aws:dynamodb:${region}:table/fixture-test-records`,
        `authorize ssm:GetParameter arn:aws:ssm:${region}:parameter/fixture/test/token`,
        `next dynamodb:PutItem arn:aws:dynamodb:${region}:table/fixture-test-records`,
        `next lambda:InvokeFunction arn:aws:lambda:${region}:function:fixture-test-broker:read`,
        `next sqs:DeleteMessage arn:aws:sqs:${region}:fixture-test-next`,
        `next sqs:GetQueueAttributes arn:aws:sqs:${region}:fixture-test-next`,
        `next sqs:ReceiveMessage arn:aws:sqs:${region}:fixture-test-next`,
        `work dynamodb:PutItem arn:aws:dynamodb:${region}:table/fixture-test-records`,
        `work sqs:DeleteMessage arn:aws:sqs:${region}:fixture-test-work`,
        `work sqs:GetQueueAttributes arn:aws:sqs:${region}:fixture-test-work`,
        `work sqs:ReceiveMessage arn:aws:sqs:${region}:fixture-test-work`,
        `work sqs:SendMessage arn:aws:sqs:${region}:fixture-test-next`,
      ].toSorted(),
    );
  });
});
