import { demoApi } from '#lib/local/demo/api.ts';
import { holdsAll, type Issue } from '#lib/local/demo/issues.ts';
import type { Leaves, Run } from './runs.ts';
import type { World } from './world.ts';

/** What a run left behind, and what of it is missing or too many. */
export interface Verdict {
  readonly counts: Leaves;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** For people, when something is wrong: what the incident says of itself. */
  readonly history: readonly string[];
  readonly fingerprints: readonly string[];
}

interface IncidentDetail {
  readonly incident: {
    readonly code: string | null;
    readonly severity: string;
    readonly fingerprint: string;
    readonly history: readonly { readonly at: string; readonly stage: string; readonly event: string }[];
    readonly occurrence_count: number;
  };
}

/** Looks at a run's sessions, incidents and repository. */
export async function judge(world: World, run: Run): Promise<Verdict> {
  const details = await readIncidents(world, run);
  const issues = await listIssues(world, run);
  const counts = await count(world, run, issues, details);
  const { expected } = run.play;
  const isExpected = details.some(
    ({ incident: { code, severity } }) => code === expected?.code && severity === expected?.severity,
  );
  const words = wordsOf(run);
  const lost = [
    ...(issues.some((issue) => holdsAll(issue, words)) ? [] : [`no issue says ${words.join(', ')}`]),
    ...(isExpected ? [] : ['the expected incident is missing']),
    ...(await activeSessions(world, run)).map((playId) => `the session ${playId} has not ended`),
    ...differences(counts, run.leaves, (own, right) => own < right),
  ];
  const history = details.flatMap(({ incident }) =>
    incident.history.map(({ at, stage, event }) => `${at.slice(0, 19)} ${stage}: ${event}`),
  );
  return {
    counts,
    lost,
    twice: differences(counts, run.leaves, (own, right) => own > right),
    history,
    fingerprints: details.map(({ incident }) => incident.fingerprint),
  };
}

const playsOf = ({ place, sequel }: Run): readonly string[] =>
  [place, ...(sequel === undefined ? [] : [sequel.again.place, sequel.healed.place])].map(({ playId }) => playId);

/** What the issue must say; it names each play that failed. */
const wordsOf = ({ play, place, sequel }: Run): readonly string[] => [
  ...(play.expected?.words ?? []),
  ...(sequel === undefined ? [] : [place.playId, sequel.again.place.playId]),
];

async function readIncidents({ stack }: World, run: Run): Promise<readonly IncidentDetail[]> {
  const api = demoApi(stack);
  const sessions = await Promise.all(playsOf(run).map((playId) => api.session(playId)));
  const ids = new Set(sessions.flatMap(({ healer }) => healer.incidents.map(({ id }) => id)));
  return (await Promise.all([...ids].map((id) => api.incident(id)))) as unknown as readonly IncidentDetail[];
}

async function activeSessions({ stack }: World, run: Run): Promise<readonly string[]> {
  const { sessions } = await demoApi(stack).active();
  const active = new Set(sessions.map((session) => session.play_id));
  return playsOf(run).filter((playId) => active.has(playId));
}

async function count(
  world: World,
  run: Run,
  issues: readonly Issue[],
  details: readonly IncidentDetail[],
): Promise<Leaves> {
  const pulls = await list<{ number: number }>(world, run, 'pulls?state=all');
  const threads = [...issues, ...pulls].map(({ number }) => list(world, run, `issues/${number}/comments`));
  const branches = (await list<{ name: string }>(world, run, 'branches')).filter(({ name }) => name !== 'main');
  const commits = await Promise.all(
    branches.map(({ name }) =>
      list<{ sha: string; commit: { message: string } }>(world, run, `commits?sha=${encodeURIComponent(name)}`),
    ),
  );
  const own = commits.flat().filter(({ commit }) => /^Healer-Proposal: /m.test(commit.message));
  return {
    issues: issues.length,
    closed: issues.filter(({ state }) => state === 'closed').length,
    incidents: details.length,
    occurrences: details.reduce((sum, { incident }) => sum + incident.occurrence_count, 0),
    comments: (await Promise.all(threads)).flat().length,
    branches: branches.length,
    commits: new Set(own.map(({ sha }) => sha)).size,
    pulls: pulls.length,
  };
}

function differences(counts: Leaves, right: Leaves | undefined, isWrong: (own: number, right: number) => boolean) {
  if (right === undefined) return [];
  const names = Object.keys(right) as (keyof Leaves)[];
  return names
    .filter((name) => isWrong(counts[name], right[name]))
    .map((name) => `${counts[name]} ${name} instead of ${right[name]}`);
}

async function list<T>({ github }: World, { place }: Run, what: string): Promise<readonly T[]> {
  const path = `/repos/${place.repository}/${what}${what.includes('?') ? '&' : '?'}per_page=100`;
  const { status, data } = await github.asAdmin('GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return data as readonly T[];
}

/** Issues of the run's repository, open and closed, without pull requests. */
async function listIssues(world: World, run: Run): Promise<readonly Issue[]> {
  const entries = await list<Issue>(world, run, 'issues?state=all');
  return entries.filter((entry) => entry.pull_request === undefined);
}

/** Numbers of the run's pull requests. */
export const listPulls = async (world: World, run: Run): Promise<readonly number[]> =>
  (await list<{ number: number }>(world, run, 'pulls?state=all')).map(({ number }) => number);

/** Whether each run has the issue of its first play and, where it must have one, its pull request. */
export async function areTold(world: World, runs: readonly Run[]): Promise<boolean> {
  for (const run of runs) {
    const words = run.play.expected?.words ?? [];
    if (!(await listIssues(world, run)).some((issue) => holdsAll(issue, words))) return false;
    if ((await listPulls(world, run)).length < (run.leaves?.pulls ?? 0)) return false;
  }
  return true;
}

/** Whether each run's issue tells of all its plays that failed. */
export async function areRetold(world: World, runs: readonly Run[]): Promise<boolean> {
  for (const run of runs) {
    if (!(await listIssues(world, run)).some((issue) => holdsAll(issue, wordsOf(run)))) return false;
  }
  return true;
}

/** Whether Healer has closed the issue of each run. */
export async function areClosed(world: World, runs: readonly Run[]): Promise<boolean> {
  for (const run of runs) {
    if (!(await listIssues(world, run)).some(({ state }) => state === 'closed')) return false;
  }
  return true;
}
