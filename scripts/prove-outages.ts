import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { playGroup } from './prove-outages/play-group.ts';
import { cleanRuns, killRuns, outageRuns, type Run } from './prove-outages/runs.ts';
import { areTold, judge, type Verdict } from './prove-outages/verdict.ts';
import { startWorld, type World } from './prove-outages/world.ts';

const HELP = `Plays failing plays on the running local stack (the packaged service) while something is out: Loki, GitHub and
Kubernetes for ten minutes by the clock, each in seven ways, and a worker that dies before and after each write and send.
Each run must end with exactly the issue of an undisturbed one.

  npm run prove:outages               prints the table of runs; ends with 1 when something was lost or came twice
  npm run prove:outages -- --outages  without the workers that die
  npm run prove:outages -- --trace    with the history of each incident that is not as it should be
`;

const root = dirname(import.meta.dirname);

/** Workers that die side by side in one stack. */
const GROUP = 40;

interface Played {
  readonly verdicts: readonly Verdict[];
  readonly world: World;
}

/** Plays runs in a stack of their own. @param clean verdicts of undisturbed plays, by the play's name */
async function play(directory: string, runs: readonly Run[], clean: readonly Verdict[]): Promise<Played> {
  const world = await startWorld({
    packageDirectory: directory,
    runDirectory: mkdtempSync(join(tmpdir(), 'healer-outages-')),
    runs,
    fingerprints: clean.flatMap(({ fingerprints }) => fingerprints),
  });
  const cleanOf = (run: Run) => clean.find((verdict) => verdict.run.play.name === run.play.name);
  try {
    await playGroup(world, runs, () => areTold(world, runs, cleanOf), console.log);
    const verdicts: Verdict[] = [];
    for (const run of runs) verdicts.push(await judge(world, run, cleanOf(run)));
    return { verdicts, world };
  } finally {
    await world.stop();
  }
}

function tell({ run, issues, incidents, pulls, occurrences, lost, twice, history }: Verdict, isTraced: boolean): void {
  const isRight = lost.length + twice.length === 0;
  const counts = `${issues} issue, ${incidents} incident, ${pulls} pull request, ${occurrences} occurrence`;
  console.log(`${isRight ? 'ok  ' : 'NOT '} ${run.name.padEnd(72)} ${counts}`);
  for (const fault of [...lost, ...twice]) console.log(`       ${fault}`);
  if (isTraced && !isRight) for (const line of history) console.log(`         ${line}`);
}

async function main(): Promise<boolean> {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ options: { outages: flag, trace: flag, help: { ...flag, short: 'h' } } });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const { directory } = await packageService(root);
  const trace = values.trace ?? false;
  console.log('undisturbed plays');
  // Twice: the first tells the fingerprints, by which the second knows the effects.
  const first = await play(directory, cleanRuns(), []);
  const second = await play(directory, cleanRuns(), first.verdicts);
  const clean = second.verdicts;
  const effects = second.world.watches.get(cleanRuns()[0]?.name ?? '')?.effects ?? [];
  console.log(`a play has ${effects.length} effects`);
  const kills = values.outages ? [] : killRuns(effects);
  const verdicts = [...clean];
  console.log('outages');
  verdicts.push(...(await play(directory, outageRuns(), clean)).verdicts);
  for (let from = 0; from < kills.length; from += GROUP) {
    console.log(`workers that die, ${from} of ${kills.length} done`);
    const group = kills.slice(from, from + GROUP);
    const { verdicts: found, world } = await play(directory, group, clean);
    for (const { run } of found) {
      if (!world.watches.get(run.name)?.hasKilled()) console.log(`  no worker died: ${run.name}`);
    }
    verdicts.push(...found);
  }
  for (const verdict of verdicts) tell(verdict, trace);
  const lost = verdicts.filter((verdict) => verdict.lost.length > 0).length;
  const twice = verdicts.filter((verdict) => verdict.twice.length > 0).length;
  console.log(`${verdicts.length} runs, lost ${lost}, twice ${twice}`);
  return lost + twice === 0;
}

main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:outages: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
