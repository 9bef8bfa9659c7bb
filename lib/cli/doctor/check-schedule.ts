import { GetScheduleCommand, type GetScheduleCommandOutput } from '@aws-sdk/client-scheduler';
import type { Ward } from './aws.ts';
import type { StackState } from './check-stack.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** The schedule of the sweep; undefined when the stack has none. @throws ConfigError in an operator's words */
export async function readSchedule(
  ward: Ward,
  { resources }: StackState,
): Promise<GetScheduleCommandOutput | undefined> {
  const schedule = resources.find(({ type }) => type === 'AWS::Scheduler::Schedule');
  if (schedule === undefined) return undefined;
  // CloudFormation knows it by its name, an emulator by its ARN.
  const Name = schedule.physicalId.split('/').at(-1);
  const asked = ward.scheduler.send(new GetScheduleCommand({ Name }));
  return ward.ask(asked, `the schedule ${Name}`, 'scheduler:GetSchedule');
}

/** The schedule is on and wakes the sweep. */
export async function checkSchedule(ward: Ward, state: StackState): Promise<readonly Finding[]> {
  const schedule = await readSchedule(ward, state);
  const deploy = `npx serverless deploy --stage ${ward.stage.name} makes it again.`;
  if (schedule === undefined) return [wrong('schedule', 'the stack has no schedule of the sweep', deploy)];
  const { State, Target, ScheduleExpression } = schedule;
  if (State !== 'ENABLED') {
    const advice = `Healer rests: npx healer resume ${ward.stage.words} lets it go on.`;
    return [wrong('schedule', `the schedule of the sweep is ${State}`, advice)];
  }
  if (Target?.Arn?.includes(`:${ward.stack}-sweep`) !== true) {
    return [wrong('schedule', 'the schedule wakes something else than the sweep', deploy)];
  }
  return [ok('schedule', `${ScheduleExpression ?? ''} wakes the sweep`.trim())];
}
