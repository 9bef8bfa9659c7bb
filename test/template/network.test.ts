import { beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, packageService } from '#test/support/template/package-service.ts';
import { findViolations } from '#test/support/template/rules.ts';
import { ofType, property, record, type Template } from '#test/support/template/template.ts';
import { validationErrors } from '#test/support/template/validate.ts';

/** Packaged anew when the sources have changed. */
const PACKAGING_MS = 180_000;

let inside: Template;
let outside: Template;

beforeAll(async () => {
  inside = (await packageService(EVERYTHING)).template;
  outside = (await packageService()).template;
}, PACKAGING_MS);

const placed = (template: Template) =>
  Object.fromEntries(
    ofType(template, 'AWS::Lambda::Function').flatMap(([id, resource]) => {
      const config = property(resource, 'VpcConfig');
      return config === undefined ? [] : [[id, config]];
    }),
  );

/** Roles that may do something with network interfaces. */
const connected = (template: Template) =>
  ofType(template, 'AWS::IAM::Role')
    .filter(([, role]) => JSON.stringify(role).includes('NetworkInterface'))
    .map(([id]) => id);

describe('a service in a VPC', () => {
  it('keeps the rules of the template', async () => {
    expect(await findViolations(inside)).toEqual([]);
    expect(validationErrors(inside)).toEqual([]);
  });

  it('has the functions there that read logs and cluster, and no others', () => {
    const config = { SubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6071'], SecurityGroupIds: ['sg-0a1b2c3d'] };
    expect(placed(inside)).toEqual({ DetectLambdaFunction: config, GatherLambdaFunction: config });
    expect(connected(inside)).toEqual(['DetectRole', 'GatherRole']);
  });

  it.each(['detect', 'gather'])('lets Lambda connect %s, and denies its code to do so', (name) => {
    const [id, role] = ofType(inside, 'AWS::IAM::Role').find(([key]) => key.toLowerCase() === `${name}role`) ?? [];
    expect(id).toBeDefined();
    const policies = property(role, 'Policies') as readonly unknown[];
    const [allow, deny] = record(record(policies.at(-1))['PolicyDocument'])['Statement'] as readonly unknown[];
    expect(record(allow)).toMatchObject({ Effect: 'Allow', Action: record(deny)['Action'] });
    expect(record(deny)).toMatchObject({
      Effect: 'Deny',
      Condition: {
        ArnEquals: { 'lambda:SourceFunctionArn': { 'Fn::Sub': expect.stringMatching(`healer-dev-${name}$`) } },
      },
    });
  });

  it('is no default', () => {
    expect(placed(outside)).toEqual({});
    expect(connected(outside)).toEqual([]);
  });
});

describe('alarms by mail', () => {
  const mails = (template: Template) =>
    ofType(template, 'AWS::SNS::Subscription').map(([, { Properties }]) => Properties);

  it('go to who is named, and to nobody by default', () => {
    expect(mails(inside)).toEqual([
      { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: 'oncall@example.com' },
    ]);
    expect(mails(outside)).toEqual([]);
  });
});

it('logs are kept as long as is configured', () => {
  const days = (template: Template) =>
    new Set(ofType(template, 'AWS::Logs::LogGroup').map(([, group]) => property(group, 'RetentionInDays')));
  expect([...days(inside)]).toEqual([90]);
  expect([...days(outside)]).toEqual([30]);
});
