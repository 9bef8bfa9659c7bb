import { ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { FLOW, QUEUES, type QueueName } from '#lib/flow.ts';
import type { Ward } from './aws.ts';
import { type Finding, ok, wrong } from './finding.ts';

const CONSUMERS = QUEUES.flatMap((queue) =>
  FLOW.filter(({ consumes }) => consumes === queue).map((stage) => ({ queue, name: stage.function })),
);

/** Each queue feeds its function. */
export async function checkMappings(ward: Ward): Promise<readonly Finding[]> {
  const faults = (await Promise.all(CONSUMERS.map((one) => faultOfMapping(ward, one)))).filter((one) => one !== null);
  if (faults.length === 0) return [ok('queues', `${CONSUMERS.length} feed their functions`)];
  const advice = `npx healer resume --stage ${ward.stage.name} switches it on.`;
  return faults.map((fault) => wrong('queues', fault, advice));
}

async function faultOfMapping(ward: Ward, { queue, name }: { queue: QueueName; name: string }): Promise<string | null> {
  const FunctionName = `${ward.stack}-${name}`;
  const asked = ward.lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
  const { EventSourceMappings: mappings = [] } = await ward.ask(
    asked,
    `the event source mappings of ${FunctionName}`,
    'lambda:ListEventSourceMappings',
  );
  const own = mappings.find(({ EventSourceArn }) => EventSourceArn?.endsWith(`:${ward.stack}-${queue}`) === true);
  if (own === undefined) return `nothing feeds ${name} from the ${queue} queue`;
  return own.State === 'Enabled' ? null : `the ${queue} queue does not feed ${name}: its mapping is ${own.State}`;
}

/** No message was given up. */
export async function checkDeadLetters(ward: Ward): Promise<readonly Finding[]> {
  const counts = await Promise.all(QUEUES.map(async (queue) => ({ queue, count: await countDead(ward, queue) })));
  const filled = counts.filter(({ count }) => count > 0);
  if (filled.length === 0) return [ok('dead letters', 'there are none')];
  return filled.map(({ queue, count }) =>
    wrong(
      'dead letters',
      `${count} of the ${queue} queue`,
      `docs/operate.md#${queue}-dead-letters says what it means; npx healer redrive ${queue} --stage ${ward.stage.name} shows them.`,
    ),
  );
}

async function countDead({ sqs, stack, ask }: Ward, queue: QueueName): Promise<number> {
  const QueueName = `${stack}-${queue}-dead-letters`;
  const count = async () => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
    );
    return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  };
  return ask(count(), `the queue ${QueueName}`, 'sqs:GetQueueUrl and sqs:GetQueueAttributes');
}
