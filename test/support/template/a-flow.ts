import type { Stage } from '#lib/flow.ts';
import { aFunction, aRole, type MutableResource, type MutableTemplate } from './a-template.ts';

const toId = (name: string) => name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const WIRES: Readonly<Record<string, (id: string) => Record<string, MutableResource>>> = {
  http: (id) => ({
    [`${id}Integration`]: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: arn(`${id}Function`) },
    },
    [`${id}Route`]: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: { RouteKey: `POST /${id}`, Target: { 'Fn::Sub': `integrations/\${${id}Integration}` } },
    },
  }),
  authorizer: (id) => ({
    Authorizer: {
      Type: 'AWS::ApiGatewayV2::Authorizer',
      Properties: { AuthorizerUri: { 'Fn::Sub': `x/\${${id}Function.Arn}/y` } },
    },
  }),
  schedule: (id) => ({
    [`${id}Schedule`]: { Type: 'AWS::Scheduler::Schedule', Properties: { Target: { Arn: arn(`${id}Function`) } } },
  }),
  invoke: (id) => ({
    [`${id}Alias`]: {
      Type: 'AWS::Lambda::Alias',
      Properties: { Name: 'read', FunctionName: { Ref: `${id}Function` } },
    },
  }),
};

function mapping(id: string, queue: string): Record<string, MutableResource> {
  const Properties = { EventSourceArn: arn(`${toId(queue)}Queue`), FunctionName: arn(`${id}Function`) };
  return { [`${id}Mapping`]: { Type: 'AWS::Lambda::EventSourceMapping', Properties } };
}

/** The part of a template that belongs to one stage; `read` are the queues that somebody consumes. */
function aStage(
  { function: name, consumes, produces }: Stage,
  read: readonly string[],
): Record<string, MutableResource> {
  const id = toId(name);
  const sent = produces.filter((queue) => read.includes(queue));
  const urls = sent.map((queue) => [`${queue.toUpperCase()}_QUEUE_URL`, { Ref: `${toId(queue)}Queue` }] as const);
  const isQueue = !(consumes in WIRES);
  const receives = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  return {
    ...aFunction(id, name, Object.fromEntries(urls)),
    [`${id}Role`]: aRole(
      'lambda.amazonaws.com',
      ...sent.map((queue) => [['sqs:SendMessage'], arn(`${toId(queue)}Queue`)] as [string[], unknown]),
      ...(isQueue ? [[receives, arn(`${toId(consumes)}Queue`)] as [string[], unknown]] : []),
    ),
    ...(WIRES[consumes]?.(id) ?? mapping(id, consumes)),
  };
}

/** A template with the stages of the flow, wholly present, and all queues. */
export function aFlowTemplate(stages: readonly Stage[], queues: readonly string[]): MutableTemplate {
  const read = stages.map(({ consumes }) => consumes);
  const declared = queues.map((queue) => [
    `${toId(queue)}Queue`,
    { Type: 'AWS::SQS::Queue', Properties: { QueueName: `shop-dev-${queue}` } },
  ]);
  return { Resources: Object.assign({}, Object.fromEntries(declared), ...stages.map((stage) => aStage(stage, read))) };
}
