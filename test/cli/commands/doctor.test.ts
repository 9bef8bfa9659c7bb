import { join } from 'node:path';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APP_EVENTS, APP_PERMISSIONS } from '#lib/app/app-permissions.ts';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import type { LogsSight } from '#lib/domain/probe.ts';
import { QUEUES } from '#lib/flow.ts';
import type { GitHubOptions } from '#lib/local/github/options.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anEmbeddedGitHub } from '#test/contracts/github/peers.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { type AwsStage, anAwsStage, STAGE_API, stageActions } from '#test/support/aws-stage.ts';
import { cli } from '#test/support/cli.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

/** On a busy machine. */
const PATIENT = { timeout: 30_000 };

interface Line {
  readonly check: string;
  readonly state: string;
  readonly seen: string;
  readonly advice: string | null;
}

let stage: AwsStage;
let store: ParameterStore;
let aws: AwsPeer;
let github: EmbeddedGitHub;
let receiver: HttpPeer;
let webhookAnswers: number;
let place: ReturnType<typeof aStageFolder>;

async function openGitHub(options: Partial<GitHubOptions> = {}): Promise<void> {
  github = await anEmbeddedGitHub({
    webhook: { url: `${STAGE_API}/api/v1/webhooks/github`, secret: 'x'.repeat(32), deliverTo: receiver.url },
    ...options,
  });
  store.put('/healer/prod/github-app-id', github.appId);
  store.put('/healer/prod/github-app-key', github.privateKey);
  store.put('/healer/prod/github-webhook-secret', 'x'.repeat(32));
  place?.remove();
  inStage();
}

const inStage = (overrides: Partial<DeploymentInput> = {}): void =>
  void (place = aStageFolder({
    repositories: { allowed: ['acme/*'] },
    loki: { url: 'https://loki.example.com', tenant: 'team-a' },
    github: { apiUrl: github.url, webUrl: github.url },
    ...overrides,
  }));

beforeEach(async () => {
  webhookAnswers = 200;
  receiver = await aHttpPeer((response) => void response.writeHead(webhookAnswers).end());
  stage = anAwsStage();
  store = aParameterStore();
  aws = await startAwsPeer({ ...store.actions, ...stageActions(stage) });
  for (const queue of QUEUES) await sqs((client) => client.send(new CreateQueueCommand({ QueueName: deadOf(queue) })));
  await openGitHub();
});
afterEach(async () => {
  place.remove();
  await Promise.all([github.stop(), aws.stop(), receiver.stop()]);
});

const deadOf = (queue: string) => `healer-prod-${queue}-dead-letters`;

async function sqs<T>(work: (client: SQSClient) => Promise<T>): Promise<T> {
  const client = new SQSClient({ region: 'eu-central-1', useQueueUrlAsEndpoint: false });
  return work(client).finally(() => client.destroy());
}

const doctor = (...args: string[]) => cli(['doctor', '--stage', 'prod', '--folder', place.folder, ...args]);

async function examine() {
  const { code, stdout } = await doctor('--json');
  const report = JSON.parse(stdout) as { ok: boolean; checks: Line[] };
  return { code, ...report, wrong: report.checks.filter(({ state }) => state === 'wrong') };
}

/** The one thing that is wrong, with the exit code 1. */
async function fault(): Promise<Line> {
  const { code, wrong, checks } = await examine();
  expect([code, wrong.length, checks.filter(({ state }) => state === 'unknown')]).toEqual([1, 1, []]);
  return wrong[0] as Line;
}

describe('healer doctor of a stage that is well', () => {
  it('says so of each thing, and ends with 0', async () => {
    const { code, ok, checks } = await examine();
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect([code, ok]).toEqual([0, true]);
    expect([...new Set(checks.map(({ check }) => check))]).toEqual([
      'stack',
      'functions',
      'schedule',
      'last sweep',
      'queues',
      'dead letters',
      'secrets',
      'Loki',
      'Loki selector',
      'Kubernetes',
      'clock',
      'GitHub App',
      'installations',
      'webhook',
      'models',
    ]);
    const { stdout, code: again } = await doctor();
    expect(again).toBe(0);
    expect(stdout).toMatch(/^ok +stack +healer-prod is UPDATE_COMPLETE since 2026-11-30 09:30 \(eu-central-1\)$/m);
    expect(stdout).toMatch(/^ok +last sweep +\d+ s ago: active 2, resent 0$/m);
    expect(stdout).not.toMatch(/PRIVATE KEY|xxxxxxxx/);
  });

  it('changes nothing', async () => {
    await examine();
    expect(github.requests().every(({ method }) => method === 'GET')).toBe(true);
    expect(
      aws.names().filter((name) => /Put|Update|Delete|Send|Create/.test(name) && !name.endsWith('CreateQueue')),
    ).toEqual([]);
    expect(stage.probes).toEqual([{ name: 'detect', event: { healer: 'probe', namespaces: [] } }]);
  });
});

describe('healer doctor of a stage in which something is wrong', () => {
  it.each([
    ['ROLLBACK_COMPLETE', 'serverless remove --stage prod'],
    ['UPDATE_ROLLBACK_COMPLETE', 'was undone'],
    ['UPDATE_IN_PROGRESS', 'under way'],
    ['DELETE_FAILED', 'what failed'],
  ])('the stack: %s', async (status, advice) => {
    stage.status = status;
    expect(await fault()).toMatchObject({ check: 'stack', advice: expect.stringContaining(advice) });
  });

  it('no stack, and then what is on GitHub and in the store all the same', async () => {
    stage.status = undefined;
    const line = await fault();
    expect(line).toMatchObject({ check: 'stack', advice: expect.stringContaining('serverless deploy --stage prod') });
    expect((await examine()).checks.map(({ check }) => check)).toEqual([
      'stack',
      'secrets',
      'GitHub App',
      'installations',
      'webhook',
    ]);
  });

  it.each<[string, () => void, string]>([
    ['one is gone', () => void stage.functions.delete('gather'), 'gather is not there'],
    [
      'one cannot run',
      () => void stage.functions.set('publish', { State: 'Failed', StateReason: 'KMS', Role: 'x' }),
      'publish is Failed (KMS)',
    ],
    [
      'one has the role of another',
      () => void stage.functions.set('evaluate', { ...stage.functions.get('publish')!, State: 'Active' }),
      'evaluate runs with the role healer-prod-PublishRole',
    ],
  ])('functions: %s', async (_, spoil, seen) => {
    spoil();
    expect(await fault()).toMatchObject({ check: 'functions', seen: expect.stringContaining(seen) });
  });

  it.each<[string, () => void, string, string]>([
    ['off', () => void (stage.schedule!.State = 'DISABLED'), 'DISABLED', 'healer resume --stage prod'],
    ['astray', () => void (stage.schedule!.Target.Arn = 'arn:aws:lambda:x'), 'something else', 'serverless deploy'],
    ['gone', () => void (stage.schedule = undefined), 'no schedule', 'serverless deploy'],
  ])('the schedule: %s', async (_, spoil, seen, advice) => {
    spoil();
    expect(await fault()).toMatchObject({
      check: 'schedule',
      seen: expect.stringContaining(seen),
      advice: expect.stringContaining(advice),
    });
  });

  it.each([
    [[], 'none within 5 minutes', '#sweep-silent'],
    [
      [{ secondsAgo: 20, line: JSON.stringify({ level: 'ERROR', message: 'Task failed' }) }],
      'it failed: Task failed',
      '#sweep-errors',
    ],
  ])('the last sweep: %j', async (log, seen, advice) => {
    stage.log = log;
    expect(await fault()).toMatchObject({ check: 'last sweep', seen, advice: expect.stringContaining(advice) });
  });

  it('the last sweep is known to have run where the log level hides its line', async () => {
    stage.log = [{ secondsAgo: 30, line: 'REPORT RequestId: 1 Duration: 20 ms' }];
    expect((await examine()).code).toBe(0);
  });

  it.each([
    ['Disabled', 'its mapping is Disabled', 'healer resume --stage prod'],
    [undefined, 'nothing feeds evaluate', 'serverless deploy --stage prod'],
  ])('a mapping: %s', async (state, seen, advice) => {
    if (state === undefined) stage.mappings.delete('evaluation');
    else stage.mappings.set('evaluation', state);
    expect(await fault()).toMatchObject({
      check: 'queues',
      seen: expect.stringContaining(seen),
      advice: expect.stringContaining(advice),
    });
  });

  it('dead letters', async () => {
    await sqs((client) =>
      client.send(
        new SendMessageCommand({ QueueUrl: `${aws.url}/000000000000/${deadOf('publication')}`, MessageBody: '{}' }),
      ),
    );
    const line = await fault();
    expect(line).toMatchObject({ check: 'dead letters', seen: '1 of the publication queue' });
    expect(line.advice).toContain('npx healer redrive publication --stage prod');
  });

  it.each<[string, Partial<DeploymentInput>, () => void, string, string]>([
    [
      'missing',
      { loki: { url: 'https://loki.example.com', tenant: 'team-a', user: 'healer' } },
      () => {},
      'loki-password is missing',
      'npx healer secret set loki-password --stage prod',
    ],
    [
      'unencrypted',
      {},
      () => store.put('/healer/prod/github-webhook-secret', 'x'.repeat(32), 'String'),
      'not encrypted',
      '--force',
    ],
  ])('secrets: %s', async (_, overrides, spoil, seen, advice) => {
    place.remove();
    inStage(overrides);
    spoil();
    expect(await fault()).toMatchObject({
      check: 'secrets',
      seen: expect.stringContaining(seen),
      advice: expect.stringContaining(advice),
    });
  });

  it.each<[string, Partial<LogsSight>, string, string]>([
    [
      'away',
      { trouble: { reason: 'Nothing listens at the Loki address (loki:3100)', advice: 'Check that Loki runs.' } },
      'Loki',
      'Check that Loki runs.',
    ],
    ['empty', { labels: [] }, 'Loki', 'loki.tenant'],
    [
      'without a label of the selector',
      { unknownLabels: ['ns'] },
      'Loki selector',
      'labels that it has: namespace, pod',
    ],
    [
      'with a selector that matches nothing',
      { namespaces: [{ name: 'cto', isMatched: false }] },
      'Loki selector',
      'Loki knows: cto',
    ],
    ['with pods under another name', { hasPodLabel: false }, 'Loki pods', 'loki.podLabel'],
  ])('Loki: %s', async (_, sight, check, advice) => {
    stage.sources = { ...stage.sources, logs: { ...stage.sources.logs, ...sight } };
    expect(await fault()).toMatchObject({ check, advice: expect.stringContaining(advice) });
  });

  it('Kubernetes: a right is missing, or it is away', async () => {
    place.remove();
    inStage({ kubernetes: { url: 'https://10.0.0.1:6443', namespaces: ['cto'] } });
    store.put('/healer/prod/kubernetes-token', 'token');
    const unread = [
      { resource: 'pods', reason: 'Kubernetes answered 403 for pods', advice: 'Grant the service account the right' },
    ];
    stage.sources = { ...stage.sources, cluster: { trouble: null, namespaces: [{ name: 'cto', unread }] } };
    expect(await fault()).toMatchObject({ check: 'Kubernetes', seen: 'in cto: Kubernetes answered 403 for pods' });
    const trouble = { reason: 'Kubernetes did not answer in time', advice: 'Check that its port is open.' };
    stage.sources = { ...stage.sources, cluster: { trouble, namespaces: [] } };
    expect(await fault()).toMatchObject({ check: 'Kubernetes', advice: 'Check that its port is open.' });
    expect(stage.probes[0]?.event).toEqual({ healer: 'probe', namespaces: ['cto'] });
  });

  it.each([
    [-90_000, 'behind'],
    [90_000, 'ahead of'],
  ])('the clock: %d ms', async (ms, word) => {
    stage.sources = { ...stage.sources, at: Date.now() + ms };
    expect(await fault()).toMatchObject({ check: 'clock', seen: expect.stringContaining(word) });
  });

  it('a model: no answer, or deployed without it', async () => {
    const prices = { inputUsdPerMillion: 1, outputUsdPerMillion: 4 };
    place.remove();
    inStage({ models: { evaluation: { name: 'm-1', ...prices }, remediation: { name: 'm-2', ...prices } } });
    store.put('/healer/prod/openai-key-evaluation', 'k');
    store.put('/healer/prod/openai-key-remediation', 'k');
    const trouble = { reason: "The model's endpoint answered 401.", advice: 'Store a valid key.' };
    stage.models.set('evaluate', { at: 0, model: { name: 'm-1', trouble } });
    stage.models.set('remediate', { at: 0, model: { name: 'm-2', trouble: null } });
    expect(await fault()).toMatchObject({ check: 'model evaluation', advice: 'Store a valid key.' });
    for (const [deployed, seen] of [
      [null, 'without a model; the file names m-1'],
      [{ name: 'm-0', trouble: null }, 'with m-0; the file names m-1'],
    ] as const) {
      stage.models.set('evaluate', { at: 0, model: deployed });
      expect(await fault()).toMatchObject({ check: 'model evaluation', seen: expect.stringContaining(seen) });
    }
  });

  it('the file, which says what is not deployed yet', async () => {
    place.remove();
    inStage({ loki: { url: 'https://loki.example.com', tenant: 'team-b' } });
    expect(await fault()).toMatchObject({
      check: 'file',
      seen: expect.stringContaining('loki.tenant of healer.prod.yml'),
    });
  });
});

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

/** The one thing of which it is too early to say, with the exit code 2. */
async function early(): Promise<Line> {
  const { code, checks } = await examine();
  const others = checks.filter(({ state }) => state !== 'ok');
  expect([code, others.map(({ state }) => state)]).toEqual([2, ['unknown']]);
  return others[0] as Line;
}

describe('healer doctor of a stage that is about to work', () => {
  beforeEach(() => {
    stage.log = [];
  });

  it.each<[string, () => void, RegExp]>([
    [
      'made',
      () => Object.assign(stage, { status: 'CREATE_COMPLETE', createdAt: ago(40), updatedAt: undefined }),
      /^none since the deployment that began 4\d s ago$/,
    ],
    ['updated', () => void (stage.updatedAt = ago(280)), /^none since the deployment that began 28\d s ago$/],
    [
      'switched on again',
      () => void (stage.schedule!.LastModificationDate = Date.parse(ago(20)) / 1000),
      /^none since the schedule was switched on 2\d s ago$/,
    ],
  ])('waits for the first sweep of one that was %s', async (_, change, seen) => {
    change();
    expect(await early()).toMatchObject({
      check: 'last sweep',
      seen: expect.stringMatching(seen),
      advice: expect.stringContaining('within a minute'),
    });
  });

  it('waits for it also where the sweep failed before the deployment', async () => {
    stage.updatedAt = ago(60);
    stage.log = [{ secondsAgo: 90, line: JSON.stringify({ level: 'ERROR', message: 'Task failed' }) }];
    expect(await early()).toMatchObject({ check: 'last sweep' });
    stage.log = [{ secondsAgo: 30, line: JSON.stringify({ level: 'ERROR', message: 'Task failed' }) }];
    expect(await fault()).toMatchObject({ check: 'last sweep', seen: 'it failed: Task failed' });
  });

  it.each<[string, () => void]>([
    ['the deployment is older than that', () => void (stage.updatedAt = ago(310))],
    [
      'the schedule rests',
      () => {
        stage.updatedAt = ago(30);
        stage.schedule!.State = 'DISABLED';
      },
    ],
  ])('does not wait where %s', async (_, change) => {
    change();
    const { code, wrong } = await examine();
    expect(code).toBe(1);
    expect(wrong.find(({ check }) => check === 'last sweep')?.seen).toBe('none within 5 minutes');
  });

  it('waits where the schedule may not be looked at, too', async () => {
    stage.updatedAt = ago(30);
    aws.refuse('GET /schedules/healer-prod-sweep', 'AccessDeniedException');
    const { code, wrong } = await examine();
    expect([code, wrong]).toEqual([2, []]);
  });

  it.each<[string, () => void, string]>([
    ['a queue that is being switched on', () => void stage.mappings.set('evidence', 'Enabling'), 'queues'],
    ['a function that is made ready', () => void (stage.functions.get('detect')!.State = 'Pending'), 'functions'],
  ])('says that it is too early to say: %s', async (_, change, check) => {
    stage.log = anAwsStage().log;
    change();
    expect(await early()).toMatchObject({ check, advice: expect.stringContaining('ask again in a minute') });
  });
});

describe('healer doctor of a stage without its file', () => {
  const without = (...args: string[]) =>
    cli(['doctor', '--stage', 'prod', '--folder', join(place.folder, 'nowhere'), ...args]);

  beforeEach(() => {
    for (const name of ['evaluate', 'remediate']) stage.models.set(name, { at: 0, model: null });
  });

  it('says so, and looks at what needs none', async () => {
    stage.models.set('evaluate', { at: 0, model: { name: 'm-1', trouble: null } });
    const { code, stdout, stderr } = await without('--json');
    expect([code, stderr]).toEqual([2, '']);
    const { checks } = JSON.parse(stdout) as { checks: Line[] };
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([
      {
        check: 'file',
        state: 'unknown',
        seen: expect.stringMatching(/^there is no healer\.prod\.yml in .*\/nowhere: npx healer init --stage prod/),
        advice: expect.stringContaining('--folder'),
      },
    ]);
    expect(checks.map(({ check }) => check)).toEqual([
      'file',
      'stack',
      'functions',
      'schedule',
      'last sweep',
      'queues',
      'dead letters',
      'Loki',
      'Loki selector',
      'Kubernetes',
      'clock',
      'model evaluation',
      'model remediation',
    ]);
    expect(aws.names().filter((name) => name.startsWith('AmazonSSM'))).toEqual([]);
  });

  it('still says what is wrong, and how to go on in that region', async () => {
    stage.schedule!.State = 'DISABLED';
    const { code, stdout } = await without('--region', 'us-east-1');
    expect(code).toBe(1);
    expect(stdout).toContain('npx healer resume --stage prod --region us-east-1');
  });

  it('says both in one sentence where there is no stack either', async () => {
    stage.status = undefined;
    const { code, stdout, stderr } = await without('--region', 'us-east-1');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^healer: there is no healer\.prod\.yml in .*nowhere: npx healer init .*; nor is there the stack healer-prod in us-east-1: .*--region\n$/,
    );
  });

  it('says both in one sentence where AWS cannot be asked either', async () => {
    stage.refusal = 'ExpiredToken';
    const { code, stdout, stderr } = await without();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/there is no healer\.prod\.yml .*; nor can the stack healer-prod .* have expired/);
  });

  it('does the same where the file is wrong', async () => {
    place.remove();
    inStage({ logLevel: 'loud' as 'info' });
    const { code, wrong, checks } = await examine();
    expect(code).toBe(1);
    expect(checks.filter(({ state }) => state === 'unknown')).toEqual([]);
    expect(wrong).toMatchObject([
      { check: 'file', seen: 'healer.prod.yml has 1 fault', advice: expect.stringContaining('npx healer config') },
    ]);
    expect(checks.map(({ check }) => check)).toContain('last sweep');
  });
});

describe('healer doctor of a stage that hears no events', () => {
  beforeEach(() => void store.parameters.delete('/healer/prod/github-webhook-secret'));

  it.each([[null], ['https://healer.invalid/api/v1/webhooks/github']])(
    'says what that costs, and is content: the App sends them to %j',
    async (url) => {
      await github.stop();
      await openGitHub({ webhook: url === null ? undefined : { url, secret: 'y', deliverTo: receiver.url } });
      store.parameters.delete('/healer/prod/github-webhook-secret');
      const { code, ok, checks } = await examine();
      expect([code, ok]).toEqual([0, true]);
      expect(checks.filter(({ advice }) => advice !== null)).toMatchObject([
        {
          check: 'secrets',
          state: 'ok',
          seen: expect.stringMatching(
            /^github-webhook-secret is not set: events of GitHub are not heard; .* by looking/,
          ),
          advice: expect.stringContaining('npx healer secret set github-webhook-secret --stage prod'),
        },
        { check: 'webhook', state: 'ok', advice: expect.stringContaining('npx healer setup github --webhook') },
      ]);
    },
  );

  it('is not, where GitHub sends them all the same', async () => {
    expect(await fault()).toMatchObject({
      check: 'webhook',
      seen: expect.stringContaining('each is refused'),
      advice: expect.stringContaining('npx healer setup github --webhook'),
    });
  });
});

describe('healer doctor of the GitHub App', () => {
  const reopen = async (options: Partial<GitHubOptions>) => {
    await github.stop();
    await openGitHub(options);
  };

  it.each([
    [{ ...APP_PERMISSIONS, issues: 'read' }, 'too few permissions: issues is read, must be write'],
    [{ ...APP_PERMISSIONS, workflows: 'write' }, 'too many permissions: workflows is write, none is enough'],
    [{ ...APP_PERMISSIONS, checks: 'write' }, 'too many permissions: checks is write, read is enough'],
  ] as const)('with other permissions', async (appPermissions, seen) => {
    await reopen({ appPermissions });
    expect(await fault()).toMatchObject({ check: 'GitHub App', seen, advice: expect.stringContaining('/apps/healer') });
  });

  it.each([
    [['acme/*', 'other/*'], 'the App is not installed on other'],
    [['acme/*', 'acme/unknown'], 'the App cannot see acme/unknown'],
  ])('that lacks an installation: %j', async (allowed, seen) => {
    place.remove();
    inStage({ repositories: { allowed } });
    expect(await fault()).toMatchObject({
      check: 'installations',
      seen,
      advice: expect.stringContaining('installations/new'),
    });
  });

  it('whose events go elsewhere, or are not taken', async () => {
    await reopen({ webhook: { url: 'https://old.example.com/hook', secret: 'y', deliverTo: receiver.url } });
    const command = 'npx healer setup github --webhook --stage prod';
    expect(await fault()).toMatchObject({
      check: 'webhook',
      seen: expect.stringContaining('https://old.example.com/hook'),
      advice: expect.stringContaining(command),
    });
    await reopen({});
    const write = async () => github.asAdmin('POST', '/repos/acme/shop/issues', { title: 'an event' });
    await write();
    await expect.poll(() => receiver.asked.length, PATIENT).toBe(1);
    expect((await examine()).checks.find(({ check }) => check === 'webhook')?.seen).toContain(
      'the last event was taken: issues',
    );
    webhookAnswers = 401;
    await write();
    await expect.poll(() => receiver.asked.length, PATIENT).toBe(2);
    await expect.poll(async () => (await examine()).code, PATIENT).toBe(1);
    expect(await fault()).toMatchObject({
      check: 'webhook',
      seen: expect.stringContaining('401'),
      advice: expect.stringContaining(command),
    });
  });

  it('against whose clock this machine is off', async () => {
    const answers: Readonly<Record<string, object>> = {
      '/app': { slug: 'h', name: 'h', html_url: 'https://x', permissions: APP_PERMISSIONS, events: APP_EVENTS },
      '/app/installations': [{ id: 1, account: { login: 'Acme' }, permissions: APP_PERMISSIONS }],
      '/app/hook/config': { url: `${STAGE_API}/api/v1/webhooks/github` },
      '/app/hook/deliveries': [],
    };
    const peer = await aHttpPeer((response, { path }) => {
      const date = new Date(Date.now() + 300_000).toUTCString();
      response.writeHead(200, { date, 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[path.split('?')[0] ?? '']));
    });
    place.remove();
    inStage({ github: { apiUrl: peer.url } });
    expect(await fault()).toMatchObject({
      check: 'clock',
      seen: expect.stringMatching(/GitHub's clock is (299|300) s ahead/),
    });
    await peer.stop();
  });

  it('that is not set up, or may not be looked at, is unknown: 2', async () => {
    aws.refuse('AmazonSSM.GetParameter', 'AccessDeniedException');
    const denied = await examine();
    expect([denied.code, denied.wrong]).toEqual([2, []]);
    expect(denied.checks.find(({ check }) => check === 'GitHub App')?.seen).toContain('ssm:GetParameter');
    github.faults.add({ kind: 'disconnect', path: /^\/app/ });
    aws.refuse('AmazonSSM.GetParameter', undefined);
    expect((await examine()).code).toBe(2);
  });
});

describe('healer doctor that cannot ask', () => {
  it.each([
    ['ExpiredToken', 'have expired'],
    ['AccessDenied', 'cloudformation:DescribeStacks'],
  ])('%s: one sentence, and 2', async (name, sentence) => {
    stage.refusal = name;
    const { code, stdout, stderr } = await doctor();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  it('a part of it: what is missing, the rest all the same, and 2', async () => {
    aws.refuse('Logs_20140328.FilterLogEvents', 'AccessDeniedException');
    const { code, checks } = await examine();
    expect(code).toBe(2);
    expect(checks.find(({ check }) => check === 'last sweep')).toMatchObject({
      state: 'unknown',
      seen: expect.stringContaining('logs:FilterLogEvents'),
    });
    expect(checks.find(({ check }) => check === 'dead letters')?.state).toBe('ok');
  });

  it('a function that fails, or is of another version', async () => {
    stage.failures.set('detect', { errorType: 'ConfigError', errorMessage: 'LOKI_URL must be the address of Loki' });
    const failed = await examine();
    expect([failed.code, failed.checks.find(({ check }) => check === 'Loki')?.seen]).toEqual([
      1,
      'detect failed: ConfigError: LOKI_URL must be the address of Loki',
    ]);
    stage.failures.clear();
    stage.sources = { batchItemFailures: [] } as never;
    expect(await fault()).toMatchObject({
      check: 'Loki',
      advice: expect.stringContaining('serverless deploy --stage prod'),
    });
  });
});
