import { describe, expect, it } from 'vitest';
import { aFunction, aRole, aTemplate, type MutableTemplate } from '#test/support/template/a-template.ts';
import { add, allow, type Change, remove, set, setPolicy } from '#test/support/template/change.ts';
import { findViolations, RULES } from '#test/support/template/rules.ts';

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
/** Made of parts, so that no scanner takes this file for a leak. */
const joined = (...parts: string[]) => parts.join('');
const GITHUB_TOKEN = joined('ghp', '_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx');
const KEY_ID = joined('AKIA', 'Y4ZKQ7RW2NXLTMDB');

const readsKey = (name: string) =>
  allow('WorkRole', { Action: 'ssm:GetParameter', Resource: `arn:aws:ssm:eu-central-1:1:parameter/shop/dev/${name}` });
const invokesBroker = (Resource: unknown) => allow('WorkRole', { Action: 'lambda:InvokeFunction', Resource });

const all =
  (...changes: readonly Change[]): Change =>
  (template) => {
    for (const change of changes) change(template);
  };

/** The route asks for a token of an issuer. */
const byIssuer = (Issuer: string | undefined, Audience: readonly string[]): Change =>
  all(
    set('OrderRoute', 'AuthorizationType', 'JWT'),
    set('Authorizer', 'AuthorizerType', 'JWT'),
    set('Authorizer', 'JwtConfiguration', { Issuer, Audience }),
  );

const anAlias = (name: string) => ({ Name: name, FunctionName: { Ref: 'BrokerFunction' }, FunctionVersion: '$LATEST' });

/** The broker of GitHub tokens with both aliases, and the App's key for itself. */
const aBroker: Change = (template) => {
  const key = 'arn:aws:ssm:eu-central-1:1:parameter/shop/dev/github-app-key';
  Object.assign(template.Resources, aFunction('Broker', 'github-token', {}), {
    BrokerRole: aRole('lambda.amazonaws.com', [['ssm:GetParameter'], key]),
    ReadAlias: { Type: 'AWS::Lambda::Alias', Properties: anAlias('read') },
    WriteAlias: { Type: 'AWS::Lambda::Alias', Properties: anAlias('write') },
  });
};

/** One row a fault: the rule that finds it, the resource it names, and the change that plants it. */
const FAULTS: readonly (readonly [rule: string, resource: string, fault: string, change: Change])[] = [
  ['staysInvisible', 'WorkQueue', 'visibility under six timeouts', set('WorkQueue', 'VisibilityTimeout', 59)],
  ['staysInvisible', 'WorkQueue', 'the default visibility of 30 s', set('WorkQueue', 'VisibilityTimeout')],
  ['staysInvisible', 'WorkQueue', 'a longer timeout', set('WorkFunction', 'Timeout', 11)],
  ['staysInvisible', 'WorkQueue', 'a batching window', set('WorkMapping', 'MaximumBatchingWindowInSeconds', 5)],
  ['reportsPartialFailures', 'WorkMapping', 'no partial failures', set('WorkMapping', 'FunctionResponseTypes')],
  ['boundsConcurrency', 'WorkMapping', 'no maximum concurrency', set('WorkMapping', 'ScalingConfig')],
  [
    'boundsConcurrency',
    'WorkMapping',
    'a maximum that AWS refuses',
    set('WorkMapping', 'ScalingConfig.MaximumConcurrency', 1),
  ],
  [
    'readsKnownQueues',
    'WorkMapping',
    'a queue elsewhere',
    set('WorkMapping', 'EventSourceArn', 'arn:aws:sqs:eu-central-1:1:other'),
  ],
  ['hasDeadLetters', 'WorkQueue', 'no dead-letter queue', set('WorkQueue', 'RedrivePolicy')],
  [
    'hasDeadLetters',
    'WorkQueue',
    'a dead-letter queue elsewhere',
    set('WorkQueue', 'RedrivePolicy.deadLetterTargetArn', 'arn:aws:sqs:x:1:y'),
  ],
  [
    'hasDeadLetters',
    'SecondQueue',
    'a shared dead-letter queue',
    add('SecondQueue', 'AWS::SQS::Queue', {
      RedrivePolicy: { deadLetterTargetArn: arn('WorkDeadLetters'), maxReceiveCount: 5 },
    }),
  ],
  ['receivesEnough', 'WorkQueue', 'four receives', set('WorkQueue', 'RedrivePolicy.maxReceiveCount', 4)],
  ['receivesEnough', 'WorkQueue', 'no number of receives', set('WorkQueue', 'RedrivePolicy.maxReceiveCount')],
  ['keepsDeadLetters', 'WorkDeadLetters', 'the default retention', set('WorkDeadLetters', 'MessageRetentionPeriod')],
  [
    'keepsDeadLetters',
    'WorkDeadLetters',
    'a short retention',
    set('WorkDeadLetters', 'MessageRetentionPeriod', 345_600),
  ],
  ['alarmsOnDeadLetters', 'WorkDeadLetters', 'no alarm', remove('WorkAlarm')],
  ['alarmsOnDeadLetters', 'WorkDeadLetters', 'an alarm on ten', set('WorkAlarm', 'Threshold', 10)],
  ['alarmsOnDeadLetters', 'WorkDeadLetters', 'an alarm that tells nobody', set('WorkAlarm', 'AlarmActions')],
  [
    'alarmsOnDeadLetters',
    'WorkDeadLetters',
    'an alarm on the wrong queue',
    set('WorkAlarm', 'Dimensions', [{ Name: 'QueueName', Value: 'shop-dev-work' }]),
  ],
  [
    'alarmsOnDeadLetters',
    'WorkDeadLetters',
    'an alarm on another metric',
    set('WorkAlarm', 'MetricName', 'NumberOfMessagesSent'),
  ],
  ['encryptsQueues', 'WorkQueue', 'a queue in the clear', set('WorkQueue', 'SqsManagedSseEnabled', false)],
  ['encryptsQueues', 'WorkDeadLetters', 'dead letters in the clear', set('WorkDeadLetters', 'SqsManagedSseEnabled')],
  ['refusesPlainText', 'WorkQueue', 'no policy', remove('WorkPolicy')],
  [
    'refusesPlainText',
    'WorkDeadLetters',
    'a policy that is not attached',
    set('WorkPolicy', 'Queues', [{ Ref: 'WorkQueue' }]),
  ],
  [
    'refusesPlainText',
    'WorkDeadLetters',
    'a statement for the queue alone',
    set('WorkPolicy', 'PolicyDocument.Statement.0.Resource', arn('WorkQueue')),
  ],
  [
    'refusesPlainText',
    'WorkQueue',
    'an allowance instead',
    set('WorkPolicy', 'PolicyDocument.Statement.0.Effect', 'Allow'),
  ],
  [
    'refusesPlainText',
    'WorkQueue',
    'the opposite condition',
    set('WorkPolicy', 'PolicyDocument.Statement.0.Condition.Bool', { 'aws:SecureTransport': 'true' }),
  ],
  [
    'refusesPlainText',
    'WorkQueue',
    'sending alone',
    set('WorkPolicy', 'PolicyDocument.Statement.0.Action', 'sqs:SendMessage'),
  ],
  ['recoversTables', 'OrdersTable', 'no recovery', set('OrdersTable', 'PointInTimeRecoverySpecification')],
  ['expiresItems', 'OrdersTable', 'no expiry', set('OrdersTable', 'TimeToLiveSpecification')],
  ['expiresItems', 'OrdersTable', 'expiry switched off', set('OrdersTable', 'TimeToLiveSpecification.Enabled', false)],
  ['encryptsTables', 'OrdersTable', 'the default key', set('OrdersTable', 'SSESpecification')],
  ['retainsTables', 'OrdersTable', 'deletion with the stack', setPolicy('OrdersTable', 'DeletionPolicy', 'Delete')],
  [
    'retainsTables',
    'OrdersTable',
    'deletion on replacement',
    setPolicy('OrdersTable', 'UpdateReplacePolicy', 'Delete'),
  ],
  ['ownsItsRole', 'TickFunction', 'a shared role', set('TickFunction', 'Role', arn('WorkRole'))],
  ['ownsItsRole', 'TickFunction', 'a role elsewhere', set('TickFunction', 'Role', 'arn:aws:iam::1:role/admin')],
  [
    'ownsItsRole',
    'TickFunction',
    'a role that others may assume',
    set('TickRole', 'AssumeRolePolicyDocument.Statement.0.Principal', { AWS: '*' }),
  ],
  ['invokesItsFunction', 'TickSchedule', 'no role', set('TickSchedule', 'Target.RoleArn')],
  [
    'invokesItsFunction',
    'TickSchedule',
    "the function's own role",
    set('TickSchedule', 'Target.RoleArn', arn('TickRole')),
  ],
  [
    'invokesItsFunction',
    'TickSchedule',
    'a role for another function',
    set('ScheduleRole', 'Policies.0.PolicyDocument.Statement.0.Resource', arn('WorkFunction')),
  ],
  [
    'invokesItsFunction',
    'TickSchedule',
    'a role that may do more',
    allow('ScheduleRole', { Action: 'sqs:SendMessage', Resource: arn('WorkQueue') }),
  ],
  [
    'invokesItsFunction',
    'TickSchedule',
    'a role that may invoke more',
    allow('ScheduleRole', { Action: 'lambda:InvokeFunction', Resource: arn('WorkFunction') }),
  ],
  ['invokesItsFunction', 'TickSchedule', 'a role without rights', set('ScheduleRole', 'Policies')],
  ['authorizesRoutes', 'OrderRoute', 'no authorizer', set('OrderRoute', 'AuthorizationType')],
  ['authorizesRoutes', 'OrderRoute', 'type NONE', set('OrderRoute', 'AuthorizationType', 'NONE')],
  [
    'authorizesRoutes',
    'OrderRoute',
    'an authorizer that does not exist',
    set('OrderRoute', 'AuthorizerId', { Ref: 'Gone' }),
  ],
  ['authorizesRoutes', 'OrderRoute', 'another type', set('OrderRoute', 'AuthorizationType', 'COGNITO')],
  [
    'authorizesRoutes',
    'OrderRoute',
    'answers kept for an hour',
    set('Authorizer', 'AuthorizerResultTtlInSeconds', 3600),
  ],
  ['authorizesRoutes', 'OrderRoute', 'one answer for every caller', set('Authorizer', 'IdentitySource')],
  [
    'authorizesRoutes',
    'OrderRoute',
    'an authorizer elsewhere',
    set('Authorizer', 'AuthorizerUri', 'arn:aws:apigateway:x:lambda:path/2015-03-31/functions/other/invocations'),
  ],
  ['authorizesRoutes', 'OrderRoute', 'a function asked as an issuer', set('OrderRoute', 'AuthorizationType', 'JWT')],
  ['authorizesRoutes', 'OrderRoute', 'an issuer in the clear', byIssuer('http://idp.example.com', ['healer'])],
  ['authorizesRoutes', 'OrderRoute', 'no issuer', byIssuer(undefined, ['healer'])],
  ['authorizesRoutes', 'OrderRoute', 'no audience', byIssuer('https://idp.example.com', [])],
  ['authorizesRoutes', 'OrderRoute', 'an empty audience', byIssuer('https://idp.example.com', [''])],
  ['authorizesRoutes', 'HealthRoute', 'a default route', set('HealthRoute', 'RouteKey', '$default')],
  [
    'authorizesRoutes',
    'Url',
    'an open function URL',
    add('Url', 'AWS::Lambda::Url', { AuthType: 'NONE', TargetFunctionArn: arn('WorkFunction') }),
  ],
  ['keepsLogsForATime', 'TickLogs', 'logs for ever', set('TickLogs', 'RetentionInDays')],
  ['keepsLogsForATime', 'TickFunction', 'no log group', remove('TickLogs')],
  [
    'namesItsActions',
    'WorkRole',
    'a wildcard action',
    allow('WorkRole', { Action: ['dynamodb:*'], Resource: arn('OrdersTable') }),
  ],
  [
    'namesItsActions',
    'WorkRole',
    'a wildcard in an action',
    allow('WorkRole', { Action: 'dynamodb:Get*', Resource: arn('OrdersTable') }),
  ],
  [
    'namesItsActions',
    'WorkRole',
    'all but one action',
    allow('WorkRole', { NotAction: 'dynamodb:PutItem', Resource: arn('OrdersTable') }),
  ],
  [
    'namesItsActions',
    'WorkRole',
    'a managed policy',
    set('WorkRole', 'ManagedPolicyArns', ['arn:aws:iam::aws:policy/AdministratorAccess']),
  ],
  [
    'namesItsActions',
    'Extra',
    'a wildcard in a policy beside the role',
    add('Extra', 'AWS::IAM::Policy', {
      Roles: [{ Ref: 'WorkRole' }],
      PolicyDocument: { Statement: { Effect: 'Allow', Action: 'sqs:*', Resource: arn('WorkQueue') } },
    }),
  ],
  ['namesItsResources', 'WorkRole', 'any resource', allow('WorkRole', { Action: 'sqs:SendMessage', Resource: '*' })],
  [
    'namesItsResources',
    'WorkRole',
    'any table',
    allow('WorkRole', {
      Action: 'dynamodb:GetItem',
      Resource: { 'Fn::Sub': 'arn:aws:dynamodb:${AWS::Region}:${AWS::AccountId}:table/*' },
    }),
  ],
  [
    'namesItsResources',
    'WorkRole',
    'all logs',
    allow('WorkRole', { Action: 'logs:PutLogEvents', Resource: 'arn:aws:logs:x:1:log-group:/aws/lambda/*' }),
  ],
  [
    'namesItsPrincipals',
    'WorkPolicy',
    'a queue open to everybody',
    set('WorkPolicy', 'PolicyDocument.Statement.1', {
      Effect: 'Allow',
      Principal: '*',
      Action: 'sqs:SendMessage',
      Resource: arn('WorkQueue'),
    }),
  ],
  [
    'namesItsPrincipals',
    'Grant',
    'a function open to everybody',
    add('Grant', 'AWS::Lambda::Permission', {
      Principal: '*',
      Action: 'lambda:InvokeFunction',
      FunctionName: arn('WorkFunction'),
    }),
  ],
  [
    'holdsNoSecretValues',
    'WorkFunction',
    'a secret by its name',
    set('WorkFunction', 'Environment.Variables.WEBHOOK_SECRET', 'correct horse'),
  ],
  [
    'holdsNoSecretValues',
    'WorkFunction',
    'a random word',
    set('WorkFunction', 'Environment.Variables.SETTING', joined('qT7vX2mK9pR4', 'sW8zL3nB6yD1')),
  ],
  [
    'holdsNoSecretValues',
    'WorkFunction',
    'a URL with a password',
    set('WorkFunction', 'Environment.Variables.CACHE_URL', joined('redis://:', 'hunter2', '@cache:6379')),
  ],
  [
    'holdsNoSecretValues',
    'WorkFunction',
    'a secret that is resolved on deployment',
    set('WorkFunction', 'Environment.Variables.SETTING', '{{resolve:secretsmanager:shop/key}}'),
  ],
  [
    'holdsNoSecretValues',
    'WorkFunction',
    'a secret in a join',
    set('WorkFunction', 'Environment.Variables.API_KEY', { 'Fn::Join': ['', ['abc', 'def']] }),
  ],
  [
    'holdsNoSecretValues',
    'GithubToken',
    'a default of a parameter',
    (template) =>
      void (template.Parameters = {
        GithubToken: { Type: 'String', Default: 'abc' },
        ApiPassword: { Type: 'String', Default: 'abc' },
      }),
  ],
  ['holdsNoKnownSecrets', 'AlarmTopic', 'a GitHub token anywhere', set('AlarmTopic', 'DisplayName', GITHUB_TOKEN)],
  ['holdsNoKnownSecrets', 'AlarmTopic', 'an AWS key id anywhere', set('AlarmTopic', 'DisplayName', KEY_ID)],
  [
    'separatesModelFromWriting',
    'WorkFunction',
    'a model key and the write alias',
    all(aBroker, readsKey('model-key-1'), invokesBroker({ Ref: 'WriteAlias' })),
  ],
  [
    'separatesModelFromWriting',
    'WorkFunction',
    'a model key and the broker itself',
    all(aBroker, readsKey('model-key-1'), invokesBroker(arn('BrokerFunction'))),
  ],
  [
    'separatesModelFromWriting',
    'WorkFunction',
    'a model key and the write alias by text',
    all(
      aBroker,
      readsKey('openai-key'),
      invokesBroker({
        'Fn::Sub': 'arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:shop-dev-github-token:write',
      }),
    ),
  ],
  ['separatesModelFromWriting', 'WorkFunction', 'both keys', all(readsKey('model-key-1'), readsKey('github-app-key'))],
  ['separatesModelFromWriting', 'WorkFunction', 'every key', readsKey('*')],
  ['leavesGithubKeyToBroker', 'WorkFunction', 'the key of the App', readsKey('github-app-key')],
];

function broken(change: Change): MutableTemplate {
  const template = aTemplate();
  change(template);
  return template;
}

describe('template rules', () => {
  it('find nothing in a service that keeps them', async () => {
    expect(await findViolations(aTemplate())).toEqual([]);
  });

  it.each(FAULTS)('%s names %s for %s', async (rule, resource, _, change) => {
    const found = await RULES[rule]?.(broken(change));
    expect(found).toContainEqual({ rule, resource, message: expect.stringMatching(/\w/) });
  });

  it('each have a template that breaks them', () => {
    expect([...new Set(FAULTS.map(([rule]) => rule))]).toEqual(Object.keys(RULES));
  });

  it('never repeat a secret that they find', async () => {
    const template = broken(set('WorkFunction', 'Environment.Variables.GITHUB_TOKEN', GITHUB_TOKEN));
    const found = await findViolations(template);
    expect(found.map(({ rule }) => rule)).toEqual(['holdsNoSecretValues', 'holdsNoKnownSecrets']);
    expect(JSON.stringify(found)).not.toContain(GITHUB_TOKEN);
  });
});

describe('template rules accept', () => {
  const GOOD: readonly (readonly [name: string, change: Change])[] = [
    [
      'a customer key on a queue',
      all(set('WorkQueue', 'SqsManagedSseEnabled'), set('WorkQueue', 'KmsMasterKeyId', 'alias/shop')),
    ],
    [
      'a schedule role that names its function by text',
      set('ScheduleRole', 'Policies.0.PolicyDocument.Statement.0.Resource', {
        'Fn::Sub': 'arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:shop-dev-tick',
      }),
    ],
    [
      'network interfaces without a resource',
      allow('WorkRole', {
        Action: ['ec2:CreateNetworkInterface', 'ec2:DescribeNetworkInterfaces', 'ec2:DeleteNetworkInterface'],
        Resource: '*',
      }),
    ],
    [
      'an alarm from one upwards',
      all(set('WorkAlarm', 'Threshold', 1), set('WorkAlarm', 'ComparisonOperator', 'GreaterThanOrEqualToThreshold')),
    ],
    ['IAM authorisation', all(set('OrderRoute', 'AuthorizationType', 'AWS_IAM'), set('OrderRoute', 'AuthorizerId'))],
    [
      'a token by the name of its parameter',
      set('WorkFunction', 'Environment.Variables.GITHUB_TOKEN', '/shop/dev/github-token'),
    ],
    ['an issuer of tokens', byIssuer('https://idp.example.com', ['healer'])],
    [
      'signed requests',
      all(set('OrderRoute', 'AuthorizationType', 'AWS_IAM'), set('OrderRoute', 'AuthorizerId'), remove('Authorizer')),
    ],
    [
      'a list of repositories',
      set(
        'WorkFunction',
        'Environment.Variables.ALLOWED_REPOSITORIES',
        'acme/a-repository-with-a-very-long-name,acme/*',
      ),
    ],
  ];

  it.each(GOOD)('%s', async (_, change) => {
    expect(await findViolations(broken(change))).toEqual([]);
  });
});
