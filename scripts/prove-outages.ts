import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { distinctEffects, type Effect, effectsBeyond } from './prove-outages/effects.ts';
import { type Job, type JobReport, type Part, runJob } from './prove-outages/job.ts';
import { inOwnProcesses, WORKER_FLAG } from './prove-outages/processes.ts';
import { PEERS } from './prove-outages/runs.ts';
import { isRight, toSummary, toTable } from './prove-outages/table.ts';

const HELP = `Plays failing plays on the running local stack (the packaged service) while something is out: Loki, GitHub and
Kubernetes for ten minutes by the clock, each in seven ways, and a worker that dies before and after each write and send
of the chain, from the first finding to the closed issue. Each run must leave exactly what an undisturbed one leaves.

  npm run prove:outages               prints the table of runs; ends with 1 when something was lost or came twice
  npm run prove:outages -- --only outages  without the workers that die; or kills, or story kills, or loki out, …
  npm run prove:outages -- --trace  with the history of each incident that is not as it should be
`;

const root = dirname(import.meta.dirname);

/** Effects whose workers' deaths are played side by side in one process. */
const GROUP = 14;
/** Much of a run is waiting for answers, in real time. */
const PROCESSES = 3;

interface Order {
  readonly directory: string;
  readonly only: string | undefined;
}

/** Gives out all jobs, each as soon as what it needs is known. */
async function playAll({ directory, only }: Order): Promise<readonly JobReport[]> {
  const inProcess = inOwnProcesses(import.meta.filename, PROCESSES);
  const clean = { directory, fingerprints: [], name: 'undisturbed', part: { kind: 'clean' } } as const;
  const first = await inProcess(clean);
  const fingerprints = first.rows.flatMap((row) => ('failure' in row ? [] : row.fingerprints));
  const play = (name: string, part: Part): Promise<JobReport> => {
    const job: Job = { directory, fingerprints, name, part };
    return inProcess(job);
  };
  const isWanted = (...names: readonly string[]) => only === undefined || names.includes(only);
  const plain = play('undisturbed', clean.part);
  const story = isWanted('story kills') ? [play('undisturbed story', { kind: 'clean story' })] : [];
  const outages = PEERS.filter((peer) => isWanted(`${peer} out`, 'outages')).map((peer) =>
    play(`${peer} out`, { kind: 'outages', peer }),
  );
  const { effects } = await plain;
  const playKills = (kind: 'kills' | 'story kills', chosen: readonly Effect[]) =>
    toGroups(chosen).flatMap((group, i, groups) => {
      const name = `${kind} ${i + 1} of ${groups.length}`;
      return isWanted(name, kind) ? [play(name, { kind, effects: group })] : [];
    });
  const kills = playKills('kills', distinctEffects(effects));
  const told = await Promise.all(story);
  const storyKills = told.flatMap((report) => playKills('story kills', effectsBeyond(effects, report.effects)));
  return Promise.all([plain, ...story, ...outages, ...kills, ...storyKills]);
}

/** Groups of like size. */
function toGroups(effects: readonly Effect[]): readonly (readonly Effect[])[] {
  const size = Math.ceil(effects.length / Math.ceil(effects.length / GROUP));
  return Array.from({ length: Math.ceil(effects.length / size) }, (_, i) => effects.slice(i * size, (i + 1) * size));
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, trace: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const { directory } = await packageService(root);
  const rows = (await playAll({ directory, only: values.only })).flatMap((report) => report.rows);
  for (const line of toTable(rows, values.trace ?? false)) console.log(line);
  console.log(toSummary(rows));
  return rows.every(isRight);
}

/** Serves the one job that the parent sends. */
function serve(): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (job) => {
    runJob(job as Job)
      .catch((error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }))
      .then((message) => process.send?.(message, () => process.exit(0)))
      .catch(() => process.exit(1));
  });
}

if (process.argv.includes(WORKER_FLAG)) serve();
else
  main().then(
    (isProved) => process.exit(isProved ? 0 : 1),
    (error: unknown) => {
      console.error(`prove:outages: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(1);
    },
  );
