import type { ModelAnswerSight, SourcesAnswer } from '#lib/domain/probe.ts';
import { FLOW, QUEUES } from '#lib/flow.ts';
import { type AwsActions, awsFault, ok } from './aws-peer.ts';

/** A deployed stage `prod` as AWS tells it; a test changes what is to be wrong. */
export interface AwsStage {
  /** Undefined: there is no stack. */
  status: string | undefined;
  /** When its last update began; undefined: it was never updated. */
  updatedAt: string | undefined;
  createdAt: string;
  /** CloudFormation refuses to tell of it, with this error. */
  refusal?: string;
  readonly functions: Map<string, { State?: string; StateReason?: string; LastUpdateStatus?: string; Role: string }>;
  schedule:
    | {
        State: string;
        Target: { Arn: string; RoleArn: string };
        ScheduleExpression: string;
        /** Seconds since the epoch. */
        LastModificationDate: number;
      }
    | undefined;
  readonly mappings: Map<string, string>;
  /** Lines of the log of the sweep, and how many seconds ago each was written. */
  log: { secondsAgo: number; line: string }[];
  sources: SourcesAnswer;
  /** Functions that throw when they are invoked, and what AWS tells of it. */
  readonly failures: Map<string, object>;
  readonly models: Map<string, ModelAnswerSight | object>;
  /** What the probes were asked. */
  readonly probes: { name: string; event: unknown }[];
}

export const STAGE_API = 'https://abc123.execute-api.eu-central-1.amazonaws.com';
const LAMBDA = 'arn:aws:lambda:eu-central-1:000000000000:function:healer-prod';

const toPascal = (name: string) => name.replaceAll(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
const roleOf = (name: string) => `healer-prod-${toPascal(name)}Role-1A2B3C`;
const member = (fields: Readonly<Record<string, string>>): string =>
  `<member>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</member>`;
const answer = (action: string, content: string) =>
  ok(`<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`);

/** All is well. */
export const anAwsStage = (): AwsStage => ({
  status: 'UPDATE_COMPLETE',
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-30T09:30:00Z',
  functions: new Map(
    FLOW.map(({ function: name }) => [
      name,
      { State: 'Active', LastUpdateStatus: 'Successful', Role: `arn:aws:iam::000000000000:role/${roleOf(name)}` },
    ]),
  ),
  schedule: {
    State: 'ENABLED',
    ScheduleExpression: 'rate(1 minute)',
    LastModificationDate: Date.parse('2026-11-01T10:02:00Z') / 1000,
    Target: { Arn: `${LAMBDA}-sweep`, RoleArn: 'arn:aws:iam::000000000000:role/schedule' },
  },
  mappings: new Map(QUEUES.map((queue) => [queue, 'Enabled'])),
  log: [
    { secondsAgo: 70, line: 'START RequestId: 1' },
    {
      secondsAgo: 30,
      line: JSON.stringify({ level: 'INFO', message: 'pass finished', result: { active: 2, resent: 0 } }),
    },
  ],
  sources: {
    at: Date.now(),
    logs: {
      trouble: null,
      tenant: 'team-a',
      labels: ['namespace', 'pod'],
      unknownLabels: [],
      knownNamespaces: ['cto'],
      namespaces: [{ name: 'cto', isMatched: true }],
      hasPodLabel: true,
    },
    cluster: null,
  },
  failures: new Map(),
  models: new Map(),
  probes: [],
});

/** AWS's answers about the stage, for {@link startAwsPeer}. */
export function stageActions(stage: AwsStage): AwsActions {
  return {
    DescribeStacks: () => describeStack(stage),
    ListStackResources: () => listResources(stage),
    'Logs_20140328.FilterLogEvents': ({ nextToken }) => readLog(stage, nextToken),
    'GET /schedules/healer-prod-sweep': () =>
      stage.schedule ? ok(stage.schedule) : awsFault('ResourceNotFoundException'),
    'GET /2015-03-31/event-source-mappings': (_, { path }) => listMappings(stage, path),
    ...Object.fromEntries(FLOW.flatMap(({ function: name }) => functionActions(stage, name))),
  };
}

const xmlFault = (code: string, message = '') => ({
  status: 400,
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

function describeStack({ status, refusal, createdAt, updatedAt }: AwsStage) {
  if (refusal !== undefined) return xmlFault(refusal);
  if (status === undefined) return xmlFault('ValidationError', 'Stack with id healer-prod does not exist');
  const times = { CreationTime: createdAt, ...(updatedAt === undefined ? {} : { LastUpdatedTime: updatedAt }) };
  const Outputs = member({ OutputKey: 'HttpApiUrl', OutputValue: `${STAGE_API}/` });
  const stack = member({ StackName: 'healer-prod', StackStatus: status, ...times, Outputs });
  return answer('DescribeStacks', `<Stacks>${stack}</Stacks>`);
}

function listResources({ schedule }: AwsStage) {
  const roles = FLOW.map(({ function: name }) =>
    member({
      LogicalResourceId: `${toPascal(name)}Role`,
      ResourceType: 'AWS::IAM::Role',
      PhysicalResourceId: roleOf(name),
    }),
  );
  const scheduled = member({
    LogicalResourceId: 'SweepSchedulerSchedule1',
    ResourceType: 'AWS::Scheduler::Schedule',
    PhysicalResourceId: 'healer-prod-sweep',
  });
  const all = [...roles, ...(schedule === undefined ? [] : [scheduled])];
  return answer('ListStackResources', `<StackResourceSummaries>${all.join('')}</StackResourceSummaries>`);
}

/** The first page is empty, as CloudWatch's may be. */
function readLog({ log }: AwsStage, nextToken: unknown) {
  if (nextToken === undefined) return ok({ events: [], nextToken: '2' });
  const events = log.map(({ secondsAgo, line }) => ({ timestamp: Date.now() - secondsAgo * 1000, message: line }));
  return ok({ events });
}

function listMappings({ mappings }: AwsStage, path: string) {
  const name = new URL(path, 'http://aws').searchParams.get('FunctionName')?.replace('healer-prod-', '');
  const queues = FLOW.filter((stage) => stage.function === name).map(({ consumes }) => consumes);
  const EventSourceMappings = queues.flatMap((queue) => {
    const State = mappings.get(queue);
    return State === undefined ? [] : [{ State, EventSourceArn: `arn:aws:sqs:eu-central-1:0:healer-prod-${queue}` }];
  });
  return ok({ EventSourceMappings });
}

function functionActions(stage: AwsStage, name: string): [string, AwsActions[string]][] {
  const path = `/2015-03-31/functions/healer-prod-${name}`;
  return [
    [
      `GET ${path}/configuration`,
      () => {
        const found = stage.functions.get(name);
        return found === undefined ? awsFault('ResourceNotFoundException') : ok({ FunctionName: name, ...found });
      },
    ],
    [
      `POST ${path}/invocations`,
      (event) => {
        stage.probes.push({ name, event });
        const failure = stage.failures.get(name);
        if (failure !== undefined) return { ...ok(failure), headers: { 'x-amz-function-error': 'Unhandled' } };
        return ok(name === 'detect' ? stage.sources : (stage.models.get(name) ?? {}));
      },
    ],
  ];
}
