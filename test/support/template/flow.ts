import type { QueueName, Stage } from '#lib/flow.ts';
import { idOf } from './intrinsics.ts';
import { grants } from './statements.ts';
import { ofType, property, record, type Template, type Violation } from './template.ts';
import { wiresOf } from './wires.ts';

/** What a deployment consists of. */
export interface Service {
  readonly template: Template;
  /** Names of the entry points in `functions/`, without extension. */
  readonly entries: readonly string[];
}

const RECEIVER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const toId = (name: string) => name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const toQueueId = (queue: string) => `${toId(queue)}Queue`;
const toVariable = (queue: string) => `${queue.toUpperCase()}_QUEUE_URL`;

/** Logical id of the function whose handler is `functions/<name>.handler`. */
function functionId(template: Template, name: string): string | undefined {
  const found = ofType(template, 'AWS::Lambda::Function').find(([, resource]) => {
    return property(resource, 'Handler') === `functions/${name}.handler`;
  });
  return found?.[0];
}

/** The queues, by logical id, on which the function's role holds the action. */
function grantedQueues(template: Template, id: string, action: string): readonly string[] {
  const role = idOf(template, 'AWS::IAM::Role', property(template.Resources[id], 'Role')) ?? '';
  const granted = grants(template, role).filter(({ actions }) => actions.includes(action));
  const queues = granted.flatMap(({ resources }) => resources.map((arn) => idOf(template, 'AWS::SQS::Queue', arn)));
  return queues.filter((queue) => queue !== undefined);
}

/** Faults of a stage of which nothing but a part is there. Neither function nor entry point: wholly absent. */
function partFaults({ template, entries }: Service, { function: name }: Stage): string[] {
  const id = functionId(template, name);
  const role = `${toId(name)}Role`;
  const hasRole = template.Resources[role]?.Type === 'AWS::IAM::Role';
  const hasEntry = entries.includes(name);
  if (id === undefined && !hasEntry) return hasRole ? [`${role} is there and the function is not`] : [];
  const ownRole = id && idOf(template, 'AWS::IAM::Role', property(template.Resources[id], 'Role'));
  return [
    ...(hasEntry ? [] : [`functions/${name}.ts is missing`]),
    ...(id === undefined ? ['serverless.yml does not have it'] : []),
    ...(id === undefined || ownRole === role ? [] : [`its role must be ${role}`]),
  ];
}

/** What wakes the function is what the flow says, and nothing else; a consumer may receive from its queue. */
function consumeFaults(template: Template, id: string, { consumes }: Stage): string[] {
  const isQueue = !['http', 'authorizer', 'schedule', 'invoke'].includes(consumes);
  const expected = isQueue ? toQueueId(consumes) : consumes;
  const wires = wiresOf(template, id);
  const missing = isQueue
    ? RECEIVER_ACTIONS.filter((action) => !grantedQueues(template, id, action).includes(expected))
    : [];
  return [
    ...(wires.join() === expected
      ? []
      : [`it must be woken by ${expected} alone, and is by ${wires.join(', ') || 'nothing'}`]),
    ...missing.map((action) => `its role lacks ${action} on ${expected}`),
  ];
}

/** It may send to the queues that it feeds and that somebody reads, knows their URLs, and may send to no other. */
function produceFaults(template: Template, id: string, read: readonly QueueName[]): string[] {
  const expected = read.map(toQueueId);
  const granted = grantedQueues(template, id, 'sqs:SendMessage');
  const variables = record(property(template.Resources[id], 'Environment', 'Variables'));
  const known = Object.keys(variables).filter((name) => name.endsWith('_QUEUE_URL'));
  const unknown = read.filter((queue) => record(variables[toVariable(queue)])['Ref'] !== toQueueId(queue));
  return [
    ...expected
      .filter((queue) => !granted.includes(queue))
      .map((queue) => `its role lacks sqs:SendMessage on ${queue}`),
    ...granted
      .filter((queue) => !expected.includes(queue))
      .map((queue) => `it may send to ${queue}, which it does not feed or nobody reads`),
    ...unknown.map((queue) => `${toVariable(queue)} must be !Ref ${toQueueId(queue)}`),
    ...known
      .filter((name) => !read.map(toVariable).includes(name))
      .map((name) => `${name} names a queue that it does not feed or nobody reads`),
  ];
}

/** The queues that a deployed function consumes. */
function readQueues(template: Template, flow: readonly Stage[]): readonly string[] {
  return flow.filter((stage) => functionId(template, stage.function) !== undefined).map(({ consumes }) => consumes);
}

/** Stages that are there in part, are woken by something else, or may send where they should not or cannot where they should. */
export function stageFaults(service: Service, flow: readonly Stage[]): Violation[] {
  const { template } = service;
  const read = readQueues(template, flow);
  return flow.flatMap((stage) => {
    const id = functionId(template, stage.function);
    const produced = stage.produces.filter((queue) => read.includes(queue));
    const faults = [
      ...partFaults(service, stage),
      ...(id === undefined ? [] : [...consumeFaults(template, id, stage), ...produceFaults(template, id, produced)]),
    ];
    return faults.map((message) => ({ rule: 'stageFaults', resource: stage.function, message }));
  });
}

/** Entry points and functions of which the flow knows nothing. */
export function strangers({ template, entries }: Service, flow: readonly Stage[]): readonly string[] {
  const known = new Set(flow.map((stage) => stage.function));
  const handlers = ofType(template, 'AWS::Lambda::Function').map(([, resource]) => property(resource, 'Handler'));
  const deployed = handlers.map((handler) => String(handler).replace(/^functions\/|\.handler$/g, ''));
  return [...new Set([...entries, ...deployed])].filter((name) => !known.has(name));
}
