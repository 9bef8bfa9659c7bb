import type { Activity } from './activity.ts';
import type { Calls } from './aws/calls.ts';
import { type FunctionTarget, findFunction } from './aws/lambda-api.ts';
import type { QueueService } from './aws/queues.ts';
import { failedIds, type ReceivedMessage, toRecord } from './batches.ts';
import { maximumConcurrency } from './function-specs.ts';
import type { LocalFunction } from './functions.ts';
import type { Logs } from './logs.ts';
import { numberOf, type Resource, type Template, textOf } from './template.ts';

/** One event source mapping: a queue, and the function that works on it. */
export interface Mapping {
  readonly queueName: string;
  readonly target: FunctionTarget;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly isPartial: boolean;
  readonly concurrency: number;
}

/** @throws Error naming a mapping that the local stack cannot run. */
export function parseMappings(template: Template, functions: readonly LocalFunction[]): readonly Mapping[] {
  const enabled = template
    .of('AWS::Lambda::EventSourceMapping')
    .filter((resource) => resource.properties['Enabled'] !== false);
  return enabled.map((resource) => parseMapping(resource, functions));
}

function parseMapping(resource: Resource, functions: readonly LocalFunction[]): Mapping {
  const { logicalId, properties } = resource;
  const queueArn = textOf(resource, 'EventSourceArn');
  const target = findFunction(functions, textOf(resource, 'FunctionName'));
  if (!target) throw new Error(`mapping ${logicalId} points to no function of the template`);
  if (!queueArn.includes(':sqs:')) throw new Error(`mapping ${logicalId}: only queues run locally, not ${queueArn}`);
  if (properties['FilterCriteria'] !== undefined) throw new Error(`mapping ${logicalId}: filters do not run locally`);
  return {
    queueName: queueArn.split(':').at(-1) ?? '',
    target,
    queueArn,
    batchSize: numberOf(resource, 'BatchSize', 10),
    windowMs: numberOf(resource, 'MaximumBatchingWindowInSeconds', 0) * 1000,
    isPartial: [properties['FunctionResponseTypes']].flat().includes('ReportBatchItemFailures'),
    concurrency: maximumConcurrency(resource),
  };
}

export interface PollOptions {
  readonly region: string;
  readonly queues: QueueService;
  readonly calls: Calls;
  readonly logs: Logs;
  readonly activity: Activity;
  /** Told of each message that failed and waits for its visibility timeout. */
  readonly onFailed: (receiptHandle: string) => void;
}

/** What a mapping calls in its function's name; its role must allow these. */
const ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] as const;

/** Seconds of one long poll: at most this long goes by before a stop is noticed. */
const WAIT_SECONDS = 1;
/** SQS hands out at most this many messages at once. */
const MAX_RECEIVE = 10;

/** Works on the mapping's queue until the signal; resolves when the last batch has ended. */
export async function poll(mapping: Mapping, options: PollOptions, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  const { name } = mapping.target.function.spec;
  for (const action of ACTIONS) {
    options.calls.record({ function: name, service: 'sqs', action, resource: mapping.queueArn });
  }
  while (!signal.aborted) {
    if (running.size >= mapping.concurrency) await Promise.race(running);
    const batch = await receiveBatch(mapping, options, signal);
    if (batch.length === 0) continue;
    const work = options.activity.during(`${name} batch`, () => workOn(batch, mapping, options));
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.all(running);
}

/** Receives until the batch is full, its window has passed, or the queue is empty. */
async function receiveBatch(mapping: Mapping, options: PollOptions, signal: AbortSignal) {
  const batch: ReceivedMessage[] = [];
  let end = Number.POSITIVE_INFINITY;
  do {
    const wanted = Math.min(mapping.batchSize - batch.length, MAX_RECEIVE);
    const isFirst = batch.length === 0;
    const received = await receive(mapping, wanted, isFirst || mapping.windowMs > 0 ? WAIT_SECONDS : 0, options);
    if (isFirst) end = performance.now() + mapping.windowMs;
    if (received.length === 0 && (isFirst || mapping.windowMs === 0)) break;
    batch.push(...received);
  } while (batch.length < mapping.batchSize && !signal.aborted && (mapping.windowMs === 0 || performance.now() < end));
  return batch;
}

async function receive(mapping: Mapping, MaxNumberOfMessages: number, WaitTimeSeconds: number, options: PollOptions) {
  const names = { MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] };
  const input = { QueueUrl: urlOf(mapping), MaxNumberOfMessages, WaitTimeSeconds, ...names };
  const { Messages = [] } = await call<{ Messages?: readonly ReceivedMessage[] }>(options, 'ReceiveMessage', input);
  return Messages;
}

async function workOn(batch: readonly ReceivedMessage[], mapping: Mapping, options: PollOptions): Promise<void> {
  const { target, queueArn } = mapping;
  const Records = batch.map((message) => toRecord(message, queueArn, options.region));
  const outcome = await target.function.invoke({ Records }, target.qualifier);
  const failed = failedIds(batch, outcome, mapping.isPartial);
  if (failed.size > 0) {
    const text = `${failed.size} of ${batch.length} messages failed and stay in ${mapping.queueName}`;
    options.logs.write({ function: target.function.spec.name, stream: 'platform', text });
  }
  await deleteAll(
    batch.filter(({ MessageId }) => !failed.has(MessageId)),
    mapping,
    options,
  );
  for (const message of batch) if (failed.has(message.MessageId)) options.onFailed(message.ReceiptHandle);
}

async function deleteAll(done: readonly ReceivedMessage[], mapping: Mapping, options: PollOptions): Promise<void> {
  for (let i = 0; i < done.length; i += MAX_RECEIVE) {
    const part = done.slice(i, i + MAX_RECEIVE);
    const Entries = part.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
    await call(options, 'DeleteMessageBatch', { QueueUrl: urlOf(mapping), Entries });
  }
}

/** fauxqs looks at the last part of a queue URL only. */
const urlOf = (mapping: Mapping): string => `http://127.0.0.1/${mapping.queueName}`;

async function call<T>({ queues }: PollOptions, action: string, input: object): Promise<T> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` };
  const answer = await queues.handle({ headers, body: Buffer.from(JSON.stringify(input)) });
  if (answer.status !== 200) throw new Error(`${action} failed with ${answer.status}: ${String(answer.body)}`);
  return JSON.parse(String(answer.body)) as T;
}
