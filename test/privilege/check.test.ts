import { describe, expect, it } from 'vitest';
import type { Call } from '#lib/local/aws/calls.ts';
import type { TemplateObject } from '#lib/local/intrinsics.ts';
import type { Template } from '#lib/local/template.ts';
import { deniedCalls, idleStatements, unusedGrants } from '#test/support/privilege/check.ts';
import { fits } from '#test/support/privilege/grants.ts';

const TABLE = 'arn:aws:dynamodb:eu-central-1:000000000000:table/healer-dev-things';
const QUEUE = 'arn:aws:sqs:eu-central-1:000000000000:healer-dev-work';

const allow = (Action: string | string[], Resource: string | string[]): TemplateObject => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** A service with one function, `work`, whose role has these statements. */
function aTemplate(...Statement: TemplateObject[]): Template {
  const role = { Policies: [{ PolicyDocument: { Statement } }] };
  const resources: Readonly<Record<string, readonly [string, TemplateObject]>> = {
    'AWS::IAM::Role': ['WorkRole', role],
    'AWS::Lambda::Function': ['WorkFunction', { Role: 'arn of WorkRole', Code: { S3Key: 'a/b/work.zip' } }],
  };
  return {
    of(type) {
      const [logicalId, properties] = resources[type] ?? [];
      return logicalId === undefined || properties === undefined ? [] : [{ logicalId, properties }];
    },
    ref: (id) => id,
    attribute: (id) => `arn of ${id}`,
  };
}

const aCall = (service: Call['service'], action: string, resource: string): Call => ({
  function: 'work',
  service,
  action,
  resource,
});

const READ = aCall('dynamodb', 'GetItem', TABLE);
const SEND = aCall('sqs', 'SendMessage', QUEUE);
const logs = { action: 'logs:*', why: 'written by the Lambda service' };

describe('a role that fits', () => {
  const template = aTemplate(
    allow('logs:PutLogEvents', '*'),
    allow(['dynamodb:GetItem'], [TABLE]),
    allow('sqs:SendMessage', QUEUE),
  );

  it('has no fault', () => {
    const calls = [READ, SEND];
    expect([
      ...unusedGrants(template, calls, [logs]),
      ...deniedCalls(template, calls),
      ...idleStatements(template, calls, [logs]),
    ]).toEqual([]);
  });

  it('counts calls of its own function alone', () => {
    const calls = [{ ...READ, function: 'other' }, SEND];
    expect(unusedGrants(template, calls, [logs])).toEqual([
      `WorkRole: dynamodb:GetItem on ${TABLE} is granted and was never used`,
    ]);
  });

  it('misses each statement that is taken from it', () => {
    const without = aTemplate(allow('sqs:SendMessage', QUEUE));
    expect(deniedCalls(without, [READ, SEND])).toEqual([
      `work called dynamodb:GetItem on ${TABLE}, which its role does not allow`,
    ]);
  });
});

describe('a role that grants too much', () => {
  it('is told each action on each resource', () => {
    const template = aTemplate(allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [TABLE, `${TABLE}/index/by-name`]));
    expect(unusedGrants(template, [READ], [])).toHaveLength(3);
  });

  it('is told a right without a reason for it', () => {
    expect(unusedGrants(aTemplate(allow('logs:PutLogEvents', '*')), [], [])).toEqual([
      'WorkRole: logs:PutLogEvents on * is granted and was never used',
    ]);
  });

  it('is told a statement that another one makes needless', () => {
    const template = aTemplate(allow('dynamodb:GetItem', TABLE), allow('dynamodb:*', TABLE));
    expect(idleStatements(template, [READ], [])).toEqual([
      'WorkRole, statement 1 (dynamodb:GetItem) is missed by no recorded call',
      'WorkRole, statement 2 (dynamodb:*) is missed by no recorded call',
    ]);
  });

  it('is told a reason that excuses nothing', () => {
    expect(unusedGrants(aTemplate(allow('dynamodb:GetItem', TABLE)), [READ], [logs])).toEqual([
      'the reason for logs:* (written by the Lambda service) excuses nothing',
    ]);
  });

  it('gives a reason to the function that it names alone', () => {
    const reason = { ...logs, function: 'other' };
    expect(unusedGrants(aTemplate(allow('logs:PutLogEvents', '*')), [], [reason])).toHaveLength(2);
  });
});

describe('patterns of IAM', () => {
  it.each([
    ['dynamodb:*', 'dynamodb:GetItem', true],
    ['dynamodb:Get?tem', 'dynamodb:GetItem', true],
    [`${TABLE}/index/*`, `${TABLE}/index/by-name`, true],
    [`${TABLE}/index/*`, TABLE, false],
    ['a.b', 'axb', false],
    ['dynamodb:Get', 'dynamodb:GetItem', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(fits(pattern, text)).toBe(expected);
  });
});
