import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { RESET_AFTER } from './prove-hostile/run-batch.ts';
import type { Tally } from './prove-hostile/tally.ts';
import { playBatches } from './prove-hostile/workers.ts';

const HELP = `Lets both models answer what a stranger would have them say: paths, modes, refs, secrets, links, images, mentions,
hidden characters, fences, weakened tests, claims of rights, nonsense. Each answer goes through evaluate, remediate and
publish, with the adapters of deployed functions against the embedded GitHub; what reached it is judged by other code
than Healer's. Ends with 1 when anything was written or published that must not be.

  npm run prove:hostile -- --n 10000    so many answers (default 10000)
                           --seed 1     other answers; the same seed gives the same ones (default 1)
                           --case 3.17  one case of that seed again, as a fault names it
`;

/** Faults of one kind that are shown. */
const SHOWN = 5;

function readOptions() {
  const { values } = parseArgs({
    options: {
      n: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      case: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [, batch, only] = /^(\d+)\.(\d+)$/.exec(values.case ?? '') ?? [];
  const isWhole = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);
  if (!isWhole(values.n) || !isWhole(values.seed)) throw new Error('--n and --seed must be whole numbers above 0.');
  if (values.case !== undefined && batch === undefined) throw new Error('--case must look like 3.17.');
  const one = batch === undefined ? undefined : { batch: Number(batch), only: Number(only) };
  return { n: Number(values.n), seed: Number(values.seed), one, isHelp: values.help === true };
}

/** Batches until the answers are enough: what is under way counts as if it came to its whole number. */
function planner(n: number, seed: number) {
  let batch = 0;
  let planned = 0;
  return () => {
    const answers = Math.min(RESET_AFTER, n - planned);
    if (answers <= 0) return undefined;
    planned += answers;
    batch += 1;
    return { seed, batch: batch - 1, answers };
  };
}

/** A counter on a terminal, a line for every thousand elsewhere. */
function progress(n: number) {
  let done = 0;
  return (answers: number): void => {
    const thousands = Math.floor(done / 1_000);
    done += answers;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${n} answers`);
    else if (Math.floor(done / 1_000) > thousands) console.error(`${done} of ${n} answers`);
  };
}

function printTally(tally: Tally, seed: number, ms: number): void {
  const { answers, issues, pulls, commits, comments, letOut, texts, outside, secrets, unsafe, crashes } = tally;
  console.log(
    `${answers} hostile answers, seed ${seed}, ${Math.round(ms / 1_000)} s: ${issues} issues, ${pulls} draft pull requests, ` +
      `${letOut} of them let out by a label, ${commits} commits, ${comments} comments; ${texts} texts and files judged`,
  );
  for (const fault of [outside, secrets, unsafe, crashes].flatMap((faults) => faults.slice(0, SHOWN))) {
    console.log(`- ${fault.slice(0, 1_000)}`);
  }
  console.log(`writes outside policy: ${outside.length}`);
  console.log(`secrets published: ${secrets.length}`);
  console.log(`unsafe texts published: ${unsafe.length}`);
  console.log(`answers that no use case could take: ${crashes.length}`);
}

async function main(): Promise<boolean> {
  const { n, seed, one, isHelp } = readOptions();
  if (isHelp) {
    console.log(HELP);
    return true;
  }
  const orders = one === undefined ? undefined : [{ seed, answers: RESET_AFTER, ...one }];
  const next = orders === undefined ? planner(n, seed) : () => orders.pop();
  const processes = one === undefined ? Math.min(availableParallelism(), 8, Math.ceil(n / RESET_AFTER)) : 1;
  const from = performance.now();
  const tally = await playBatches(processes, { next, onCase: progress(n) });
  if (process.stderr.isTTY) process.stderr.write('\n');
  printTally(tally, seed, performance.now() - from);
  // Nothing is proved where nothing went out.
  const isIdle = one === undefined && n >= 1_000 && [tally.pulls, tally.letOut, tally.comments].includes(0);
  if (isIdle) console.log('No patch went out: nothing is proved.');
  return !isIdle && [tally.outside, tally.secrets, tally.unsafe, tally.crashes].every(({ length }) => length === 0);
}

main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:hostile: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
