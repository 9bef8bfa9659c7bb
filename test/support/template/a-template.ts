/** A template that a test may change in place to break one rule. */
export interface MutableTemplate {
  Resources: Record<string, MutableResource>;
  Parameters?: Record<string, { Type: string; Default?: unknown }>;
}

export interface MutableResource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

const getAtt = (id: string, name = 'Arn') => ({ 'Fn::GetAtt': [id, name] });

/** A role that this service may assume, with the statements as `[actions, resource]`. */
export function aRole(service: string, ...allowed: readonly (readonly [actions: string[], resource: unknown])[]) {
  const trust = [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }];
  const statements = allowed.map(([Action, Resource]) => ({ Effect: 'Allow', Action, Resource }));
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: trust },
      Policies: [{ PolicyName: 'inline', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
    },
  };
}

/** A function `<name>` with its role and log group: `<Id>Function`, `<Id>Role`, `<Id>Logs`. */
export function aFunction(
  id: string,
  name: string,
  environment: Record<string, unknown>,
): Record<string, MutableResource> {
  return {
    [`${id}Function`]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: 'bucket', S3Key: `${name}.zip` },
        FunctionName: `shop-dev-${name}`,
        Handler: `functions/${name}.handler`,
        Runtime: 'nodejs24.x',
        Timeout: 10,
        Environment: { Variables: environment },
        Role: getAtt(`${id}Role`),
      },
    },
    [`${id}Logs`]: {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: `/aws/lambda/shop-dev-${name}`, RetentionInDays: 30 },
    },
  };
}

const logs = (name: string) =>
  [
    ['logs:CreateLogStream', 'logs:PutLogEvents'],
    {
      'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/shop-dev-${name}:*`,
    },
  ] as const satisfies [string[], unknown];

const queues = (): Record<string, MutableResource> => ({
  WorkDeadLetters: {
    Type: 'AWS::SQS::Queue',
    Properties: { QueueName: 'shop-dev-work-dead', MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true },
  },
  WorkQueue: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      QueueName: 'shop-dev-work',
      VisibilityTimeout: 60,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { deadLetterTargetArn: getAtt('WorkDeadLetters'), maxReceiveCount: 5 },
    },
  },
  WorkPolicy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'WorkQueue' }, { Ref: 'WorkDeadLetters' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 'sqs:*',
            Resource: [getAtt('WorkQueue'), getAtt('WorkDeadLetters')],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  },
  WorkAlarm: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: getAtt('WorkDeadLetters', 'QueueName') }],
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmActions: [{ Ref: 'AlarmTopic' }],
    },
  },
  AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'shop-dev-alarms' } },
});

const http = (): Record<string, MutableResource> => ({
  Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'shop-dev', ProtocolType: 'HTTP' } },
  Authorizer: {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: {
      ApiId: { Ref: 'Api' },
      Name: 'token',
      AuthorizerType: 'REQUEST',
      IdentitySource: ['$request.header.Authorization'],
      AuthorizerResultTtlInSeconds: 300,
      AuthorizerUri: {
        'Fn::Sub': 'arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${WorkFunction.Arn}/invocations',
      },
    },
  },
  OrderRoute: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      ApiId: { Ref: 'Api' },
      RouteKey: 'POST /orders',
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: 'Authorizer' },
    },
  },
  HealthRoute: { Type: 'AWS::ApiGatewayV2::Route', Properties: { ApiId: { Ref: 'Api' }, RouteKey: 'GET /health' } },
});

/** A small service that keeps every rule: a scheduled function, a queue with its consumer, a table and two routes. */
export function aTemplate(): MutableTemplate {
  return {
    Resources: {
      OrdersTable: {
        Type: 'AWS::DynamoDB::Table',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          TableName: 'shop-dev-orders',
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { SSEEnabled: true },
        },
      },
      ...queues(),
      ...aFunction('Tick', 'tick', { WORK_QUEUE_URL: { Ref: 'WorkQueue' }, TOKEN_PARAMETER: '/shop/dev/token' }),
      TickRole: aRole('lambda.amazonaws.com', logs('tick'), [['sqs:SendMessage'], getAtt('WorkQueue')]),
      TickSchedule: {
        Type: 'AWS::Scheduler::Schedule',
        Properties: {
          ScheduleExpression: 'rate(1 minute)',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: getAtt('TickFunction'), RoleArn: getAtt('ScheduleRole') },
        },
      },
      ScheduleRole: aRole('scheduler.amazonaws.com', [['lambda:InvokeFunction'], getAtt('TickFunction')]),
      ...aFunction('Work', 'work', { ORDERS_TABLE: { Ref: 'OrdersTable' } }),
      WorkRole: aRole(
        'lambda.amazonaws.com',
        logs('work'),
        [['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], getAtt('WorkQueue')],
        [['dynamodb:Query'], { 'Fn::Sub': '${OrdersTable.Arn}/index/*' }],
      ),
      WorkMapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: getAtt('WorkQueue'),
          FunctionName: getAtt('WorkFunction'),
          BatchSize: 10,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: 5 },
        },
      },
      ...http(),
    },
  };
}
