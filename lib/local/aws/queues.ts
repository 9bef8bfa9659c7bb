import { buildApp } from 'fauxqs';
import { type Resource, type Template, textOf } from '../template.ts';
import type { ServiceAnswer, ServiceRequest } from './protocol.ts';
import { applyFaults, type QueueFaults } from './queue-faults.ts';
import { openStores, type SqsQueue, type SqsStore } from './sqs-store.ts';

/** SQS: fauxqs without a socket of its own; requests are handed in. */
export interface QueueService {
  readonly store: SqsStore;
  readonly faults: QueueFaults;
  handle(request: Pick<ServiceRequest, 'headers' | 'body'>): Promise<ServiceAnswer>;
  stop(): Promise<void>;
}

/** @param directory where messages are kept; in memory without one */
export async function openQueueService(region: string, directory: string | undefined): Promise<QueueService> {
  const { stores, close } = await openStores(directory);
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  await app.ready();
  return {
    store: stores.sqsStore as unknown as SqsStore,
    faults: { deliverTwice: false, dropOnce: false },
    async handle({ headers, body }) {
      const answer = await app.inject({
        method: 'POST',
        url: '/',
        headers: headers as { [name: string]: string },
        body,
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload };
    },
    async stop() {
      await app.close();
      close();
    },
  };
}

/** Properties that SQS knows as attributes under the same name; encryption is the deployment's. */
const ATTRIBUTES = [
  'DelaySeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'VisibilityTimeout',
] as const;

/** Creates the template's queues, dead-letter queues first; one that was kept from an earlier run keeps its messages. */
export function createQueues(template: Template, service: QueueService): void {
  const queues = template.of('AWS::SQS::Queue');
  for (const resource of queues.toSorted((a, b) => Number(hasRedrive(a)) - Number(hasRedrive(b)))) {
    applyFaults(ensureQueue(template, resource, service.store), service.faults);
  }
}

const hasRedrive = (queue: Resource): boolean => queue.properties['RedrivePolicy'] !== undefined;

function ensureQueue(template: Template, resource: Resource, store: SqsStore): SqsQueue {
  const names = { of: (attribute: string) => template.attribute(resource.logicalId, attribute) };
  const name = names.of('QueueName');
  const attributes = attributesOf(resource);
  const kept = store.getQueueByName(name);
  kept?.setAttributes(attributes);
  return kept ?? store.createQueue(name, names.of('QueueUrl'), names.of('Arn'), attributes);
}

function attributesOf(resource: Resource): { readonly [name: string]: string } {
  const present = ATTRIBUTES.filter((name) => resource.properties[name] !== undefined);
  const entries = present.map((name) => [name, attributeText(resource, name)] as const);
  return Object.fromEntries(entries);
}

/** A redrive policy travels as JSON, everything else as text. */
function attributeText(resource: Resource, name: string): string {
  const value = resource.properties[name];
  return typeof value === 'object' ? JSON.stringify(value) : textOf(resource, name);
}
