import { arnOf, idOf, toText } from '../intrinsics.ts';
import { statements } from '../statements.ts';
import { at, type Entry, list, ofType, property, type Resource, type Template, type Violation } from '../template.ts';

const QUEUE = 'AWS::SQS::Queue';
const MAX_RETENTION_SECONDS = 1_209_600;
const MIN_RECEIVES = 5;

const deadLettersOf = (template: Template, queue: Resource) =>
  idOf(template, QUEUE, property(queue, 'RedrivePolicy', 'deadLetterTargetArn'));

/** Logical ids of the queues that others redrive to. */
function deadLetterQueues(template: Template): readonly string[] {
  const targets = ofType(template, QUEUE).map(([, queue]) => deadLettersOf(template, queue));
  return [...new Set(targets.filter((id) => id !== undefined))];
}

function workQueues(template: Template): readonly Entry[] {
  const deadLetters = deadLetterQueues(template);
  return ofType(template, QUEUE).filter(([id]) => !deadLetters.includes(id));
}

/** Every queue has a dead-letter queue of its own in the template, so that no message vanishes unseen. */
export function hasDeadLetters(template: Template): Violation[] {
  const taken = new Set<string>();
  return workQueues(template).flatMap(([resource, queue]) => {
    const target = deadLettersOf(template, queue);
    const isOwn = target !== undefined && !taken.has(target);
    if (target !== undefined) taken.add(target);
    const message = 'set RedrivePolicy.deadLetterTargetArn to a queue that serves this one alone';
    return isOwn ? [] : [{ rule: 'hasDeadLetters', resource, message }];
  });
}

/** AWS advises five receives or more: throttled invocations count as receives too. */
export function receivesEnough(template: Template): Violation[] {
  return ofType(template, QUEUE).flatMap(([resource, queue]) => {
    const policy = property(queue, 'RedrivePolicy');
    const count = Number(at(policy, 'maxReceiveCount'));
    if (policy === undefined || count >= MIN_RECEIVES) return [];
    return [
      { rule: 'receivesEnough', resource, message: `maxReceiveCount is ${count}, at least ${MIN_RECEIVES} is right` },
    ];
  });
}

/** A dead letter keeps the age of its first sending, so that only the longest retention leaves time to look at it. */
export function keepsDeadLetters(template: Template): Violation[] {
  return deadLetterQueues(template).flatMap((resource) => {
    const seconds = property(template.Resources[resource], 'MessageRetentionPeriod');
    if (Number(seconds) === MAX_RETENTION_SECONDS) return [];
    const message = `MessageRetentionPeriod is ${String(seconds)}, 14 days (${MAX_RETENTION_SECONDS}) is right`;
    return [{ rule: 'keepsDeadLetters', resource, message }];
  });
}

function firesOnOne(alarm: Resource): boolean {
  const threshold = Number(property(alarm, 'Threshold'));
  const comparison = property(alarm, 'ComparisonOperator');
  const fires =
    (comparison === 'GreaterThanThreshold' && threshold >= 0 && threshold < 1) ||
    (comparison === 'GreaterThanOrEqualToThreshold' && threshold > 0 && threshold <= 1);
  const isHeard = list(property(alarm, 'AlarmActions')).length > 0 && property(alarm, 'ActionsEnabled') !== false;
  const isMetric = property(alarm, 'MetricName') === 'ApproximateNumberOfMessagesVisible';
  return fires && isHeard && isMetric && property(alarm, 'Namespace') === 'AWS/SQS';
}

function watches(template: Template, alarm: Resource, queue: string): boolean {
  const dimension = list(property(alarm, 'Dimensions')).find((item) => at(item, 'Name') === 'QueueName');
  const names = [`\${${queue}.QueueName}`, property(template.Resources[queue], 'QueueName')];
  return names.includes(toText(template, at(dimension, 'Value')));
}

/** Somebody is told about the first dead letter. */
export function alarmsOnDeadLetters(template: Template): Violation[] {
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').filter(([, alarm]) => firesOnOne(alarm));
  const unwatched = deadLetterQueues(template).filter(
    (id) => !alarms.some(([, alarm]) => watches(template, alarm, id)),
  );
  return unwatched.map((resource) => ({
    rule: 'alarmsOnDeadLetters',
    resource,
    message: 'add an alarm with an action that fires when one message is visible here',
  }));
}

/** Messages are encrypted at rest. */
export function encryptsQueues(template: Template): Violation[] {
  const open = ofType(template, QUEUE).filter(([, queue]) => {
    return property(queue, 'SqsManagedSseEnabled') !== true && property(queue, 'KmsMasterKeyId') === undefined;
  });
  return open.map(([resource]) => ({ rule: 'encryptsQueues', resource, message: 'set SqsManagedSseEnabled: true' }));
}

function deniesPlainText(template: Template, policy: string, queue: string): boolean {
  const covered = [arnOf(template, queue), '*'];
  return statements(template).some(({ resource, effect, actions, resources, raw }) => {
    const isFalse = String(at(raw['Condition'], 'Bool', 'aws:SecureTransport')) === 'false';
    const isEverybody = raw['Principal'] === '*' || at(raw['Principal'], 'AWS') === '*';
    const isAll = actions.some((action) => action === 'sqs:*' || action === 'SQS:*' || action === '*');
    const isHere = resources.some((arn) => covered.includes(toText(template, arn)));
    return resource === policy && effect === 'Deny' && isFalse && isEverybody && isAll && isHere;
  });
}

/** Each queue refuses requests that do not come over TLS. */
export function refusesPlainText(template: Template): Violation[] {
  const policies = ofType(template, 'AWS::SQS::QueuePolicy');
  const open = ofType(template, QUEUE).filter(([id]) => {
    return !policies.some(([policy, resource]) => {
      const isAttached = list(property(resource, 'Queues')).some((queue) => at(queue, 'Ref') === id);
      return isAttached && deniesPlainText(template, policy, id);
    });
  });
  const message = 'attach a queue policy that denies sqs:* to everybody where aws:SecureTransport is false';
  return open.map(([resource]) => ({ rule: 'refusesPlainText', resource, message }));
}
