import type { buildApp } from 'fauxqs';

/**
 * fauxqs's own store. Its package exports only a server that listens on every interface, or an app whose store cannot be
 * seen; loopback together with persistence and a look at the messages needs these two classes, so they are imported by
 * file. The version of fauxqs is pinned.
 */
export interface SqsMessage {
  readonly messageId: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly delayUntil?: number;
  /** How often it was received before it came to this queue: above 0 on its way into a dead-letter queue. */
  readonly approximateReceiveCount: number;
}

export interface SqsQueue {
  readonly name: string;
  readonly messages: readonly SqsMessage[];
  readonly delayedMessages: readonly SqsMessage[];
  /** By receipt handle. */
  readonly inflightMessages: ReadonlyMap<string, { readonly message: SqsMessage; readonly visibilityDeadline: number }>;
  setAttributes(attributes: { readonly [name: string]: string }): void;
  /** Every sent message passes here, whether it was sent alone or in a batch. */
  enqueue(message: SqsMessage): void;
}

export interface SqsStore {
  createQueue(name: string, url: string, arn: string, attributes: { readonly [name: string]: string }): SqsQueue;
  getQueueByName(name: string): SqsQueue | undefined;
  allQueues(): Iterable<SqsQueue & { persistence?: Persistence }>;
  /** Makes visible what has become due. */
  processAllTimers(): void;
  /** Ends all long polls. */
  shutdown(): void;
  persistence?: Persistence;
}

interface Persistence {
  loadSqsAndSns(sqs: SqsStore, sns: unknown): void;
  close(): void;
}

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

async function load<T>(file: string): Promise<T> {
  return (await import(new URL(file, import.meta.resolve('fauxqs')).href)) as T;
}

/** @param directory where messages are kept; in memory without one */
export async function openStores(directory: string | undefined): Promise<{ stores: Stores; close: () => void }> {
  const { SqsStore } = await load<{ SqsStore: new () => SqsStore }>('./sqs/sqsStore.js');
  const { SnsStore } = await load<{ SnsStore: new () => Stores['snsStore'] }>('./sns/snsStore.js');
  const { S3Store } = await load<{ S3Store: new () => Stores['s3Store'] }>('./s3/s3Store.js');
  const sqsStore = new SqsStore();
  const snsStore = new SnsStore();
  const stores = { sqsStore, snsStore, s3Store: new S3Store() } as unknown as Stores;
  if (directory === undefined) return { stores, close: () => {} };
  const { PersistenceManager } = await load<{ PersistenceManager: new (directory: string) => Persistence }>(
    './persistence.js',
  );
  const persistence = new PersistenceManager(directory);
  persistence.loadSqsAndSns(sqsStore, snsStore);
  sqsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
  return { stores, close: () => persistence.close() };
}
