import { ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { FLOW, QUEUES, type QueueName } from '#lib/flow.ts';
import type { Ward } from './aws.ts';
import { type Finding, ok, unknown, wrong } from './finding.ts';

const CONSUMERS = QUEUES.flatMap((queue) =>
  FLOW.filter(({ consumes }) => consumes === queue).map((stage) => ({ queue, name: stage.function })),
);

/** AWS takes some seconds to switch a mapping on, after a deployment or `healer resume`. */
const UNDER_WAY = /^(?:Creating|Enabling|Updating)$/;

/** Each queue feeds its function. */
export async function checkMappings(ward: Ward): Promise<readonly Finding[]> {
  const findings = (await Promise.all(CONSUMERS.map((one) => lookAtMapping(ward, one)))).filter((one) => one !== null);
  return findings.length > 0 ? findings : [ok('queues', `${CONSUMERS.length} feed their functions`)];
}

async function lookAtMapping(ward: Ward, { queue, name }: (typeof CONSUMERS)[number]): Promise<Finding | null> {
  const FunctionName = `${ward.stack}-${name}`;
  const asked = ward.lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
  const { EventSourceMappings: mappings = [] } = await ward.ask(
    asked,
    `the event source mappings of ${FunctionName}`,
    'lambda:ListEventSourceMappings',
  );
  const own = mappings.find(({ EventSourceArn }) => EventSourceArn?.endsWith(`:${ward.stack}-${queue}`) === true);
  return toMappingFinding(ward, queue, name, own?.State);
}

/** @returns null where the queue feeds the function */
function toMappingFinding({ stage }: Ward, queue: QueueName, name: string, state: string | undefined): Finding | null {
  if (state === 'Enabled') return null;
  if (state === undefined) {
    const advice = `npx serverless deploy --stage ${stage.name} restores it.`;
    return wrong('queues', `nothing feeds ${name} from the ${queue} queue`, advice);
  }
  const seen = `the ${queue} queue does not feed ${name}: its mapping is ${state}`;
  if (UNDER_WAY.test(state)) return unknown('queues', seen, 'AWS switches it on: ask again in a minute.');
  return wrong('queues', seen, `npx healer resume ${stage.words} switches it on.`);
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
      `docs/operate.md#${queue}-dead-letters says what it means; npx healer redrive ${queue} ${ward.stage.words} shows them.`,
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
