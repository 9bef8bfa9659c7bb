import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { BatchOptions } from './run-batch.ts';
import { addTally, emptyTally, type Tally } from './tally.ts';
import type { Report } from './worker.ts';

export interface Work {
  /** The next batch; undefined when nothing is left to do. */
  readonly next: () => BatchOptions | undefined;
  readonly onCase: (answers: number) => void;
}

/** Plays batches in so many processes, each with stores of its own, until there is none left. */
export async function playBatches(processes: number, work: Work): Promise<Tally> {
  const sum = emptyTally();
  const children = Array.from({ length: processes }, () => fork(join(import.meta.dirname, 'worker.ts')));
  const stop = () => children.map((child) => child.kill());
  process.once('exit', stop);
  try {
    await Promise.all(children.map((child) => lead(child, work, sum)));
  } finally {
    stop();
    process.off('exit', stop);
  }
  return sum;
}

/** Gives one process a batch after the other. */
const lead = (child: ChildProcess, { next, onCase }: Work, sum: Tally): Promise<void> =>
  new Promise((resolve, reject) => {
    const goOn = (): void => {
      const batch = next();
      if (batch === undefined) resolve();
      else child.send(batch);
    };
    child.once('exit', (code, signal) => reject(new Error(`a worker process ended (${code ?? signal})`)));
    child.on('message', (report: Report) => {
      if (report.kind === 'failed') return reject(new Error(report.message));
      if (report.kind === 'case') return onCase(report.answers);
      if (report.kind === 'batch') addTally(sum, report.tally);
      return goOn();
    });
  });
