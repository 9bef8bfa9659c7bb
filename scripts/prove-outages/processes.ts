import { fork } from 'node:child_process';
import type { Job, JobReport } from './job.ts';

/** The argument with which a process waits for a job instead of giving them out. */
export const WORKER_FLAG = '--worker';

/** Runs a job in a process of its own. @throws Error when it ends without a report */
export function inOwnProcess(script: string, job: Job): Promise<JobReport> {
  return new Promise((resolve, reject) => {
    const child = fork(script, [WORKER_FLAG]);
    let report: JobReport | undefined;
    child.on('message', (message) => {
      report = message as JobReport;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (report === undefined) reject(new Error(`${job.name}: the process ended with ${code} and no report`));
      else resolve(report);
    });
    child.send(job);
  });
}

/** At most `limit` jobs at once, in order. */
export async function inOwnProcesses(
  script: string,
  jobs: readonly Job[],
  limit: number,
): Promise<readonly JobReport[]> {
  const reports: JobReport[] = [];
  const waiting = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const [index, job] = entry;
      reports[index] = await inOwnProcess(script, job);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return reports;
}
