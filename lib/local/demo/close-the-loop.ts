import type { LocalStack } from '../stack.ts';
import { demoApi, type IncidentAnswer } from './api.ts';
import type { Issue } from './issues.ts';
import { arrow, createNarrator } from './narrator.ts';
import { MAINTAINER, type Peers } from './peers.ts';
import { asPerson } from './person.ts';
import { playOut } from './play-out.ts';
import { correctedPlay, misspeltToolPlay } from './plays/misspelt-tool.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A merge is heard at once by the webhook; without it the next look at GitHub comes within this time. */
const MERGE_PATIENCE_MS = 3 * HOUR_MS;
/** An incident is verified for a day, and looked at every two hours meanwhile. */
const VERIFY_PATIENCE_MS = 30 * HOUR_MS;
const REPOSITORY = '/repos/acme/widgets';

interface Telling {
  readonly print: (line: string) => void;
  readonly told: Set<string>;
}

/**
 * From the draft pull request to the closed issue: shows the diff, merges it as a person would, lets a play pass the same
 * point, and moves the clock on until the fix is believed.
 * @throws Error naming the arrow that broke
 */
export async function closeTheLoop(stack: LocalStack, peers: Peers, telling: Telling): Promise<void> {
  const { print, told } = telling;
  print('\nfrom the draft pull request to the closed issue');
  const pull = await showPullRequest(stack, peers, print);
  await mergeAsPerson(peers, pull);
  print(arrow(stack.clock.now(), 'a person ─▶ GitHub', `pull request #${pull} merged by ${MAINTAINER.login}`));
  await stepUntil(stack, telling, { state: 'verifying', within: MERGE_PATIENCE_MS, step: 5 * MINUTE_MS });
  print(`\n${correctedPlay.name}`);
  await playOut(stack, peers, correctedPlay, print, told);
  await stepUntil(stack, telling, { state: 'resolved', within: VERIFY_PATIENCE_MS, step: HOUR_MS });
  await checkClosed(stack, peers, print);
}

const theIncident = async (stack: LocalStack): Promise<IncidentAnswer['incident']> => {
  const api = demoApi(stack);
  const { healer } = await api.session(misspeltToolPlay.announcement.play_id);
  const [first] = healer.incidents;
  if (first === undefined) throw new Error('the incident of the misspelt tool is gone');
  return (await api.incident(first.id)).incident;
};

/** Prints the one-line change, and returns the number of the pull request. */
async function showPullRequest(stack: LocalStack, peers: Peers, print: (line: string) => void): Promise<number> {
  const { pull_request_url: url } = await theIncident(stack);
  const number = Number(url?.split('/').at(-1));
  if (!(number > 0)) throw new Error('publish ─▶ GitHub: no draft pull request was opened for the misspelt tool');
  const pull = (await asPerson(peers, 'GET', `${REPOSITORY}/pulls/${number}`)) as {
    title: string;
    draft: boolean;
    html_url: string;
  };
  const files = (await asPerson(peers, 'GET', `${REPOSITORY}/pulls/${number}/files`)) as {
    filename: string;
    patch: string;
  }[];
  const changed = files.flatMap(({ patch }) => patch.split('\n').filter((line) => /^[+-](?![+-])/.test(line)));
  print(`\nPull request #${number}  ${pull.html_url}${pull.draft ? '  (draft)' : ''}\n`);
  print([pull.title, ...files.map(({ filename }) => filename), ...changed].map((line) => `    ${line}`).join('\n'));
  print('');
  const isRight = changed.length === 2 && changed[1]?.includes('"github_create_branch"');
  if (!pull.draft || !isRight) throw new Error('publish ─▶ GitHub: the draft is not the one-line correction');
  return number;
}

async function mergeAsPerson(peers: Peers, number: number): Promise<void> {
  await asPerson(peers, 'PATCH', `${REPOSITORY}/pulls/${number}`, { draft: false });
  await asPerson(peers, 'PUT', `${REPOSITORY}/pulls/${number}/merge`, {});
}

interface Goal {
  readonly state: string;
  readonly within: number;
  readonly step: number;
}

async function stepUntil(stack: LocalStack, { print, told }: Telling, { state, within, step }: Goal): Promise<void> {
  const narrator = createNarrator(demoApi(stack), misspeltToolPlay.announcement.play_id, print, told);
  const end = stack.clock.now() + within;
  for (;;) {
    const { incidents } = await narrator.look(stack.clock.now());
    const [incident] = incidents;
    if (incident?.state === state) return;
    if (stack.clock.now() > end)
      throw new Error(`broken arrow: the incident is ${incident?.state ?? 'gone'} and should be ${state}`);
    await stack.advance(step);
  }
}

async function checkClosed(stack: LocalStack, peers: Peers, print: (line: string) => void): Promise<void> {
  const number = (await theIncident(stack)).issue_url?.split('/').at(-1);
  const issue = (await asPerson(peers, 'GET', `${REPOSITORY}/issues/${number}`)) as Issue & {
    state_reason: string | null;
  };
  const labels = issue.labels.map(({ name }) => name);
  if (issue.state !== 'closed' || issue.state_reason !== 'completed' || !labels.includes('healer:resolved'))
    throw new Error(
      `publish ─▶ GitHub: issue #${number} is ${issue.state} (${labels.join(', ')}), not closed as completed`,
    );
  const comments = (await asPerson(peers, 'GET', `${REPOSITORY}/issues/${number}/comments?per_page=100`)) as {
    body: string;
  }[];
  const proof = comments.at(-1)?.body ?? '';
  print(`\nIssue #${number} is closed as completed: ${issue.html_url}\n`);
  print(proof.replaceAll(/^/gm, '    '));
}
