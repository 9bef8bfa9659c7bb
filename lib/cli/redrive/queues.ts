import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { QueueName } from '#lib/flow.ts';
import { type AwsRequest, answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import { type Stage, stackOf } from '../stage/stage.ts';

/** A queue of a deployment and the one that keeps its dead letters. */
export interface QueuePair {
  readonly sqs: SQSClient;
  readonly queue: QueueName;
  /** Name of the queue with the dead letters. */
  readonly name: string;
  readonly deadUrl: string;
  readonly deadArn: string;
  /** Where dead letters came from. */
  readonly sourceUrl: string;
  /** Dead letters, about: SQS counts over all its servers. */
  readonly count: number;
  /** What is told when a request fails. */
  readonly request: AwsRequest;
}

const RIGHTS =
  'sqs:GetQueueUrl, GetQueueAttributes, ReceiveMessage, StartMessageMoveTask, SendMessage and DeleteMessage';

/** @throws ConfigError in an operator's words */
export async function openQueuePair(stage: Stage, queue: QueueName): Promise<QueuePair> {
  // The URL of a queue may name a host that only the other side knows.
  const sqs = new SQSClient({ ...toClientConfig(stage), useQueueUrlAsEndpoint: false });
  const source = `${stackOf(stage)}-${queue}`;
  const name = `${source}-dead-letters`;
  const request = { thing: `the queue ${name}`, place: stage.region, rights: `${RIGHTS} on ${source}*` };
  const pair = async () => {
    const [deadUrl, sourceUrl] = await Promise.all([urlOf(sqs, name), urlOf(sqs, source)]);
    const AttributeNames = ['QueueArn', 'ApproximateNumberOfMessages'] as const;
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: deadUrl, AttributeNames: [...AttributeNames] }),
    );
    const { QueueArn: deadArn = '', ApproximateNumberOfMessages: count } = Attributes;
    return { sqs, queue, name, deadUrl, deadArn, sourceUrl, count: Number(count ?? 0), request };
  };
  return answerOf(pair(), request);
}

async function urlOf(sqs: SQSClient, name: string): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  return QueueUrl;
}
