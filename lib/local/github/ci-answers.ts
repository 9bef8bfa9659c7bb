import { type Answer, fault, json, redirect } from './answer.ts';
import type { CiJob } from './options.ts';
import type { RepositoryRequest } from './rules.ts';

/** A finished job. It has the id of its check run, as on GitHub. */
export interface Job extends CiJob {
  readonly id: number;
  readonly runId: number;
  readonly at: string;
}

/** What the script did with one head. */
export interface Run {
  readonly id: number;
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  readonly at: string;
  readonly attempt: number;
  readonly jobs: readonly Job[];
}

const conclusionOf = (run: Run): string =>
  run.jobs.find(({ conclusion }) => conclusion !== 'success')?.conclusion ?? 'success';

/** GitHub's job, as far as clients of job logs read it. */
const toJob = (run: Run, job: Job) => ({
  id: job.id,
  run_id: job.runId,
  head_sha: run.sha,
  head_branch: run.branch,
  name: job.name,
  workflow_name: 'ci',
  status: 'completed',
  conclusion: job.conclusion,
  started_at: job.at,
  completed_at: job.at,
  steps: [{ name: job.name, status: 'completed', conclusion: job.conclusion, number: 1 }],
});

const toRun = (run: Run) => ({
  id: run.id,
  name: 'ci',
  head_sha: run.sha,
  head_branch: run.branch,
  run_number: run.id,
  run_attempt: 1,
  event: 'pull_request',
  status: 'completed',
  conclusion: conclusionOf(run),
  created_at: run.at,
  updated_at: run.at,
});

function list(runs: readonly Run[], query: URLSearchParams): Answer {
  const found = runs
    .filter((run) => query.get('head_sha') === null || query.get('head_sha') === run.sha)
    .filter((run) => query.get('branch') === null || query.get('branch') === run.branch)
    .toReversed();
  return json(200, { total_count: found.length, workflow_runs: found.map(toRun) });
}

function ofRun(run: Run | undefined, rest: string): Answer | undefined {
  if (run === undefined) return undefined;
  if (rest === '') return json(200, toRun(run));
  const jobs = run.jobs.map((job) => toJob(run, job));
  return rest === '/jobs' ? json(200, { total_count: jobs.length, jobs }) : undefined;
}

function ofJob(runs: readonly Run[], id: number, rest: string, baseUrl: string): Answer | undefined {
  const run = runs.find((one) => one.jobs.some((job) => job.id === id));
  const job = run?.jobs.find((one) => one.id === id);
  if (run === undefined || job === undefined) return undefined;
  if (rest === '') return json(200, toJob(run, job));
  return rest === '/logs' ? redirect(`${baseUrl}/_job-logs/${id}`) : undefined;
}

/** Answers for the runs of the request's repository, for their jobs, and for the logs: a redirect, as on GitHub. */
export function answerRuns(all: readonly Run[], request: RepositoryRequest, baseUrl: string): Answer {
  const runs = all.filter((run) => run.repository === request.repository);
  if (request.below === '/actions/runs') return list(runs, request.query);
  const [, kind, id, rest = ''] = /^\/actions\/(runs|jobs)\/(\d+)(.*)$/.exec(request.below) ?? [];
  const run = runs.find((one) => one.id === Number(id));
  const answer = kind === 'jobs' ? ofJob(runs, Number(id), rest, baseUrl) : ofRun(run, rest);
  return answer ?? fault(404, 'Not Found');
}
