import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effect } from './effects.ts';
import { playGroup } from './play-group.ts';
import { cleanRuns, killRuns, outageRuns, type Peer, type Run } from './runs.ts';
import { areTold, judge, type Undisturbed, type Verdict } from './verdict.ts';
import { startWorld } from './world.ts';

/** What is played in one process: stacks of one process share one clock. */
export interface Job {
  readonly name: string;
  readonly directory: string;
  readonly clean: readonly Undisturbed[];
  readonly part: { readonly kind: 'clean' } | OutagePart | KillPart;
}

interface OutagePart {
  readonly kind: 'outages';
  readonly peer: Peer;
}

interface KillPart {
  readonly kind: 'kills';
  readonly effects: readonly Effect[];
}

/** One row of the table. */
export interface Row extends Verdict {
  readonly name: string;
  /** Undefined where none was to die. */
  readonly hasKilled: boolean | undefined;
}

export interface JobReport {
  readonly rows: readonly Row[];
  /** Of the undisturbed play whose failure is in the log. */
  readonly effects: readonly Effect[];
}

/** Plays the runs of a job side by side in a stack of their own. */
export async function runJob({ name, directory, clean, part }: Job): Promise<JobReport> {
  const runs = runsOf(part);
  const world = await startWorld({
    packageDirectory: directory,
    runDirectory: mkdtempSync(join(tmpdir(), 'healer-outages-')),
    runs,
    fingerprints: clean.flatMap(({ fingerprints }) => fingerprints),
  });
  try {
    const cleanOf = (run: Run) => clean.find(({ play }) => play === run.play.name);
    const print = (line: string) => console.log(`  ${name}: ${line}`);
    await playGroup(world, runs, () => areTold(world, runs, cleanOf), print);
    const rows: Row[] = [];
    for (const run of runs) {
      const hasKilled = run.kill && world.watches.get(run.name)?.hasKilled();
      rows.push({ name: run.name, ...(await judge(world, run, cleanOf(run))), hasKilled });
    }
    return { rows, effects: world.watches.get(runs[0]?.name ?? '')?.effects ?? [] };
  } finally {
    await world.stop();
  }
}

function runsOf(part: Job['part']): readonly Run[] {
  if (part.kind === 'clean') return cleanRuns();
  return part.kind === 'outages' ? outageRuns(part.peer) : killRuns(part.effects);
}
