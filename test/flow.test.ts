import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { FLOW, MAX_HOPS, QUEUES } from '#lib/flow.ts';
import { aFlowTemplate } from '#test/support/template/a-flow.ts';
import { add, allow, type Change, remove, set } from '#test/support/template/change.ts';
import { type Service, stageFaults, strangers } from '#test/support/template/flow.ts';
import { longestChain } from '#test/support/template/hops.ts';
import { ROOT } from '#test/support/template/package-cache.ts';
import { packageService } from '#test/support/template/package-service.ts';
import { record } from '#test/support/template/template.ts';

const ALL = FLOW.map((stage) => stage.function);

describe('the deployed service', () => {
  let service: Service;

  beforeAll(async () => {
    const files = readdirSync(join(ROOT, 'functions'));
    service = { template: (await packageService()).template, entries: files.map((name) => name.replace(/\.ts$/, '')) };
  });

  it('has each stage of the flow wholly or not at all', () => {
    expect(stageFaults(service, FLOW)).toEqual([]);
  });

  it('has no function outside the flow', () => {
    expect(strangers(service, FLOW)).toEqual([]);
  });

  it('lists its functions in the order of the flow', () => {
    const document = parseDocument(readFileSync(join(ROOT, 'serverless.yml'), 'utf8'), { logLevel: 'silent' });
    const listed = Object.keys(record(record(document.toJS())['functions']));
    expect(listed).not.toEqual([]);
    expect(listed).toEqual(ALL.filter((name) => listed.includes(name)));
  });
});

describe('the flow', () => {
  it('names each function once, and each queue has one consumer and a producer', () => {
    expect(new Set(ALL).size).toBe(ALL.length);
    expect(FLOW.map(({ consumes }) => consumes).filter((name) => QUEUES.some((queue) => queue === name))).toEqual(
      QUEUES,
    );
    expect([...new Set(FLOW.flatMap(({ produces }) => produces))].toSorted()).toEqual(QUEUES.toSorted());
  });

  it(`keeps its longest chain under ${MAX_HOPS} hops`, () => {
    expect(longestChain(FLOW)).toEqual([
      'session-write → window',
      'detect → window',
      'detect → evidence',
      'gather → evaluation',
      'evaluate → publication',
      'publish → remediation',
      'remediate → publication',
    ]);
    expect(longestChain(FLOW).length).toBeLessThan(MAX_HOPS);
  });

  it('counts a stage that feeds its own queue', () => {
    const gather = FLOW.filter((stage) => stage.function === 'gather');
    const longer = FLOW.map((stage) =>
      gather.includes(stage) ? { ...stage, produces: [...stage.produces, 'evidence' as const] } : stage,
    );
    expect(longestChain(longer)).toContain('gather → evidence');
    expect(longestChain(longer).length).toBe(longestChain(FLOW).length + 1);
  });
});

const aService = (present: readonly string[] = ALL): Service => ({
  template: aFlowTemplate(
    FLOW.filter((stage) => present.includes(stage.function)),
    QUEUES,
  ),
  entries: present,
});

/** The function that is named, what is wrong, and the change that plants it in a service with all stages. */
const FAULTS: readonly (readonly [name: string, message: string, change: Change])[] = [
  ['detect', 'serverless.yml does not have it', remove('DetectFunction')],
  ['detect', 'its role must be DetectRole', set('DetectFunction', 'Role', { 'Fn::GetAtt': ['GatherRole', 'Arn'] })],
  ['detect', 'it must be woken by WindowQueue alone, and is by nothing', remove('DetectMapping')],
  [
    'detect',
    'it must be woken by WindowQueue alone, and is by EvidenceQueue',
    set('DetectMapping', 'EventSourceArn', { 'Fn::GetAtt': ['EvidenceQueue', 'Arn'] }),
  ],
  [
    'gather',
    'it must be woken by EvidenceQueue alone, and is by schedule, EvidenceQueue',
    add('More', 'AWS::Scheduler::Schedule', { Target: { Arn: { 'Fn::GetAtt': ['GatherFunction', 'Arn'] } } }),
  ],
  ['session-write', 'it must be woken by http alone, and is by nothing', remove('SessionWriteRoute')],
  ['authorize', 'it must be woken by authorizer alone, and is by nothing', remove('Authorizer')],
  ['sweep', 'it must be woken by schedule alone, and is by nothing', remove('SweepSchedule')],
  ['github-token', 'it must be woken by invoke alone, and is by nothing', remove('GithubTokenAlias')],
  [
    'detect',
    'its role lacks sqs:SendMessage on WindowQueue',
    set('DetectRole', 'Policies.0.PolicyDocument.Statement.0.Action', ['sqs:GetQueueUrl']),
  ],
  [
    'gather',
    'its role lacks sqs:DeleteMessage on EvidenceQueue',
    set('GatherRole', 'Policies.0.PolicyDocument.Statement.1.Action', ['sqs:ReceiveMessage']),
  ],
  [
    'gather',
    'it may send to PublicationQueue, which it does not feed or nobody reads',
    allow('GatherRole', { Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['PublicationQueue', 'Arn'] } }),
  ],
  [
    'gather',
    'EVALUATION_QUEUE_URL must be !Ref EvaluationQueue',
    set('GatherFunction', 'Environment.Variables.EVALUATION_QUEUE_URL'),
  ],
  [
    'gather',
    'EVALUATION_QUEUE_URL must be !Ref EvaluationQueue',
    set('GatherFunction', 'Environment.Variables.EVALUATION_QUEUE_URL', { Ref: 'WindowQueue' }),
  ],
  [
    'gather',
    'WINDOW_QUEUE_URL names a queue that it does not feed or nobody reads',
    set('GatherFunction', 'Environment.Variables.WINDOW_QUEUE_URL', { Ref: 'WindowQueue' }),
  ],
];

describe('the comparison with the flow', () => {
  it.each([
    ['all stages', ALL],
    ['none', []],
    ['the session API', ['session-write', 'session-read', 'authorize']],
    ['everything up to detection', ALL.slice(0, 5)],
  ])('accepts %s', (_, present) => {
    expect(stageFaults(aService(present), FLOW)).toEqual([]);
  });

  it.each(FAULTS)('says of %s: %s', (resource, message, change) => {
    const service = aService();
    change(service.template as Parameters<Change>[0]);
    expect(stageFaults(service, FLOW)).toContainEqual({ rule: 'stageFaults', resource, message });
  });

  it('finds an entry point that is missing or not deployed', () => {
    const missing = stageFaults({ ...aService(), entries: ALL.filter((name) => name !== 'sweep') }, FLOW);
    expect(missing).toEqual([{ rule: 'stageFaults', resource: 'sweep', message: 'functions/sweep.ts is missing' }]);
    const early = stageFaults({ ...aService(['sweep']), entries: ['sweep', 'detect'] }, FLOW);
    expect(early).toEqual([{ rule: 'stageFaults', resource: 'detect', message: 'serverless.yml does not have it' }]);
  });

  it('finds a role without its function', () => {
    const service = aService(['sweep']);
    add('DetectRole', 'AWS::IAM::Role', {})(service.template as Parameters<Change>[0]);
    expect(stageFaults(service, FLOW).map(({ message }) => message)).toEqual([
      'DetectRole is there and the function is not',
    ]);
  });

  it('refuses sending to a queue that nobody reads', () => {
    const service = aService(ALL.filter((name) => name !== 'detect'));
    allow('SweepRole', { Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['WindowQueue', 'Arn'] } })(
      service.template as Parameters<Change>[0],
    );
    const message = 'it may send to WindowQueue, which it does not feed or nobody reads';
    expect(stageFaults(service, FLOW)).toEqual([{ rule: 'stageFaults', resource: 'sweep', message }]);
  });

  it('finds functions outside the flow', () => {
    const { template } = aService(['sweep']);
    add('Extra', 'AWS::Lambda::Function', { Handler: 'functions/extra.handler' })(template as Parameters<Change>[0]);
    expect(strangers({ template, entries: ['sweep', 'other'] }, FLOW)).toEqual(['other', 'extra']);
  });
});
