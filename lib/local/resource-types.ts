import { type TemplateValue, toText } from './intrinsics.ts';

export const ACCOUNT = '000000000000';
export const PARTITION = 'aws';

/** What the local stack does with each resource type; a type that is not listed stops the start. */
const TREATMENT: { readonly [type: string]: 'runs' | `ignored: ${string}` } = {
  'AWS::ApiGatewayV2::Api': 'runs',
  'AWS::ApiGatewayV2::Authorizer': 'runs',
  'AWS::ApiGatewayV2::Integration': 'runs',
  'AWS::ApiGatewayV2::Route': 'runs',
  'AWS::ApiGatewayV2::Stage': 'runs',
  'AWS::CloudWatch::Alarm': 'ignored: nobody is paged',
  'AWS::CloudWatch::Dashboard': 'ignored: a view for operators',
  'AWS::DynamoDB::Table': 'runs',
  'AWS::IAM::Policy': 'ignored: calls are attributed, not refused',
  'AWS::IAM::Role': 'ignored: calls are attributed, not refused',
  'AWS::Lambda::Alias': 'runs',
  'AWS::Lambda::EventInvokeConfig': 'ignored: a failed asynchronous invocation is logged, not repeated',
  'AWS::Lambda::EventSourceMapping': 'runs',
  'AWS::Lambda::Function': 'runs',
  'AWS::Lambda::Permission': 'ignored: calls are attributed, not refused',
  'AWS::Lambda::Version': 'ignored: only $LATEST exists',
  'AWS::Logs::LogGroup': 'ignored: logs go to files',
  'AWS::Logs::MetricFilter': 'ignored: nobody collects metrics',
  'AWS::S3::Bucket': 'ignored: the deployment bucket',
  'AWS::S3::BucketPolicy': 'ignored: the deployment bucket',
  'AWS::SNS::Subscription': 'ignored: nobody is paged',
  'AWS::SNS::Topic': 'ignored: nobody is paged',
  'AWS::SNS::TopicPolicy': 'ignored: nobody is paged',
  'AWS::SQS::Queue': 'runs',
  'AWS::SQS::QueuePolicy': 'ignored: calls are attributed, not refused',
  'AWS::Scheduler::Schedule': 'runs',
};

export const isKnownType = (type: string): boolean => type in TREATMENT;

/** Where the local services are. */
export interface Place {
  readonly region: string;
  /** Base of queue URLs, e.g. `http://127.0.0.1:40123`. */
  readonly endpoint: string;
}

/** One resource as its physical names need it; `property` gives a resolved property. */
interface Named {
  readonly type: string;
  readonly logicalId: string;
  readonly property: (name: string) => TemplateValue | undefined;
  readonly place: Place;
}

/** What `Ref` and `Fn::GetAtt` of a resource stand for. */
interface PhysicalNames {
  readonly ref: string;
  readonly attributes: { readonly [attribute: string]: string | undefined };
}

type Naming = (resource: Named, name: string) => PhysicalNames;

const arnIn = ({ place }: Named, service: string, rest: string): string =>
  `arn:${PARTITION}:${service}:${place.region}:${ACCOUNT}:${rest}`;

/** Property that holds the physical name, and what the references become. A type without a row is called by its logical id. */
const NAMINGS: { readonly [type: string]: readonly [nameProperty: string, Naming] } = {
  'AWS::DynamoDB::Table': [
    'TableName',
    (resource, name) => ({ ref: name, attributes: { Arn: arnIn(resource, 'dynamodb', `table/${name}`) } }),
  ],
  'AWS::SQS::Queue': [
    'QueueName',
    (resource, name) => {
      const url = `${resource.place.endpoint}/${ACCOUNT}/${name}`;
      return { ref: url, attributes: { Arn: arnIn(resource, 'sqs', name), QueueName: name, QueueUrl: url } };
    },
  ],
  'AWS::Lambda::Function': [
    'FunctionName',
    (resource, name) => ({ ref: name, attributes: { Arn: arnIn(resource, 'lambda', `function:${name}`) } }),
  ],
  'AWS::Lambda::Alias': [
    'Name',
    (resource, name) => {
      const { functionName } = parseFunctionReference(toText(resource.property('FunctionName')));
      return { ref: arnIn(resource, 'lambda', `function:${functionName}:${name}`), attributes: {} };
    },
  ],
  'AWS::IAM::Role': [
    'RoleName',
    (_resource, name) => ({ ref: name, attributes: { Arn: `arn:${PARTITION}:iam::${ACCOUNT}:role/${name}` } }),
  ],
  'AWS::Logs::LogGroup': [
    'LogGroupName',
    (resource, name) => ({ ref: name, attributes: { Arn: arnIn(resource, 'logs', `log-group:${name}:*`) } }),
  ],
  'AWS::SNS::Topic': [
    'TopicName',
    (resource, name) => {
      const arn = arnIn(resource, 'sns', name);
      return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
    },
  ],
};

export function physicalNames(resource: Named): PhysicalNames {
  const naming = NAMINGS[resource.type];
  if (!naming) return { ref: resource.logicalId, attributes: {} };
  const [nameProperty, toNames] = naming;
  return toNames(resource, toText(resource.property(nameProperty) ?? resource.logicalId));
}

/**
 * Takes apart what AWS accepts as a function's name: `name`, `name:qualifier`, a partial ARN, a whole ARN, each with or
 * without a qualifier (alias or version).
 */
export function parseFunctionReference(reference: string): { functionName: string; qualifier: string | undefined } {
  const parts = /^(?:(?:arn:[\w-]+:lambda:[\w-]+:)?\d{12}:function:)?(?<name>[\w-]+)(?::(?<qualifier>[\w$-]+))?$/.exec(
    reference,
  )?.groups;
  if (parts?.['name'] === undefined) throw new Error(`"${reference}" is not the name or ARN of a function`);
  return { functionName: parts['name'], qualifier: parts['qualifier'] };
}
