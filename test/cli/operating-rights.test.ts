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
  ],
};

const policy = JSON.parse(readFileSync(join(ROOT, 'docs/deployer-policy.json'), 'utf8')) as {
  readonly Statement: readonly { readonly Action: string | readonly string[] }[];
};

it.each(Object.entries(RIGHTS))("healer %s gets by with the deployer's policy", (_, rights) => {
  const allowed = policy.Statement.flatMap(({ Action }) => Action);
  expect(rights.filter((right) => !allowed.includes(right))).toEqual([]);
});
