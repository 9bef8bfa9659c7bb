import * as z from 'zod';
import type { QueueName } from '#lib/flow.ts';
import { InputError } from './errors.ts';

/**
 * Bodies of the queues. A message is a hint that there is work; the table is the truth. Bodies carry ids only and stay
 * under 1 KB. Unknown fields are dropped, so that an older consumer reads a newer producer.
 */
const Id = z.string().min(1).max(256);

/** "Look at this source and namespace now." `source` is the configured log source's name. */
const WindowMessage = z.object({ source: Id, namespace: Id });
/** "This incident is due for your stage." */
const IncidentMessage = z.object({ incident: Id });

const SCHEMAS = {
  window: WindowMessage,
  evidence: IncidentMessage,
  evaluation: IncidentMessage,
  publication: IncidentMessage,
  remediation: IncidentMessage,
} as const satisfies Record<QueueName, z.ZodType>;

export type Message<Q extends QueueName> = z.infer<(typeof SCHEMAS)[Q]>;

/** @throws InputError when the body is not JSON or lacks what the queue's messages have; such a record is a dead letter. */
export function parseMessage<Q extends QueueName>(queue: Q, body: string): Message<Q> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new InputError(`message on the ${queue} queue is not JSON`);
  }
  const parsed = SCHEMAS[queue].safeParse(json);
  if (parsed.success) return parsed.data as Message<Q>;
  const faults = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new InputError(`message on the ${queue} queue is malformed`, faults);
}
