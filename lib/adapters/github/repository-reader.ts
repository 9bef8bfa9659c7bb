import type { RepositoryReader } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { readCheckRuns } from './check-state.ts';
import { readIssue, toIssueView } from './issue-wire.ts';
import { readGuard } from './read-guard.ts';
import { type GitHubAdapterOptions, hasStatus, type TargetSession, targetSessions } from './target-session.ts';
import { readDefaultBranch, readHead, readSnapshot, readText } from './trees.ts';

const MAX_JOBS = 5;
/** Of a log its end tells: this much of it is kept. */
const LOG_TAIL = 60_000;
const MAX_LOG_BYTES = 20 * 1024 * 1024;
const LOG_TIMEOUT_MS = 15_000;

const elsewhere = (message: string): SourceError =>
  new SourceError({ source: 'github', message, retryable: true, advice: 'See https://www.githubstatus.com.' });

/** GitHub serves logs from elsewhere, by an address that is signed and lives for a minute; the token stays behind. */
async function fetchLog(location: string, apiUrl: string): Promise<string> {
  const url = new URL(location);
  if (url.protocol !== 'https:' && url.origin !== new URL(apiUrl).origin)
    throw elsewhere('a log lies at no safe address');
  const signal = AbortSignal.timeout(LOG_TIMEOUT_MS);
  const answer = await fetch(url, { redirect: 'error', signal }).catch(() => undefined);
  if (answer?.ok !== true || answer.body === null) throw elsewhere('the log of a job could not be read');
  const decoder = new TextDecoder();
  let tail = '';
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_LOG_BYTES) break;
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-LOG_TAIL);
  }
  return tail;
}

/** A check run of Actions has its job's id; one of another App has no log here. */
async function readLog({ octokit, at }: TargetSession, job: number, apiUrl: string): Promise<string> {
  try {
    const path = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { headers } = await octokit.request(path, { ...at, job_id: job });
    return headers.location === undefined ? '' : await fetchLog(headers.location, apiUrl);
  } catch (error) {
    if (hasStatus(error, 404) || hasStatus(error, 410)) return '';
    throw error;
  }
}

/** What `remediate` reads of a repository, with a token that can only read. */
export function githubRepositoryReader(options: GitHubAdapterOptions): RepositoryReader {
  const ask = targetSessions(options, readGuard);
  return {
    author: (target) => ask(target, `reading ${target}`, async ({ author }) => author),
    issue: (target, number) =>
      ask(target, `reading issue ${number} of ${target}`, async (session) =>
        toIssueView(await readIssue(session, number)),
      ),
    snapshot: (target, commit) =>
      ask(target, `listing files of ${target}`, async (session) =>
        readSnapshot(session, commit ?? (await readHead(session, await readDefaultBranch(session)))),
      ),
    text: (target, file) => ask(target, `reading a file of ${target}`, (session) => readText(session, file)),
    failedJobs: (target, commit) =>
      ask(target, `reading job logs of ${target}`, async (session) => {
        const red = (await readCheckRuns(session, commit)).filter(({ state }) => state === 'red').slice(0, MAX_JOBS);
        const jobs: { name: string; log: string }[] = [];
        for (const { id, name } of red) jobs.push({ name, log: await readLog(session, id, options.apiUrl) });
        return jobs;
      }),
  };
}
