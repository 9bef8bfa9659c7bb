import * as z from 'zod';
import type { Actor } from './actors.ts';
import { type Answer, fault, text } from './answer.ts';
import type { Backend } from './backend.ts';
import { answerRuns, type Job, type Run } from './ci-answers.ts';
import type { CiJob, CiScript } from './options.ts';
import type { PullHeads } from './pull-heads.ts';
import type { RepositoryRequest } from './rules.ts';

const Created = z.object({ id: z.number() });

const mayRead = (actor: Actor, repository: string): boolean =>
  actor.permissions === undefined ||
  (actor.permissions.actions !== undefined && (actor.repositories?.includes(repository) ?? true));

/** A check run in the emulator, so that its answers and events tell of the job. */
async function createCheckRun(backend: Backend, repository: string, sha: string, job: CiJob): Promise<number> {
  const { data } = await backend.asAdmin('POST', `/repos/${repository}/check-runs`, {
    name: job.name,
    head_sha: sha,
    status: 'completed',
    conclusion: job.conclusion,
    output: { title: job.name, summary: job.conclusion },
  });
  return Created.parse(data).id;
}

/** Runs the script for each new head of a pull request and answers for runs, jobs and their logs. */
export function continuousIntegration(deps: {
  backend: Backend;
  pulls: PullHeads;
  script: CiScript | undefined;
  baseUrl: string;
}) {
  const { backend, pulls, script, baseUrl } = deps;
  const runs: Run[] = [];

  async function run(script: CiScript, repository: string, branch: string, sha: string): Promise<void> {
    const before = runs.filter((one) => one.repository === repository && one.branch === branch);
    if (before.some((one) => one.sha === sha)) return;
    const head = { repository, branch, sha, attempt: before.length + 1 };
    const at = new Date().toISOString();
    const runId = runs.length + 1;
    const jobs: Job[] = [];
    for (const job of script(head)) {
      jobs.push({ ...job, id: await createCheckRun(backend, repository, sha, job), runId, at });
    }
    runs.push({ ...head, id: runId, at, jobs });
  }

  return {
    /** A pull request was opened, or a branch moved: every head of an open pull request is built once. */
    async afterWrite(repository: string): Promise<void> {
      if (script === undefined) return;
      for (const { ref, sha } of await pulls.open(repository)) await run(script, repository, ref, sha);
    },
    /** The log itself, which GitHub serves from elsewhere, without a token. */
    log(path: string): Answer | undefined {
      const id = Number(/^\/_job-logs\/(\d+)$/.exec(path)?.[1]);
      const job = runs.flatMap((one) => one.jobs).find((one) => one.id === id);
      return job === undefined ? undefined : text(200, job.log);
    },
    /** Undefined for a request that is not about runs or jobs. */
    answer(request: RepositoryRequest, actor: Actor): Answer | undefined {
      if (request.method !== 'GET' || !/^\/actions\/(runs|jobs)(\/|$)/.test(request.below)) return undefined;
      if (!mayRead(actor, request.repository)) return fault(403, 'Resource not accessible by integration');
      return answerRuns(runs, request, baseUrl);
    },
  };
}
