import type { Queues } from '#lib/app/ports.ts';
import type { QueueName } from '#lib/flow.ts';

export interface SentMessage {
  readonly queue: QueueName;
  readonly message: unknown;
  readonly delaySeconds: number;
}

/** Queues that keep what is sent; a test takes messages out and delivers them as it likes: once, twice or never. */
export function recordingQueues() {
  const sent: SentMessage[] = [];
  const queues: Queues = {
    send: async (queue, message, delaySeconds = 0) => {
      sent.push({ queue, message, delaySeconds });
    },
  };
  return { queues, sent, take: () => sent.splice(0) };
}
