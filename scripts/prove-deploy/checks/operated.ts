import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { type Check, must, until } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { STAGE } from '../service.ts';
import { listIssues } from './looped.ts';
import { clientOf, countLines } from './watched.ts';

async function urlOf({ sqs }: Deployment, queue: string): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: `healer-${STAGE}-${queue}` }));
  return QueueUrl;
}

async function visibleIn(deployment: Deployment, queue: string): Promise<number> {
  const QueueUrl = await urlOf(deployment, queue);
  const AttributeNames = ['ApproximateNumberOfMessages'] as const;
  const { Attributes = {} } = await deployment.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
  );
  return Number(Attributes.ApproximateNumberOfMessages);
}

async function send(deployment: Deployment, queue: string, MessageBody: string): Promise<void> {
  await deployment.sqs.send(new SendMessageCommand({ QueueUrl: await urlOf(deployment, queue), MessageBody }));
}

/** How long a message that failed stays hidden; a poison one is a dead letter the sooner. */
async function hideFor(deployment: Deployment, queue: string, seconds: number): Promise<void> {
  const QueueUrl = await urlOf(deployment, queue);
  const Attributes = { VisibilityTimeout: String(seconds) };
  await deployment.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}

interface Letters {
  readonly dead_letters: number;
  readonly moved: number | null;
  readonly messages: readonly {
    readonly unreadable?: boolean;
    readonly last_error: { readonly error: string } | null;
  }[];
}

const redrive = async ({ service }: Deployment, ...words: readonly string[]): Promise<Letters> =>
  JSON.parse(await service.healer('redrive', 'publication', '--json', ...words)) as Letters;

/** Functions that leave a line about each incident that they worked on. */
const TRAIL = ['detect', 'gather', 'evaluate', 'publish'];
/** As infra/queues.yml has it. */
const HIDDEN_SECONDS = 360;
const POISON = 'planted: no JSON';
/** Longer than a queue takes to hand a message over. */
const QUIET_MS = 6_000;

/** What an operator does with a stage that works. */
export const OPERATED: readonly Check[] = [
  {
    name: 'the footer of an issue leads to the lines of each function',
    functions: TRAIL,
    advice: 'lib/edge logs the id of the incident with each record; docs/operate.md, "From an issue to the log".',
    async run(deployment) {
      const [issue] = await listIssues(deployment);
      const id = /Healer incident `([0-9a-f]{32})`/.exec(issue?.body ?? '')?.[1];
      must(id !== undefined, 'the issue names no incident');
      const client = new CloudWatchLogsClient(clientOf(deployment));
      const counts = TRAIL.map(async (name) => {
        const lines = await countLines(client, `/aws/lambda/healer-${STAGE}-${name}`, id);
        must(lines > 0, `the log of ${name} has no line about ${id}`);
        return `${name} ${lines}`;
      });
      const told = await Promise.all(counts);
      client.destroy();
      return `${id}: ${told.join(', ')}`;
    },
  },
  {
    name: 'healer smoke sees a marked play through',
    functions: ['session-write', 'session-read', 'detect', 'sweep'],
    advice: 'The step that failed says what to do.',
    async run({ service, api }) {
      const printed = await service.healer('smoke', '--url', api.address(''), '--json');
      const { ok, steps } = JSON.parse(printed) as { ok: boolean; steps: readonly { step: string; seconds: number }[] };
      must(ok, printed);
      const { body } = await api.ask('GET', '/api/v1/sessions/active');
      must((JSON.parse(body) as { count: number }).count === 0, `a session is left: ${body}`);
      const tokens = JSON.parse(await service.healer('token', 'list', '--json')) as {
        tokens: readonly { name: string }[];
      };
      must(
        tokens.tokens.every(({ name }) => name !== 'smoke'),
        'a token is left',
      );
      return steps.map(({ step, seconds }) => `${step} ${seconds} s`).join(', ');
    },
  },
  {
    name: 'healer pause lets the stage rest',
    functions: ['gather'],
    advice: 'Schedule and event source mappings must be off: lib/cli/pause/switches.ts.',
    async run(deployment) {
      const { service, api } = deployment;
      const printed = await service.healer('pause', '--json');
      const { switches } = JSON.parse(printed) as { switches: readonly { name: string; on: boolean }[] };
      must(switches.length === 6 && switches.every(({ on }) => !on), printed);
      await send(deployment, 'evidence', '{"incident":"planted"}');
      await sleep(QUIET_MS);
      must((await visibleIn(deployment, 'evidence')) === 1, 'the message was taken');
      const refused = await service.healer('smoke', '--url', api.address('')).then(
        () => '',
        (error: Error) => error.message,
      );
      must(refused.includes('the stage is paused: sweep, window'), `smoke said ${refused}`);
      return `${switches.map(({ name }) => name).join(', ')} are off, a message waits`;
    },
  },
  {
    name: 'healer resume lets it go on',
    functions: ['gather'],
    advice: 'What waited must be worked off: the mappings of the queues are on again.',
    async run(deployment) {
      const printed = await deployment.service.healer('resume', '--json');
      must(!(JSON.parse(printed) as { paused: boolean }).paused, printed);
      return until(60, async () => {
        must((await visibleIn(deployment, 'evidence')) === 0, 'the message still waits');
        return 'all are on, the message was taken';
      });
    },
  },
  {
    name: 'healer redrive says why a poison message died, and sends it back',
    functions: ['publish'],
    advice: 'The reason stands in the log of publish, under the id of the message.',
    async run(deployment) {
      await hideFor(deployment, 'publication', 1);
      await send(deployment, 'publication', POISON);
      const dead = () =>
        until(90, async () => {
          const letters = await redrive(deployment);
          must(letters.dead_letters === 1, `there are ${letters.dead_letters} dead letters`);
          return letters;
        });
      const [letter] = (await dead()).messages;
      const reason = letter?.last_error?.error;
      must(letter?.unreadable === true && reason?.includes('not JSON') === true, `it says ${JSON.stringify(letter)}`);
      const { moved } = await redrive(deployment, '--yes');
      must(moved === 1, `${moved} were sent back`);
      await dead();
      await hideFor(deployment, 'publication', HIDDEN_SECONDS);
      await deployment.sqs.send(
        new PurgeQueueCommand({ QueueUrl: await urlOf(deployment, 'publication-dead-letters') }),
      );
      return `${reason}; sent back, it died again`;
    },
  },
];
