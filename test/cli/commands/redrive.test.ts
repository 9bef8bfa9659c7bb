import { PassThrough } from 'node:stream';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QUEUES } from '#lib/flow.ts';
import { type AwsActions, type AwsPeer, ok, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli, startCli } from '#test/support/cli.ts';

const FILTER = 'Logs_20140328.FilterLogEvents';
const START = 'AmazonSQS.StartMessageMoveTask';
const LIST = 'AmazonSQS.ListMessageMoveTasks';

interface Event {
  readonly timestamp: number;
  readonly message: string;
}

let aws: AwsPeer;
let sqs: SQSClient;
let events: Event[];
/** What the move task says, one answer a question; the last one stays. */
let tasks: object[];

const actions: AwsActions = {
  [FILTER]: ({ logGroupName, startTime, filterPattern, nextToken }) => {
    expect([logGroupName, filterPattern]).toEqual(['/aws/lambda/healer-prod-publish', '"record failed"']);
    const since = events.filter(({ timestamp }) => timestamp >= Number(startTime));
    const at = Number(nextToken ?? 0);
    return ok({ events: since.slice(at, at + 1), ...(at + 1 < since.length && { nextToken: String(at + 1) }) });
  },
};

beforeEach(async () => {
  events = [];
  tasks = [];
  aws = await startAwsPeer(actions);
  sqs = new SQSClient({ region: 'eu-central-1', useQueueUrlAsEndpoint: false });
  for (const queue of QUEUES) {
    for (const name of [queue, `${queue}-dead-letters`]) {
      await sqs.send(new CreateQueueCommand({ QueueName: `healer-prod-${name}` }));
    }
  }
});
afterEach(async () => {
  sqs.destroy();
  await aws.stop();
});

const bodiesIn = (name: string) => aws.store.getQueueByName(`healer-prod-${name}`)?.messages.map(({ body }) => body);

async function plant(body: string, queue = 'publication-dead-letters'): Promise<string> {
  const { MessageId = '' } = await sqs.send(
    new SendMessageCommand({ QueueUrl: `http://127.0.0.1/healer-prod-${queue}`, MessageBody: body }),
  );
  return MessageId;
}

const failure = (ids: object, message: string, timestamp = Date.now() + 1): Event => ({
  timestamp,
  message: JSON.stringify({ message: 'record failed', ...ids, error: { name: 'TypeError', message, stack: 'secret' } }),
});

const redrive = (...args: string[]) => cli(['redrive', ...args, '--stage', 'prod']);

describe('healer redrive', () => {
  it('says that there is nothing', async () => {
    expect(await redrive('publication')).toEqual({
      code: 0,
      stdout: 'healer-prod-publication-dead-letters is empty.\n',
      stderr: '',
    });
    expect(aws.names()).not.toContain(FILTER);
  });

  it('shows each letter with its last error, and without a terminal leaves them', async () => {
    const one = await plant('{"incident":"incident-1"}');
    const two = await plant('{"incident":"incident-2"}');
    const poison = await plant('no JSON');
    events = [
      failure({ message_id: one, incident: 'incident-1' }, 'the first'),
      failure({ message_id: one, incident: 'incident-1' }, `x is \u001b[31mnot\na function`, Date.now() + 5),
      failure({ message_id: 'another', incident: 'incident-2' }, 'by the incident'),
      { timestamp: Date.now() + 9, message: 'START {no JSON' },
    ];
    const { code, stdout, stderr } = await redrive('publication');
    expect(code).toBe(0);
    expect(stdout).toContain('3 dead letters in healer-prod-publication-dead-letters, which publish gave up on:');
    expect(stdout).toMatch(
      new RegExp(`incident incident-1\n    message ${one}, sent \\d+ s ago\n.*TypeError: x is \\[31mnot a function\n`),
    );
    expect(stdout).toMatch(new RegExp(`incident incident-2\n    message ${two}, .*\n.*TypeError: by the incident\n`));
    expect(stdout).toMatch(
      new RegExp(`cannot be read; it comes back.*\n    message ${poison}.*\n    the log of publish has no error`),
    );
    expect(stdout).not.toMatch(/secret|no JSON/);
    expect(stderr).toBe('Nothing was sent back; --yes does it.\n');
    // They lie there as before, visible to the next look.
    expect(bodiesIn('publication-dead-letters')).toHaveLength(3);
    expect(bodiesIn('publication')).toEqual([]);
  });

  it('shows the letters also when the log may not be read', async () => {
    await plant('{"incident":"incident-1"}');
    aws.refuse(FILTER, 'AccessDeniedException');
    const { code, stdout, stderr } = await redrive('publication');
    expect(code).toBe(0);
    expect(stdout).toContain('incident incident-1');
    expect(stderr).toContain('they need logs:FilterLogEvents on /aws/lambda/healer-prod-publish');
  });

  it('sends all back by hand where SQS knows no move tasks', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => `{"incident":"incident-${index}"}`);
    for (const body of bodies) await plant(body);
    const { code, stdout } = await redrive('publication', '--yes', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(stdout) as { messages: object[] };
    expect(told).toMatchObject({ queue: 'publication', dead_letters: 23, moved: 23 });
    expect(told.messages).toHaveLength(23);
    expect(told.messages[0]).toMatchObject({ message_id: expect.any(String), last_error: null });
    expect(bodiesIn('publication')?.toSorted()).toEqual(bodies.toSorted());
    expect(bodiesIn('publication-dead-letters')).toEqual([]);
  });

  it('looks only, with --json and without --yes', async () => {
    await plant('{"incident":"incident-1"}');
    const { stdout } = await redrive('publication', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ dead_letters: 1, moved: null, messages: [{ incident: 'incident-1' }] });
    expect(bodiesIn('publication')).toEqual([]);
  });

  it.each([
    ['y', ['{"incident":"incident-1"}'], 'Sent back: 1.'],
    ['n', [], 'Nothing was sent back.'],
  ])('asks a person at a terminal, who says %s', async (typed, moved, told) => {
    await plant('{"incident":"incident-1"}');
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const run = startCli(['redrive', 'publication', '--stage', 'prod'], {}, stdin);
    await vi.waitUntil(() => run.stderr().includes('Send them back to publication?'), { timeout: 10_000 });
    expect(run.stdout()).toContain('incident incident-1');
    stdin.write(`${typed}\r`);
    expect(await run.code).toBe(0);
    await vi.waitFor(() => expect(run.stdout() + run.stderr()).toContain(told));
    expect(bodiesIn('publication')).toEqual(moved);
  });

  it('tells the namespace of a window', async () => {
    await plant('{"source":"loki","namespace":"cto"}', 'window-dead-letters');
    aws.refuse(FILTER, 'ResourceNotFoundException');
    const { stdout, stderr } = await redrive('window');
    expect(stdout).toContain('which detect gave up on');
    expect(stdout).toContain('namespace cto');
    expect(stderr).toContain('there is no log /aws/lambda/healer-prod-detect in eu-central-1');
  });
});

describe('a move task of SQS', () => {
  const withTasks: AwsActions = {
    ...actions,
    [START]: ({ SourceArn }) => {
      expect(SourceArn).toMatch(/:healer-prod-publication-dead-letters$/);
      return ok({ TaskHandle: 'task' });
    },
    [LIST]: () => ok({ Results: [tasks.length > 1 ? tasks.shift() : tasks[0]].filter(Boolean) }),
  };

  beforeEach(async () => {
    await aws.stop();
    aws = await startAwsPeer(withTasks);
    sqs = new SQSClient({ region: 'eu-central-1', useQueueUrlAsEndpoint: false });
    for (const name of ['publication', 'publication-dead-letters']) {
      await sqs.send(new CreateQueueCommand({ QueueName: `healer-prod-${name}` }));
    }
    await plant('{"incident":"incident-1"}');
  });

  it('is started and watched to its end', async () => {
    const moving = { ApproximateNumberOfMessagesMoved: 0, ApproximateNumberOfMessagesToMove: 1 };
    tasks = [
      { ...moving, Status: 'RUNNING' },
      { ...moving, Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 },
    ];
    const { code, stdout } = await redrive('publication', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Sent back: 1.');
    expect(aws.names().filter((name) => name === LIST)).toHaveLength(2);
    expect(aws.names()).not.toContain('AmazonSQS.SendMessageBatch');
  });

  it('that failed is told with its reason', async () => {
    tasks = [{ Status: 'FAILED', FailureReason: 'AccessDenied', ApproximateNumberOfMessagesMoved: 0 }];
    const { code, stderr } = await redrive('publication', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'SQS stopped sending back from healer-prod-publication-dead-letters after 0 (AccessDenied)',
    );
  });

  it('that may not be started is a sentence, and nothing is sent by hand', async () => {
    aws.refuse(START, 'AccessDenied');
    const { code, stderr } = await redrive('publication', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('they need sqs:GetQueueUrl');
    expect(bodiesIn('publication')).toEqual([]);
  });
});

describe('wrong words', () => {
  it.each([
    [[], 'say which queue, one of window, evidence, evaluation, publication, remediation'],
    [['publish'], 'say which queue'],
    [['publication', 'evidence'], 'say which queue'],
    [['publication', '--stage', 'Prod!'], 'stage'],
    [['publication', '--region', 'here'], '--region must be a region of AWS'],
    [['publication', '--force'], '--force'],
  ])('of %j are told', async (args, sentence) => {
    const { code, stderr } = await cli(['redrive', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(aws.asked.filter(({ headers }) => !String(headers['x-amz-target']).endsWith('CreateQueue'))).toEqual([]);
  });

  it('name the stage that does not exist', async () => {
    const { code, stderr } = await cli(['redrive', 'publication', '--stage', 'other']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no queue healer-other-publication-dead-letters in eu-central-1');
  });
});
