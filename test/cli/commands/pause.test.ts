import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSwitches } from '#lib/cli/pause/switches.ts';
import { QUEUES } from '#lib/flow.ts';
import { type AwsActions, type AwsPeer, awsFault, ok, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli } from '#test/support/cli.ts';

const ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:healer-prod-sweep';
const SCHEDULE = {
  Arn: 'arn:aws:scheduler:eu-central-1:000000000000:schedule/default/healer-prod-Sweep-1A2B',
  GroupName: 'default',
  ScheduleExpression: 'rate(1 minute)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: ARN, RoleArn: 'arn:aws:iam::000000000000:role/schedule', RetryPolicy: { MaximumRetryAttempts: 3 } },
  CreationDate: 1_780_000_000,
};

/** The state of the account: what is switched, and in which order it was. */
interface World {
  schedule: Record<string, unknown>;
  mappings: Map<string, { state: string; asked: number }>;
  changes: string[];
}

let world: World;
let aws: AwsPeer;

const summary = (type: string, id: string) =>
  `<member><LogicalResourceId>x</LogicalResourceId><ResourceType>${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId></member>`;

/** As an emulator answers about a stack that was removed. */
const emptyList =
  '<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries/></ListStackResourcesResult></ListStackResourcesResponse>';

/** Two pages, with resources of other types between them. */
const listResources = ({ StackName, NextToken }: Record<string, unknown>) => {
  if (StackName === 'healer-gone') return ok(emptyList);
  if (StackName !== 'healer-prod') {
    const fault = `<Error><Code>ValidationError</Code><Message>Stack with id ${String(StackName)} does not exist</Message></Error>`;
    return { status: 400, body: `<ErrorResponse>${fault}</ErrorResponse>` };
  }
  const first = summary('AWS::Scheduler::Schedule', 'healer-prod-Sweep-1A2B') + summary('AWS::SQS::Queue', 'queue');
  const rest = QUEUES.map((queue) => summary('AWS::Lambda::EventSourceMapping', `uuid-${queue}`))
    .toReversed()
    .join('');
  const page = NextToken === undefined ? first : rest;
  const next = NextToken === undefined ? '<NextToken>2</NextToken>' : '';
  return ok(
    `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${page}</StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`,
  );
};

/** A mapping takes two looks until it is what it was asked to be. */
function lookAtMapping(queue: string) {
  const mapping = world.mappings.get(queue) ?? { state: 'Enabled', asked: 0 };
  mapping.asked += 1;
  if (mapping.asked > 1) mapping.state = mapping.state.replace(/ing$/, 'ed');
  const EventSourceArn = `arn:aws:sqs:eu-central-1:000000000000:healer-prod-${queue}`;
  return ok({ UUID: `uuid-${queue}`, State: mapping.state, EventSourceArn });
}

const mappingActions = (): AwsActions =>
  Object.fromEntries(
    QUEUES.flatMap((queue) => [
      [`GET /2015-03-31/event-source-mappings/uuid-${queue}`, () => lookAtMapping(queue)],
      [
        `PUT /2015-03-31/event-source-mappings/uuid-${queue}`,
        ({ Enabled }: Record<string, unknown>) => {
          const now = world.mappings.get(queue)?.state ?? 'Enabled';
          if (now.endsWith('ing')) return awsFault('ResourceInUseException');
          world.mappings.set(queue, { state: Enabled === true ? 'Enabling' : 'Disabling', asked: 0 });
          world.changes.push(`${queue} ${Enabled === true ? 'on' : 'off'}`);
          return ok({});
        },
      ],
    ]),
  );

beforeEach(async () => {
  world = { schedule: { ...SCHEDULE, State: 'ENABLED' }, mappings: new Map(), changes: [] };
  aws = await startAwsPeer({
    ListStackResources: listResources,
    'GET /schedules/healer-prod-Sweep-1A2B': () => ok(world.schedule),
    'PUT /schedules/healer-prod-Sweep-1A2B': (input) => {
      // As at AWS, what an update does not say is gone.
      world.schedule = { ...input, Arn: SCHEDULE.Arn, CreationDate: SCHEDULE.CreationDate };
      world.changes.push(`sweep ${input['State'] === 'DISABLED' ? 'off' : 'on'}`);
      return ok({ ScheduleArn: SCHEDULE.Arn });
    },
    ...mappingActions(),
  });
});
afterEach(() => aws.stop());

const names = ['sweep', ...QUEUES];
const run = (...args: string[]) => cli([...args, '--stage', 'prod']);

describe('healer pause', () => {
  it('switches off what makes the stage work, the sweep first, and says what waits', async () => {
    const { code, stdout, stderr } = await run('pause');
    expect([code, stderr]).toEqual([0, '']);
    expect(world.changes[0]).toBe('sweep off');
    expect(world.changes.toSorted()).toEqual(names.map((name) => `${name} off`).toSorted());
    expect(stdout).toContain('Stage prod is paused.');
    expect(stdout).toMatch(/Goes on: plays are announced.*\nWaits: .*nothing is written to GitHub/);
    expect(stdout).toContain('npx healer resume --stage prod');
    const { State, Target, FlexibleTimeWindow, ScheduleExpression, ...rest } = world.schedule;
    expect({ State, Target, FlexibleTimeWindow, ScheduleExpression }).toEqual({
      State: 'DISABLED',
      Target: SCHEDULE.Target,
      FlexibleTimeWindow: SCHEDULE.FlexibleTimeWindow,
      ScheduleExpression: SCHEDULE.ScheduleExpression,
    });
    expect(rest).toMatchObject({ GroupName: 'default' });
    expect((await openSwitches({ name: 'prod', region: 'eu-central-1' })).map(({ isOn }) => isOn)).toEqual(
      names.map(() => false),
    );
  });

  it('does nothing where it was done before', async () => {
    await run('pause');
    world.changes = [];
    const { code, stdout } = await run('pause', '--json');
    expect([code, world.changes]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toEqual({
      stage: 'prod',
      paused: true,
      switches: names.map((name) => ({ name, on: false, changed: false })),
    });
  });

  it('keeps GitHub alone from being written to', async () => {
    const { stdout } = await run('pause', '--only', 'publication');
    expect(world.changes).toEqual(['publication off']);
    expect(stdout).toContain('Stage prod is paused in part.');
    expect(stdout).toContain('Waits: nothing is written to GitHub.');
    expect(stdout).not.toContain('sweep-silent');
  });

  it('waits for a change that is under way', async () => {
    world.mappings.set('window', { state: 'Enabling', asked: 0 });
    await run('pause', '--only', 'window');
    expect(world.changes).toEqual(['window off']);
  });

  it('says which right is missing', async () => {
    aws.refuse('PUT /schedules/healer-prod-Sweep-1A2B', 'AccessDeniedException');
    const { code, stderr } = await run('pause');
    expect(code).toBe(2);
    expect(stderr).toContain('they need scheduler:GetSchedule, scheduler:UpdateSchedule and iam:PassRole');
  });

  it.each([
    [['pause', '--only', 'publish'], '--only takes one of sweep, window'],
    [['pause', 'now'], 'now'],
    [['resume', '--stage', '-'], 'stage'],
  ])('says of %j what would be right', async (args, sentence) => {
    const { code, stderr } = await cli(args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(aws.asked).toEqual([]);
  });

  it('says that there is no such stage', async () => {
    const { code, stderr } = await cli(['pause', '--stage', 'other']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no stack healer-other in eu-central-1');
  });

  it('does not call a stage paused that has nothing to pause', async () => {
    const { code, stderr, stdout } = await cli(['pause', '--stage', 'gone']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('has neither schedule nor queues: it was removed, or never deployed');
  });
});

describe('healer resume', () => {
  it('switches on again, the sweep last', async () => {
    await run('pause');
    world.changes = [];
    const { code, stdout } = await run('resume');
    expect(code).toBe(0);
    expect(world.changes.at(-1)).toBe('sweep on');
    expect(world.changes.toSorted()).toEqual(names.map((name) => `${name} on`).toSorted());
    expect(stdout).toContain('Stage prod works.');
    expect(world.schedule).toMatchObject({ State: 'ENABLED', Target: SCHEDULE.Target });
  });

  it('in part says what still rests', async () => {
    await run('pause');
    const { stdout } = await run('resume', '--only', 'publication', '--only', 'remediation');
    expect(stdout).toContain('Stage prod still rests in part: sweep, window, evidence, evaluation.');
  });
});
