import { idOf } from '../intrinsics.ts';
import { list, ofType, property, type Resource, type Template, type Violation } from '../template.ts';

/** AWS: visibility of the queue is six times the timeout of the function, plus the batching window. */
const VISIBILITY_FACTOR = 6;
const DEFAULT_VISIBILITY_SECONDS = 30;
const DEFAULT_TIMEOUT_SECONDS = 3;
/** The bounds that SQS mappings accept. */
const CONCURRENCY = { min: 2, max: 1000 };

/** Mappings that read an SQS queue of the template, with that queue and the function that they feed. */
function queueMappings(template: Template) {
  return ofType(template, 'AWS::Lambda::EventSourceMapping').flatMap(([id, mapping]) => {
    const queue = idOf(template, 'AWS::SQS::Queue', property(mapping, 'EventSourceArn'));
    const consumer = idOf(template, 'AWS::Lambda::Function', property(mapping, 'FunctionName'));
    return queue === undefined ? [] : [{ id, mapping, queue, consumer: template.Resources[consumer ?? ''] }];
  });
}

const seconds = (resource: Resource | undefined, name: string, fallback: number) =>
  Number(property(resource, name) ?? fallback);

/** Under six timeouts, a message comes again while its first delivery is still at work or throttled. */
export function staysInvisible(template: Template): Violation[] {
  return queueMappings(template).flatMap(({ mapping, queue, consumer }) => {
    const timeout = seconds(consumer, 'Timeout', DEFAULT_TIMEOUT_SECONDS);
    const needed = VISIBILITY_FACTOR * timeout + seconds(mapping, 'MaximumBatchingWindowInSeconds', 0);
    const visibility = seconds(template.Resources[queue], 'VisibilityTimeout', DEFAULT_VISIBILITY_SECONDS);
    const message = `VisibilityTimeout is ${visibility} s; a consumer with ${timeout} s of timeout needs ${needed} s or more`;
    return visibility >= needed ? [] : [{ rule: 'staysInvisible', resource: queue, message }];
  });
}

/** Without partial failures one bad message sends its whole batch again. */
export function reportsPartialFailures(template: Template): Violation[] {
  return queueMappings(template).flatMap(({ id, mapping }) => {
    const isReported = list(property(mapping, 'FunctionResponseTypes')).includes('ReportBatchItemFailures');
    const message = 'set functionResponseType: ReportBatchItemFailures';
    return isReported ? [] : [{ rule: 'reportsPartialFailures', resource: id, message }];
  });
}

/** A mapping without a bound takes the account's whole concurrency in a storm, and the peers' patience with it. */
export function boundsConcurrency(template: Template): Violation[] {
  return queueMappings(template).flatMap(({ id, mapping }) => {
    const maximum = property(mapping, 'ScalingConfig', 'MaximumConcurrency');
    const isBound = typeof maximum === 'number' && maximum >= CONCURRENCY.min && maximum <= CONCURRENCY.max;
    const message = `set maximumConcurrency, from ${CONCURRENCY.min} to ${CONCURRENCY.max}`;
    return isBound ? [] : [{ rule: 'boundsConcurrency', resource: id, message }];
  });
}

/** Every mapping belongs to a queue of the template: the rules above judge nothing else. */
export function readsKnownQueues(template: Template): Violation[] {
  const known = new Set(queueMappings(template).map(({ id }) => id));
  const unknown = ofType(template, 'AWS::Lambda::EventSourceMapping').filter(([id]) => !known.has(id));
  const message = 'let EventSourceArn name a queue of this template: another source escapes the rules for queues';
  return unknown.map(([resource]) => ({ rule: 'readsKnownQueues', resource, message }));
}
