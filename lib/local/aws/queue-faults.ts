import type { SqsMessage, SqsQueue } from './sqs-store.ts';

/** Faults of delivery that SQS permits or a network makes; they can be switched on while the stack runs. */
export interface QueueFaults {
  /** Each message arrives twice, with the same message id. */
  deliverTwice: boolean;
  /** The first message of each distinct body and queue is accepted and never arrives. */
  dropOnce: boolean;
}

/** Puts the faults into the queue's entrance; with both switched off it is a plain queue. */
export function applyFaults(queue: SqsQueue, faults: QueueFaults): void {
  const enqueue = queue.enqueue.bind(queue);
  const dropped = new Set<string>();
  queue.enqueue = (message: SqsMessage) => {
    const isRedriven = message.approximateReceiveCount > 0;
    if (isRedriven) return enqueue(message);
    if (faults.dropOnce && !dropped.has(message.body)) return void dropped.add(message.body);
    enqueue(message);
    if (faults.deliverTwice) enqueue({ ...message });
  };
}
