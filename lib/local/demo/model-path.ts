import type { LocalStack } from '../stack.ts';
import { demoApi, type IncidentAnswer } from './api.ts';
import { arrow, createNarrator } from './narrator.ts';
import { MAINTAINER, type Peers } from './peers.ts';
import { asPerson } from './person.ts';
import { crashPlay } from './plays/crash.ts';

const REPOSITORY = '/repos/acme/loaders';
const MINUTE_MS = 60_000;
/** Model-written code waits for a person; the demo looks for this long that it does. */
const WAIT_MS = 10 * MINUTE_MS;
const PATIENCE_MS = 3 * 60 * MINUTE_MS;

interface Telling {
  readonly print: (line: string) => void;
  readonly told: Set<string>;
}

/**
 * The way of a fix that a model wrote: it is executable code, so it waits for a maintainer's label; its first attempt is
 * red, the second one, written with the log of the check, is green.
 * @throws Error naming the arrow that broke
 */
export async function followTheModel(stack: LocalStack, peers: Peers, telling: Telling): Promise<void> {
  const { print } = telling;
  print('\nfrom a model’s proposal to a green draft pull request');
  await stepUntil(stack, telling, ({ history }) => history.some(({ event }) => event.includes('found by a model')));
  await stack.advance(WAIT_MS);
  const waits = await stepUntil(stack, telling, () => true);
  if (waits.pull_request_url !== null)
    throw new Error('publish ─▶ GitHub: model-written code went out without a label');
  const issue = waits.issue_url?.split('/').at(-1);
  await asPerson(peers, 'POST', `${REPOSITORY}/issues/${issue}/labels`, { labels: ['healer:fix'] });
  print(arrow(stack.clock.now(), 'a person ─▶ GitHub', `${MAINTAINER.login} labels issue #${issue} healer:fix`));
  const proposed = await stepUntil(stack, telling, ({ pull_request_url: url }) => url !== null);
  const pull = Number(proposed.pull_request_url?.split('/').at(-1));
  await stepUntil(stack, telling, ({ history }) => history.some(({ event }) => /patch 2\b/.test(event)));
  await showChecks(peers, pull, print);
}

interface GitCommit {
  readonly message: string;
  readonly parents: readonly { readonly sha: string }[];
}

/** Both attempts with what the checks said of them, from the head of the branch backwards. */
async function showChecks(peers: Peers, pull: number, print: (line: string) => void): Promise<void> {
  const found = await asPerson(peers, 'GET', `${REPOSITORY}/pulls/${pull}`);
  const { html_url: url, head } = found as { html_url: string; head: { sha: string } };
  const second = await readCommit(peers, head.sha);
  const first = await readCommit(peers, second.parent);
  print(`\nPull request #${pull}  ${url}  (draft)\n`);
  for (const { sha, title, check } of [first, second]) print(`    ${sha.slice(0, 7)}  ${check.padEnd(8)} ${title}`);
  const results = [first, second].map(({ check }) => check).join(', ');
  if (results !== 'failure, success')
    throw new Error(`remediate ─▶ publish: the checks should be red, then green; they are ${results}`);
}

async function readCommit(peers: Peers, sha: string) {
  const commit = (await asPerson(peers, 'GET', `${REPOSITORY}/git/commits/${sha}`)) as GitCommit;
  const checks = await asPerson(peers, 'GET', `${REPOSITORY}/commits/${sha}/check-runs`);
  const [check] = (checks as { check_runs: { conclusion: string }[] }).check_runs;
  const [title = ''] = commit.message.split('\n');
  return { sha, title, check: check?.conclusion ?? 'no check', parent: commit.parents[0]?.sha ?? sha };
}

type Incident = IncidentAnswer['incident'];

async function stepUntil(
  stack: LocalStack,
  { print, told }: Telling,
  isReached: (incident: Incident) => boolean,
): Promise<Incident> {
  const narrator = createNarrator(demoApi(stack), crashPlay.announcement.play_id, print, told);
  const end = stack.clock.now() + PATIENCE_MS;
  for (;;) {
    const [incident] = (await narrator.look(stack.clock.now())).incidents;
    if (incident !== undefined && isReached(incident)) return incident;
    if (stack.clock.now() > end)
      throw new Error(`broken arrow: ${incident?.history.at(-1)?.event ?? 'the incident of the crash is gone'}`);
    await stack.advance(MINUTE_MS);
  }
}
