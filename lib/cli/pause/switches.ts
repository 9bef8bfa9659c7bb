import { setTimeout as sleep } from 'node:timers/promises';
import { GetEventSourceMappingCommand, LambdaClient, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { ConfigError } from '#lib/domain/errors.ts';
import { QUEUES, type QueueName } from '#lib/flow.ts';
import { answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import { listStackResources } from '../stage/stack-resources.ts';
import { type Stage, stackOf } from '../stage/stage.ts';

export const SWITCH_NAMES = ['sweep', ...QUEUES] as const;
export type SwitchName = (typeof SWITCH_NAMES)[number];

/** One of the things that make a deployment work by itself: the schedule of the sweep, or a queue's hand-over to its function. */
export interface Switch {
  readonly name: SwitchName;
  readonly isOn: boolean;
  /** Resolves once it is in force. @throws ConfigError in an operator's words */
  set(isOn: boolean): Promise<void>;
}

/** How long AWS may take to switch a queue. It takes seconds. */
const WITHIN_MS = 120_000;
const POLL_MS = 500;

/**
 * The switches of a deployment in the order of the flow. One that is off makes it rest there; nothing is lost.
 * @throws ConfigError in an operator's words
 */
export async function openSwitches(stage: Stage): Promise<readonly Switch[]> {
  const resources = await listStackResources(stage);
  const ofType = (type: string) => resources.filter((one) => one.type === type).map(({ physicalId }) => physicalId);
  const schedules = ofType('AWS::Scheduler::Schedule').map((id) => openSchedule(stage, id));
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map((id) => openMapping(stage, id));
  const all = await Promise.all([...schedules, ...mappings]);
  if (all.length === 0) {
    throw new ConfigError(
      `the stack ${stackOf(stage)} in ${stage.region} has neither schedule nor queues: it was removed, or never deployed`,
    );
  }
  return all.toSorted((a, b) => SWITCH_NAMES.indexOf(a.name) - SWITCH_NAMES.indexOf(b.name));
}

async function openSchedule(stage: Stage, id: string): Promise<Switch> {
  const scheduler = new SchedulerClient(toClientConfig(stage));
  // CloudFormation knows a schedule by its name, an emulator by its ARN.
  const Name = id.split('/').at(-1) ?? id;
  const asking = <T>(work: Promise<T>) =>
    answerOf(work, {
      thing: `the schedule ${Name}`,
      place: stage.region,
      rights: 'scheduler:GetSchedule, scheduler:UpdateSchedule and iam:PassRole of its role',
    });
  const { State } = await asking(scheduler.send(new GetScheduleCommand({ Name })));
  const set = async (isOn: boolean) => {
    // An update replaces everything: what is not said again is lost.
    const {
      $metadata: _,
      Arn: _arn,
      CreationDate: _made,
      LastModificationDate: _changed,
      ...kept
    } = await scheduler.send(new GetScheduleCommand({ Name }));
    const { ScheduleExpression, FlexibleTimeWindow, Target } = kept;
    await scheduler.send(
      new UpdateScheduleCommand({
        ...kept,
        Name,
        ScheduleExpression,
        FlexibleTimeWindow,
        Target,
        State: isOn ? 'ENABLED' : 'DISABLED',
      }),
    );
  };
  return { name: 'sweep', isOn: State !== 'DISABLED', set: (isOn) => asking(set(isOn)) };
}

async function openMapping(stage: Stage, UUID: string): Promise<Switch> {
  const lambda = new LambdaClient(toClientConfig(stage));
  const look = () => lambda.send(new GetEventSourceMappingCommand({ UUID }));
  const asking = <T>(work: Promise<T>) =>
    answerOf(work, {
      thing: `the hand-over ${UUID}`,
      place: stage.region,
      rights: 'lambda:GetEventSourceMapping and lambda:UpdateEventSourceMapping',
    });
  const { State = '', EventSourceArn = '' } = await asking(look());
  const name = toQueue(stage, EventSourceArn);
  const settled = async (states: readonly string[]) => {
    for (let left = WITHIN_MS; left > 0; left -= POLL_MS) {
      const { State: now = '' } = await look();
      if (states.includes(now)) return;
      await sleep(POLL_MS);
    }
    throw new ConfigError(`AWS has not switched the queue ${name} within two minutes; send the command again`);
  };
  const set = async (isOn: boolean) => {
    // AWS refuses a change while another one is under way.
    await settled(['Enabled', 'Disabled']);
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: isOn }));
    await settled([isOn ? 'Enabled' : 'Disabled']);
  };
  return { name, isOn: !State.startsWith('Disabl'), set: (isOn) => asking(set(isOn)) };
}

/** @throws ConfigError for a queue of another version */
function toQueue(stage: Stage, arn: string): QueueName {
  const queue = QUEUES.find((name) => arn.endsWith(`:${stackOf(stage)}-${name}`));
  if (queue !== undefined) return queue;
  throw new ConfigError(`the stack ${stackOf(stage)} has a queue that this version does not know: ${arn}`);
}
