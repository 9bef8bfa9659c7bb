import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTemplate, type Template } from '#lib/local/template.ts';
import { packageFixture } from '#test/support/fixture-service/package-fixture.ts';
import { startFixture } from '#test/support/fixture-service/start-fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'healer-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const place = { region: 'eu-central-1', endpoint: 'http://127.0.0.1:1234' };

function read(Resources: object): Template {
  writeFileSync(join(directory, 'cloudformation-template-update-stack.json'), JSON.stringify({ Resources }));
  return readTemplate(directory, place);
}

const Records = { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'records' } };
const Work = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work' } };
const Broker = { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'broker' } };
const Read = { Type: 'AWS::Lambda::Alias', Properties: { Name: 'read', FunctionName: { Ref: 'Broker' } } };
const Role = { Type: 'AWS::IAM::Role', Properties: {} };
const Alarms = { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'alarms' } };

/** The value as a property of a queue, resolved. */
function resolve(value: unknown): unknown {
  const Holder = { Type: 'AWS::SQS::Queue', Properties: { value } };
  const [holder] = read({ Holder, Records, Work, Broker, Read, Role, Alarms }).of('AWS::SQS::Queue');
  return holder?.properties['value'];
}

describe('intrinsics', () => {
  it.each([
    [{ Ref: 'Records' }, 'records'],
    [{ Ref: 'Work' }, 'http://127.0.0.1:1234/000000000000/work'],
    [{ Ref: 'Broker' }, 'broker'],
    [{ Ref: 'Read' }, 'arn:aws:lambda:eu-central-1:000000000000:function:broker:read'],
    [{ Ref: 'Role' }, 'Role'],
    [{ Ref: 'Alarms' }, 'arn:aws:sns:eu-central-1:000000000000:alarms'],
    [{ Ref: 'AWS::Region' }, 'eu-central-1'],
    [{ 'Fn::GetAtt': ['Records', 'Arn'] }, 'arn:aws:dynamodb:eu-central-1:000000000000:table/records'],
    [{ 'Fn::GetAtt': 'Work.QueueName' }, 'work'],
    [{ 'Fn::GetAtt': ['Work', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:work'],
    [{ 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::000000000000:role/Role'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Records' }, 1]] }, 'a-records-1'],
    [{ 'Fn::Sub': '${Records}/${Work.Arn}/${!Kept}' }, 'records/arn:aws:sqs:eu-central-1:000000000000:work/${Kept}'],
    [{ 'Fn::Sub': ['${Own}:${AWS::AccountId}', { Own: { Ref: 'Records' } }] }, 'records:000000000000'],
    [{ a: [{ Ref: 'AWS::NoValue' }, 'b'], c: { Ref: 'AWS::NoValue' } }, { a: ['b'] }],
    [
      { Ref: 'Records', beside: 'another key' },
      { Ref: 'Records', beside: 'another key' },
    ],
  ])('%j is %j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it.each([
    [{ Ref: 'Nobody' }, 'the template refers to Nobody, which it does not define'],
    [{ 'Fn::GetAtt': ['Records', 'StreamArn'] }, 'unknown attribute in Fn::GetAtt Records.StreamArn'],
    [{ 'Fn::Join': ['', [{ a: 1 }]] }, 'where a plain value is needed'],
  ])('%j stops with a sentence', (value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});

describe('a template with something unknown', () => {
  it('names every unknown type and intrinsic with its logical id', () => {
    const Broken = { Type: 'AWS::IAM::Role', Properties: { deep: [{ 'Fn::ImportValue': 'x' }] } };
    const Sometimes = { ...Records, Condition: 'IsProduction' };
    const Stream = { Type: 'AWS::Kinesis::Stream' };
    expect(() => read({ Records, Broken, Sometimes, Stream })).toThrow(
      [
        'the local stack cannot run this template:',
        '- unknown intrinsic Fn::ImportValue in Broken',
        '- unknown intrinsic Condition in Sometimes',
        '- unknown resource type AWS::Kinesis::Stream of Stream',
      ].join('\n'),
    );
  });
});

describe('a package that the stack cannot run', () => {
  interface Packaged {
    readonly Resources: { [logicalId: string]: { Properties: { [name: string]: unknown } } };
  }

  /** Starts the fixture with one property of its template changed. */
  async function startWith(logicalId: string, property: string, value: unknown) {
    const changed = mkdtempSync(join(directory, 'package-'));
    cpSync(await packageFixture(), changed, { recursive: true });
    const file = join(changed, 'cloudformation-template-update-stack.json');
    const template = JSON.parse(readFileSync(file, 'utf8')) as Packaged;
    const resource = template.Resources[logicalId];
    if (!resource) throw new Error(`the fixture has no ${logicalId}`);
    resource.Properties[property] = value;
    writeFileSync(file, JSON.stringify(template));
    return startFixture({ packageDirectory: changed });
  }

  it.each([
    ['TickSchedulerSchedule1', 'ScheduleExpression', 'cron(0 0 * * ? *)', 'only rate(…) runs locally'],
    ['HttpApiAuthorizerToken', 'AuthorizerType', 'JWT', 'needs an audience, and an issuer that is https'],
    ['HttpApiAuthorizerToken', 'AuthorizerType', 'OTHER', 'type OTHER does not run locally'],
    ['HttpApiAuthorizerToken', 'EnableSimpleResponses', false, 'only REQUEST authorizers with simple responses'],
    ['HttpApiAuthorizerToken', 'IdentitySource', ['$context.path'], 'unknown identity source $context.path'],
    ['HttpApiRoutePostAct', 'AuthorizationType', 'COGNITO', 'authorization of type COGNITO'],
    ['HttpApiIntegrationApi', 'PayloadFormatVersion', '1.0', 'only payload format 2.0'],
    ['WorkEventSourceMappingSQSWorkQueue', 'FilterCriteria', {}, 'filters do not run locally'],
    ['BrokerLambdaFunction', 'Handler', 'functions/other.handler', 'no module for its handler functions/other.handler'],
  ])('says of %s that %s %j does not run', async (logicalId, property, value, message) => {
    await expect(startWith(logicalId, property, value)).rejects.toThrow(message);
  });
});
