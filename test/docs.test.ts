import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { APP_EVENTS, APP_PERMISSIONS } from '#lib/app/app-permissions.ts';
import { METRICS, PEAKS, SUMS } from '#lib/metrics.ts';
import { fits } from '#test/support/privilege/grants.ts';
import { ROOT } from '#test/support/template/package-cache.ts';
import { EVERYTHING, packageService } from '#test/support/template/package-service.ts';
import { ofType, property, type Template } from '#test/support/template/template.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

let template: Template;

beforeAll(async () => {
  ({ template } = await packageService(EVERYTHING));
});

/** The names that the resources of a type have, without service and stage. */
const namesOf = (type: string, name: string): readonly string[] => {
  const found = ofType(template, type).map(([, resource]) =>
    String(property(resource, name)).replace('healer-dev-', ''),
  );
  expect(found.length).toBeGreaterThan(0);
  return found.toSorted();
};

/** What CloudFormation does in the deployer's name to make, change and remove a resource of each type. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Authorizer': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Integration': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Route': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Stage': ['apigateway:POST', 'logs:CreateLogDelivery', 'logs:DeleteLogDelivery'],
  'AWS::CloudWatch::Alarm': ['cloudwatch:PutMetricAlarm', 'cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'],
  'AWS::CloudWatch::Dashboard': ['cloudwatch:PutDashboard', 'cloudwatch:GetDashboard', 'cloudwatch:DeleteDashboards'],
  'AWS::DynamoDB::Table': ['dynamodb:CreateTable', 'dynamodb:UpdateTable', 'dynamodb:UpdateContinuousBackups'],
  'AWS::IAM::Role': ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:DeleteRolePolicy', 'iam:DeleteRole', 'iam:PassRole'],
  'AWS::Lambda::Alias': ['lambda:CreateAlias', 'lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:DeleteAlias'],
  'AWS::Lambda::EventSourceMapping': ['lambda:CreateEventSourceMapping', 'lambda:DeleteEventSourceMapping'],
  'AWS::Lambda::Function': ['lambda:CreateFunction', 'lambda:UpdateFunctionCode', 'lambda:DeleteFunction'],
  'AWS::Lambda::Permission': ['lambda:AddPermission', 'lambda:RemovePermission'],
  'AWS::Lambda::Version': ['lambda:PublishVersion', 'lambda:ListVersionsByFunction'],
  'AWS::Logs::LogGroup': ['logs:CreateLogGroup', 'logs:PutRetentionPolicy', 'logs:DeleteLogGroup'],
  'AWS::S3::Bucket': ['s3:CreateBucket', 's3:PutEncryptionConfiguration', 's3:DeleteBucket'],
  'AWS::S3::BucketPolicy': ['s3:PutBucketPolicy', 's3:DeleteBucketPolicy'],
  'AWS::SNS::Subscription': ['sns:Subscribe', 'sns:GetSubscriptionAttributes', 'sns:Unsubscribe'],
  'AWS::SNS::Topic': ['sns:CreateTopic', 'sns:SetTopicAttributes', 'sns:DeleteTopic'],
  'AWS::SQS::Queue': ['sqs:CreateQueue', 'sqs:SetQueueAttributes', 'sqs:DeleteQueue'],
  'AWS::SQS::QueuePolicy': ['sqs:SetQueueAttributes'],
  'AWS::Scheduler::Schedule': ['scheduler:CreateSchedule', 'scheduler:UpdateSchedule', 'scheduler:DeleteSchedule'],
};

interface Policy {
  readonly Statement: readonly {
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
  }[];
}

describe("the deployer's policy", () => {
  const policy = JSON.parse(read('docs/deployer-policy.json')) as Policy;
  const allowed = policy.Statement.flatMap(({ Action }) => Action);

  it('allows what each resource of the template takes', () => {
    const types = [...new Set(Object.values(template.Resources).map(({ Type }) => Type))];
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((type) => !(type in ACTIONS))).toEqual([]);
    const needed = types.flatMap((type) => ACTIONS[type] ?? []);
    expect(needed.filter((action) => !allowed.some((pattern) => fits(pattern, action)))).toEqual([]);
  });

  it('names each action, without wildcards', () => {
    expect(allowed.filter((action) => action.includes('*'))).toEqual([]);
  });

  it('fits the limit of a managed policy', () => {
    expect(JSON.stringify(policy).length).toBeLessThan(6_144);
  });
});

describe('docs/deploy.md', () => {
  const text = read('docs/deploy.md');

  it("asks for exactly the App's permissions", () => {
    const rows = [...text.matchAll(/^\| ([A-Z][a-z ]+) \| (Read-only|Read and write) \|/gm)];
    const NAMES: Readonly<Record<string, string>> = { 'Commit statuses': 'statuses' };
    const documented = rows.map(([, name = '', access]) => [
      NAMES[name] ?? name.toLowerCase().replaceAll(' ', '_'),
      access === 'Read-only' ? 'read' : 'write',
    ]);
    expect(Object.fromEntries(documented)).toEqual(APP_PERMISSIONS);
  });

  it("names exactly the App's events", () => {
    const [, named = ''] = /Events: ([^.]+)\./.exec(text) ?? [];
    const events = [...named.matchAll(/\*([^*]+)\*/g)].map(([, event = '']) =>
      event.toLowerCase().replaceAll(' ', '_'),
    );
    expect(events.toSorted()).toEqual([...APP_EVENTS].toSorted());
  });

  it('names every table that stays after a removal', () => {
    const [loop] = /for table in [^;]+/.exec(text) ?? [];
    expect(loop?.split(' ').slice(3).toSorted()).toEqual(namesOf('AWS::DynamoDB::Table', 'TableName'));
  });
});

describe('docs/operate.md', () => {
  const headings = [...read('docs/operate.md').matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name);

  it('has a paragraph for each alarm, and none besides', () => {
    expect(headings.toSorted()).toEqual(namesOf('AWS::CloudWatch::Alarm', 'AlarmName'));
  });

  it('lists all that Healer measures, with unit and kind', () => {
    const rows = [
      ...read('docs/operate.md').matchAll(/^\| (`[^|]+) \| (\w+) \| (metric|figure|figure, greatest) \|/gm),
    ];
    const listed = rows.flatMap(([, names = '', unit, kind]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => `${name}: ${kind}, ${unit}`),
    );
    const toLines = (kind: string, units: Readonly<Record<string, string>>) =>
      Object.entries(units).map(([name, unit]) => `${name}: ${kind}, ${unit}`);
    const measured = [...toLines('metric', METRICS), ...toLines('figure', SUMS), ...toLines('figure, greatest', PEAKS)];
    expect(listed.toSorted()).toEqual(measured.toSorted());
  });
});
