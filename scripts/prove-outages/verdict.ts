import { demoApi } from '#lib/local/demo/api.ts';
import { holdsAll, type Issue } from '#lib/local/demo/issues.ts';
import type { Run } from './runs.ts';
import type { World } from './world.ts';

/** What an undisturbed play leaves behind. */
export interface Undisturbed {
  /** Name of the recorded play. */
  readonly play: string;
  readonly pulls: number;
  readonly comments: number;
  readonly occurrences: number;
  readonly fingerprints: readonly string[];
}

/** What a run left behind, and what of it is missing or too many. */
export interface Verdict extends Undisturbed {
  readonly issues: number;
  readonly incidents: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** For people, when something is wrong: what the incident says of itself. */
  readonly history: readonly string[];
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

/** Looks at a run's session, incidents and repository. @param clean the same play with nothing in its way */
export async function judge(world: World, run: Run, clean?: Undisturbed): Promise<Verdict> {
  const { expected } = run.play;
  const api = demoApi(world.stack);
  const { healer, session } = await api.session(run.place.playId);
  const details = (await Promise.all(
    healer.incidents.map(({ id }) => api.incident(id)),
  )) as unknown as IncidentDetail[];
  const entries = await list(world, run, 'issues');
  const issues = entries.filter((issue) => issue.pull_request === undefined);
  const answers = await Promise.all(entries.map(({ number }) => list(world, run, `issues/${number}/comments`)));
  const comments = answers.flat().length;
  const counts = {
    issues: issues.length,
    incidents: details.length,
    pulls: entries.length - issues.length,
    comments,
    occurrences: details.reduce((sum, { incident }) => sum + incident.occurrence_count, 0),
  };
  const words = expected?.words ?? [];
  const isExpected = details.some(
    ({ incident: { code, severity } }) => code === expected?.code && severity === expected?.severity,
  );
  const lost = [
    ...(issues.some((issue) => holdsAll(issue, words)) ? [] : [`no issue says ${words.join(', ')}`]),
    ...(isExpected ? [] : ['the expected incident is missing']),
    ...(session.status === 'active' ? ['the session has not ended'] : []),
    ...differences(counts, clean, (own, other) => own < other),
  ];
  const twice = [
    ...(issues.length > 1 ? [`${issues.length} issues: ${issues.map(({ title }) => title).join('; ')}`] : []),
    ...(details.length > 1 ? [`${details.length} incidents`] : []),
    ...differences(counts, clean, (own, other) => own > other),
  ];
  const history = details.flatMap(({ incident }) =>
    incident.history.map(({ at, stage, event }) => `${at.slice(11, 19)} ${stage}: ${event}`),
  );
  const fingerprints = details.map(({ incident }) => incident.fingerprint);
  return { play: run.play.name, ...counts, lost, twice, history, fingerprints };
}

type Counts = Pick<Undisturbed, 'pulls' | 'comments' | 'occurrences'>;

function differences(own: Counts, clean: Counts | undefined, isWrong: (own: number, other: number) => boolean) {
  if (clean === undefined) return [];
  return (['pulls', 'comments', 'occurrences'] as const)
    .filter((name) => isWrong(own[name], clean[name]))
    .map((name) => `${own[name]} ${name} instead of ${clean[name]}`);
}

async function list({ github }: World, { place }: Run, what: string): Promise<readonly Issue[]> {
  const query = what === 'issues' ? '?state=all&per_page=100' : '?per_page=100';
  const { data } = await github.asAdmin('GET', `/repos/${place.repository}/${what}${query}`);
  return data as readonly Issue[];
}

/** Whether each run has its issue and, where the clean one has it, its pull request. */
export async function areTold(world: World, runs: readonly Run[], cleanOf: (run: Run) => Undisturbed | undefined) {
  for (const run of runs) {
    const entries = await list(world, run, 'issues');
    const pulls = entries.filter((entry) => entry.pull_request !== undefined).length;
    const words = run.play.expected?.words ?? [];
    if (!entries.some((entry) => holdsAll(entry, words)) || pulls < (cleanOf(run)?.pulls ?? 0)) return false;
  }
  return true;
}
