import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { distinctEffects } from './prove-outages/effects.ts';
import { type Job, type JobReport, type Row, runJob } from './prove-outages/job.ts';
import { inOwnProcess, inOwnProcesses, WORKER_FLAG } from './prove-outages/processes.ts';
import { PEERS } from './prove-outages/runs.ts';

const HELP = `Plays failing plays on the running local stack (the packaged service) while something is out: Loki, GitHub and
Kubernetes for ten minutes by the clock, each in seven ways, and a worker that dies before and after each write and send.
Each run must end with exactly the issue of an undisturbed one.

  npm run prove:outages               prints the table of runs; ends with 1 when something was lost or came twice
  npm run prove:outages -- --only outages  without the workers that die; or kills, or the name of a part
  npm run prove:outages -- --trace  with the history of each incident that is not as it should be
`;

const root = dirname(import.meta.dirname);

/** Workers' deaths that are played side by side in one process. */
const GROUP = 12;
/** Much of an outage is waiting for the next try, in real time. */
const PROCESSES = 3;

function tell(
  { name, issues, incidents, pulls, occurrences, lost, twice, hasKilled, history }: Row,
  isTraced: boolean,
) {
  const isRight = isAsExpected({ lost, twice, hasKilled });
  const counts = `${issues} issue, ${incidents} incident, ${pulls} pull request, ${occurrences} occurrence`;
  console.log(`${isRight ? 'ok ' : 'NOT'} ${name.padEnd(64)} ${counts}`);
  for (const fault of [...lost, ...twice]) console.log(`      ${fault}`);
  if (hasKilled === false) console.log('      no worker came to this effect');
  if (isTraced && !isRight) for (const line of history) console.log(`        ${line}`);
}

const isAsExpected = ({ lost, twice, hasKilled }: Pick<Row, 'lost' | 'twice' | 'hasKilled'>): boolean =>
  lost.length + twice.length === 0 && hasKilled !== false;

/** The undisturbed plays, twice: the first tells the fingerprints, by which the second knows its effects. */
async function playUndisturbed(directory: string): Promise<JobReport> {
  const job = { name: 'undisturbed', directory, part: { kind: 'clean' } } as const;
  const first = await inOwnProcess(import.meta.filename, { ...job, clean: [] });
  return inOwnProcess(import.meta.filename, { ...job, clean: first.rows });
}

function jobsFor(directory: string, { rows: clean, effects }: JobReport, only: string | undefined): readonly Job[] {
  const shared = { directory, clean };
  const outages = PEERS.map((peer) => ({ ...shared, name: `${peer} out`, part: { kind: 'outages', peer } as const }));
  const groups = Array.from({ length: Math.ceil((2 * effects.length) / GROUP) }, (_, i) =>
    effects.slice((i * GROUP) / 2, ((i + 1) * GROUP) / 2),
  );
  const kills = groups.map((group, i) => ({
    ...shared,
    name: `workers die, ${i + 1} of ${groups.length}`,
    part: { kind: 'kills', effects: group } as const,
  }));
  return [...outages, ...kills].filter(({ name, part }) => only === undefined || part.kind === only || name === only);
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
  const clean = await playUndisturbed(directory);
  const kept = { ...clean, effects: distinctEffects(clean.effects) };
  console.log(
    `an undisturbed play has ${clean.effects.length} effects, ${kept.effects.length} of them not like the one before`,
  );
  const reports = await inOwnProcesses(import.meta.filename, jobsFor(directory, kept, values.only), PROCESSES);
  const rows = [clean, ...reports].flatMap((report) => report.rows);
  for (const row of rows) tell(row, values.trace ?? false);
  const lost = rows.filter((row) => row.lost.length > 0).length;
  const twice = rows.filter((row) => row.twice.length > 0).length;
  console.log(`${rows.length} runs, lost ${lost}, twice ${twice}`);
  return rows.every(isAsExpected);
}

/** Serves the one job that the parent sends. */
function serve(): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (job) => {
    runJob(job as Job).then(
      (report) => process.send?.(report, () => process.exit(0)),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
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
