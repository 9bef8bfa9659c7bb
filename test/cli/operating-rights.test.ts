import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#test/support/template/package-cache.ts';

/** What each command asks of AWS in its caller's name. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  redrive: [
    'sqs:GetQueueUrl',
    'sqs:GetQueueAttributes',
    'sqs:ReceiveMessage',
    'sqs:ChangeMessageVisibility',
    'sqs:StartMessageMoveTask',
    'sqs:ListMessageMoveTasks',
    // A move task receives, sends and deletes in the name of who started it.
    'sqs:SendMessage',
    'sqs:DeleteMessage',
    'logs:FilterLogEvents',
  ],
  'pause and resume': [
    'cloudformation:ListStackResources',
    'scheduler:GetSchedule',
    'scheduler:UpdateSchedule',
    'iam:PassRole',
    'lambda:GetEventSourceMapping',
    'lambda:UpdateEventSourceMapping',
  ],
  smoke: [
    'cloudformation:DescribeStacks',
    'cloudformation:ListStackResources',
    'scheduler:GetSchedule',
    'lambda:GetEventSourceMapping',
    'logs:FilterLogEvents',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'lambda:InvokeFunction',
  ],
  doctor: [
    'cloudformation:DescribeStacks',
    'cloudformation:ListStackResources',
    'lambda:GetFunctionConfiguration',
    'lambda:ListEventSourceMappings',
    'lambda:InvokeFunction',
    'scheduler:GetSchedule',
    'logs:FilterLogEvents',
    'sqs:GetQueueUrl',
    'sqs:GetQueueAttributes',
    'ssm:GetParametersByPath',
    'ssm:GetParameter',
  ],
  'setup github --webhook': ['cloudformation:DescribeStacks', 'ssm:GetParameter', 'ssm:PutParameter'],
  'and a person who looks at the dashboard': ['logs:StartQuery', 'logs:GetQueryResults', 'cloudwatch:GetMetricData'],
};

const actionsOf = (name: string): readonly string[] => {
  const { Statement } = JSON.parse(readFileSync(join(ROOT, 'docs', `${name}-policy.json`), 'utf8')) as {
    readonly Statement: readonly { readonly Action: string | readonly string[] }[];
  };
  return Statement.flatMap(({ Action }) => Action);
};
const deployer = actionsOf('deployer');
const operator = actionsOf('operator');

it.each(Object.entries(RIGHTS))("healer %s gets by with the deployer's and the operator's policy", (_, rights) => {
  expect(rights.filter((right) => ![...deployer, ...operator].includes(right))).toEqual([]);
});

it.each(['redrive', 'pause and resume'])("healer %s gets by with the deployer's policy alone", (command) => {
  expect(RIGHTS[command]?.filter((right) => !deployer.includes(right))).toEqual([]);
});

it('the operator may neither read a model key nor change a function', () => {
  expect(operator.filter((action) => /\*|:(?:Put|Update|Create|Delete)/.test(action))).toEqual([]);
  const text = readFileSync(join(ROOT, 'docs/operator-policy.json'), 'utf8');
  expect(text).not.toMatch(/openai|parameter\/healer\/\*"/);
});
