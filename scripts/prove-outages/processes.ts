import { fork } from 'node:child_process';
import { failedJob, type Job, type JobReport } from './job.ts';

/** The argument with which a process waits for a job instead of giving them out. */
export const WORKER_FLAG = '--worker';

/** What a process says of its job at the end. */
export type Message = JobReport | { readonly failure: string };

/** A job that takes longer hangs. */
const LIMIT_MS = 8 * 60_000;

/** Runs jobs in processes of their own, at most `limit` at once, in the order in which they are given. Never rejects. */
export function inOwnProcesses(script: string, limit: number): (job: Job) => Promise<JobReport> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (job) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const message = await inOwnProcess(script, job);
    const next = waiting.shift();
    if (next) next();
    else free += 1;
    return 'failure' in message ? failedJob(job, message.failure) : message;
  };
}

function inOwnProcess(script: string, job: Job): Promise<Message> {
  return new Promise((resolve) => {
    const child = fork(script, [WORKER_FLAG]);
    const limit = setTimeout(() => {
      resolve({ failure: `no end after ${LIMIT_MS / 60_000} minutes` });
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('message', (message) => resolve(message as Message));
    child.on('error', (error) => resolve({ failure: error.message }));
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      resolve({ failure: `the process ended with ${code ?? signal} and no report` });
    });
    child.send(job);
  });
}
