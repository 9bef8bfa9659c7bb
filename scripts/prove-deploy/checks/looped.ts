import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { QUEUES } from '#lib/flow.ts';
import { type Check, must, until } from '../check.ts';
import { type Deployment, REPOSITORY } from '../deployment.ts';
import { playLive } from '../play-live.ts';
import { PLAYS } from '../plays.ts';
import { STAGE } from '../service.ts';

/** The sweep's own line about a pass that saw all plays. */
const PASS = /"message":"pass finished".*"result":(\{[^}]*\})/g;
const PATH_TO_ISSUE = ['detect', 'gather', 'evaluate', 'publish', 'github-token'];

const wrong = PLAYS.flatMap((play) => (play.expected === null ? [] : [{ ...play, expected: play.expected }]));
const healthy = PLAYS.filter(({ expected }) => expected === null);
const idOf = (play: (typeof PLAYS)[number]): string => play.announcement.play_id;

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly user: { readonly login: string };
  readonly html_url: string;
}

export async function listIssues({ github }: Deployment): Promise<readonly Issue[]> {
  const { data } = await github.asAdmin('GET', `/repos/${REPOSITORY}/issues?state=all&per_page=100`);
  return (data as readonly (Issue & { pull_request?: unknown })[]).filter(({ pull_request: pull }) => !pull);
}

const becomesAnIssue = (play: (typeof wrong)[number]): Check => ({
  name: `${play.name} becomes an issue`,
  functions: PATH_TO_ISSUE,
  advice:
    'The first function of the list without a line about the incident is where it stopped: its role, or its queue.',
  run: async ({ api }) =>
    until(180, async () => {
      const { session, healer } = await api.session(idOf(play));
      const { state, reason } = healer.coverage;
      const [incident] = (await api.incidents()).filter(({ id }) => healer.incidents.some((one) => one.id === id));
      must(incident !== undefined, `no incident; the logs are ${state}${reason === null ? '' : ` (${reason})`}`);
      const { code, severity } = incident;
      must(code === play.expected.code && severity === play.expected.severity, `it is ${code} ${severity}`);
      must(incident.issue_url !== null, `${incident.id} is ${incident.state}, next is ${incident.work.next_stage}`);
      const url = session.issues[0]?.github_issue;
      must(url === incident.issue_url, `the session shows ${url} as its issue`);
      return `${code ?? severity}, ${incident.issue_url}`;
    }),
});

const staysSilent = (play: (typeof healthy)[number]): Check => ({
  name: `${play.name} is read to its end, and nothing is told`,
  functions: ['detect', 'session-read'],
  advice: 'detect must have read Loki: its log says why not.',
  run: async ({ api }) =>
    until(120, async () => {
      const { healer } = await api.session(idOf(play));
      const preflight = healer.pods.map((pod) => pod.preflight).join();
      must(healer.coverage.state === 'proven' && preflight === 'passed', `${healer.coverage.state}, ${preflight}`);
      must(healer.incidents.length === 0, `${healer.incidents.length} incident(s) were told`);
      return `${healer.coverage.read?.lines} lines read, pre-flight ${preflight}`;
    }),
});

/** The whole loop through the API's address, the schedule and the queues; time is not moved. */
export const LOOPED: readonly Check[] = [
  {
    name: 'three plays are announced',
    functions: ['session-write', 'authorize'],
    advice: 'SessionWriteRole must write the table of sessions and send to the window queue.',
    async run(deployment) {
      for (const play of PLAYS) {
        const { status, body } = await deployment.api.ask('POST', '/api/v1/session/start', { body: play.announcement });
        must(status === 200, `the start of ${idOf(play)} answered ${status}: ${body.slice(0, 300)}`);
      }
      const playing = Promise.all(PLAYS.map((play) => playLive(deployment, play)));
      // Reported by the check that waits for it.
      playing.catch(() => {});
      deployment.notes.set('playing', playing);
      const { body } = await deployment.api.ask('GET', '/api/v1/sessions/active');
      for (const play of PLAYS) must(body.includes(idOf(play)), `${idOf(play)} is not listed active: ${body}`);
      return PLAYS.map(idOf).join(', ');
    },
  },
  ...wrong.map(becomesAnIssue),
  {
    name: 'the schedule runs the sweep by itself',
    functions: ['sweep'],
    advice: 'ScheduleRole must be allowed to invoke the sweep, and SweepRole to read both indexes.',
    run: async ({ service }) =>
      until(150, async () => {
        const passes = [...(await service.logs('sweep')).matchAll(PASS)].map(([, result = '{}']) => result);
        const seen = passes.find((result) => (JSON.parse(result) as { active: number }).active > 0);
        must(seen !== undefined, `no pass of ${passes.length} saw an active session`);
        return seen;
      }),
  },
  {
    name: 'the plays are ended by their caller',
    functions: ['session-write'],
    advice: 'SessionWriteRole must update the table of sessions.',
    async run({ notes, api }) {
      await (notes.get('playing') as Promise<unknown>);
      const { body } = await api.ask('GET', '/api/v1/sessions/active');
      must((JSON.parse(body) as { count: number }).count === 0, `still active: ${body}`);
      return 'none is active';
    },
  },
  ...healthy.map(staysSilent),
  {
    name: 'exactly the expected issues stand on GitHub',
    functions: ['publish', 'github-token'],
    advice: 'The titles say which is missing or too many; publish tells each write in its log.',
    async run(deployment) {
      const issues = await listIssues(deployment);
      const titles = issues.map(({ number, title }) => `#${number} ${title}`).join('; ');
      must(issues.length === wrong.length, `${issues.length} issues, not ${wrong.length}: ${titles}`);
      for (const { expected } of wrong) {
        const fits = ({ title, body }: Issue) => expected.words.every((word) => `${title}${body}`.includes(word));
        must(issues.some(fits), `none has the words ${expected.words.join(', ')}`);
      }
      const authors = new Set(issues.map(({ user }) => user.login));
      must([...authors].join() === deployment.github.author, `written by ${[...authors].join()}`);
      return titles;
    },
  },
  {
    name: 'every message was worked off',
    functions: [...PATH_TO_ISSUE, 'remediate', 'sweep'],
    advice: 'A record that failed stays in flight until its visibility timeout: the log of its function says why.',
    run: async (deployment) =>
      until(60, async () => {
        for (const queue of QUEUES) {
          const left = (await countIn(deployment, queue)) + (await countIn(deployment, `${queue}-dead-letters`));
          must(left === 0, `${left} message(s) of the ${queue} queue are visible, in flight or dead`);
        }
        return QUEUES.join(', ');
      }),
  },
];

/** Messages that are visible or in flight; delayed ones are looks to come. */
async function countIn({ sqs }: Deployment, queue: string): Promise<number> {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: `healer-${STAGE}-${queue}` }));
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}
