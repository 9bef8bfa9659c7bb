import * as z from 'zod';
import { parseAnswer, type TargetSession } from './target-session.ts';

const PAGE = 100;
const MAX_PAGES = 10;

const CheckRuns = z.object({
  check_runs: z.array(
    z.object({ id: z.number(), name: z.string(), status: z.string(), conclusion: z.string().nullish() }),
  ),
});
const Combined = z.object({ state: z.string(), statuses: z.array(z.object({ state: z.string() })) });

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly state: 'pending' | 'green' | 'red';
}

/** Conclusions that keep nobody from merging. */
const GREEN = new Set(['success', 'neutral', 'skipped']);

/** The latest check runs of a commit, over all pages. */
export async function readCheckRuns({ octokit, at }: TargetSession, commit: string): Promise<readonly CheckRun[]> {
  const runs: CheckRun[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { ...at, ref: commit, filter: 'latest', per_page: PAGE, page } as const;
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', query);
    for (const { id, name, status, conclusion } of parseAnswer(CheckRuns, data).check_runs) {
      const state = status !== 'completed' ? 'pending' : GREEN.has(conclusion ?? '') ? 'green' : 'red';
      runs.push({ id, name, state });
    }
    if (!/rel="next"/.test(headers.link ?? '')) break;
  }
  return runs;
}

/** Red as soon as one is red; green when all are. `none`: the repository has neither check runs nor statuses. */
export async function checkState(
  session: TargetSession,
  commit: string,
): Promise<'pending' | 'green' | 'red' | 'none'> {
  const runs = await readCheckRuns(session, commit);
  const path = 'GET /repos/{owner}/{repo}/commits/{ref}/status';
  const { data } = await session.octokit.request(path, { ...session.at, ref: commit });
  const combined = parseAnswer(Combined, data);
  const statuses = combined.statuses.map(({ state }) =>
    state === 'success' ? 'green' : state === 'pending' ? 'pending' : 'red',
  );
  const all = [...runs.map(({ state }) => state), ...statuses];
  if (all.length === 0) return 'none';
  return all.includes('red') ? 'red' : all.includes('pending') ? 'pending' : 'green';
}
