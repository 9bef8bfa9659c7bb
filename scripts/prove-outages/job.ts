import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effect } from './effects.ts';
import { playGroup } from './play-group.ts';
import { playSequel } from './play-sequel.ts';
import { cleanRuns, cleanStory, killRuns, outageRuns, type Peer, type Run } from './runs.ts';
import { areTold, judge, type Verdict } from './verdict.ts';
import { startWorld } from './world.ts';

/** What is played in one process: stacks of one process share one clock. */
export interface Job {
  readonly name: string;
  readonly directory: string;
  /** Of the plays' incidents, by which the effects of a run are known. */
  readonly fingerprints: readonly string[];
  readonly part: Part;
}

export type Part =
  | { readonly kind: 'clean' }
  | { readonly kind: 'clean story' }
  | { readonly kind: 'outages'; readonly peer: Peer }
  | { readonly kind: 'kills' | 'story kills'; readonly effects: readonly Effect[] };

/** One row of the table. */
export type Row = (Verdict | { readonly failure: string }) & {
  readonly name: string;
  /** Undefined where none was to die. */
  readonly hasKilled?: boolean | undefined;
};

export interface JobReport {
  readonly rows: readonly Row[];
  /** Of the first run. */
  readonly effects: readonly Effect[];
}

/** Plays the runs of a job side by side in a stack of their own. */
export async function runJob({ name, directory, fingerprints, part }: Job): Promise<JobReport> {
  const runs = runsOf(part);
  const runDirectory = mkdtempSync(join(tmpdir(), 'healer-outages-'));
  const world = await startWorld({ packageDirectory: directory, runDirectory, runs, fingerprints });
  try {
    const print = (line: string) => console.log(`  ${name}: ${line}`);
    await playGroup(world, runs, () => areTold(world, runs), print);
    if (runs.some(({ sequel }) => sequel !== undefined)) await playSequel(world, runs, print);
    const rows: Row[] = [];
    for (const run of runs) {
      const hasKilled = run.kill && world.watches.get(run.name)?.hasKilled();
      rows.push({ name: run.name, ...(await judge(world, run)), hasKilled });
    }
    return { rows, effects: world.watches.get(runs[0]?.name ?? '')?.effects ?? [] };
  } finally {
    // A table that is closed amid a request throws where nobody waits, and must not hide what the job came to.
    process.on('uncaughtException', () => {});
    await world.stop();
  }
}

/** The report of a job that did not come to its end: none of its runs is proved. */
export const failedJob = ({ part }: Job, failure: string): JobReport => ({
  rows: runsOf(part).map(({ name }) => ({ name, failure })),
  effects: [],
});

function runsOf(part: Part): readonly Run[] {
  if (part.kind === 'clean') return cleanRuns();
  if (part.kind === 'clean story') return cleanStory();
  if (part.kind === 'outages') return outageRuns(part.peer);
  return killRuns(part.effects, part.kind === 'story kills');
}
