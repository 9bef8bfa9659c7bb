import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Check, runChecks, since, type Tally } from './prove-deploy/check.ts';
import { DEPLOYED } from './prove-deploy/checks/deployed.ts';
import { EXAMINED } from './prove-deploy/checks/examined.ts';
import { LOOPED } from './prove-deploy/checks/looped.ts';
import { OPERATED } from './prove-deploy/checks/operated.ts';
import { REMEDIED } from './prove-deploy/checks/remedied.ts';
import { REMOVED } from './prove-deploy/checks/removed.ts';
import { UPDATED } from './prove-deploy/checks/updated.ts';
import { WATCHED } from './prove-deploy/checks/watched.ts';
import { closeDeployment, openDeployment } from './prove-deploy/deployment.ts';
import { startEmulator } from './prove-deploy/emulator.ts';
import { ensurePython } from './prove-deploy/python.ts';

const HELP = `Deploys the service to an AWS emulator that enforces IAM, plays three plays through its API, updates and
removes it. Nothing leaves this machine, and no account is needed; Python 3.10 or newer and openssl are.

  npm run prove:deploy            prints a line a check; ends with 1 at the first that fails
  npm run prove:deploy -- --keep  leaves the folder of the run, with the emulator's log, where it is
`;

const root = dirname(import.meta.dirname);
const CHECKS: readonly Check[] = [
  ...DEPLOYED,
  ...LOOPED,
  ...REMEDIED,
  ...EXAMINED,
  ...WATCHED,
  ...OPERATED,
  ...UPDATED,
  ...REMOVED,
];

/** What a run leaves behind unless it is taken back, the latest first; a signal takes it back too. */
const closers: (() => Promise<void> | void)[] = [];

async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}

/** Runs all checks in a folder of their own. */
async function prove(folder: string): Promise<Tally> {
  const start = performance.now();
  const requirements = join(import.meta.dirname, 'prove-deploy', 'requirements.txt');
  const { python, isFresh } = await ensurePython(join(root, '.healer', 'python'), requirements);
  console.log(`${since(start)}  Python environment${isFresh ? '' : ' of an earlier run'}`);
  const started = performance.now();
  const emulator = await startEmulator(python, folder, (stop) => closers.push(stop));
  console.log(`${since(started)}  emulator at ${emulator.endpoint}, IAM enforced; ${folder}`);
  const deployment = await openDeployment(root, join(folder, 'service'), emulator);
  closers.push(() => closeDeployment(deployment));
  return runChecks(CHECKS, deployment);
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'healer-prove-'));
  if (values.keep !== true) closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  let tally: Tally | undefined;
  try {
    tally = await prove(folder);
  } finally {
    await closeAll();
  }
  return conclude(tally, values.keep === true || !existsSync(folder), start);
}

/** The emulator's processes have ended, or its stop would have thrown: only the folder is left to look at. */
function conclude({ held, failed }: Tally, isClean: boolean, start: number): boolean {
  if (failed === undefined && isClean) {
    console.log(`${since(start)}  ok  no process and no temporary folder is left`);
    console.log(`deployed, looped, updated, removed: ${held + 1} checks, 0 failed`);
    return true;
  }
  console.log(`not proved: ${held} checks held, 1 failed (${failed ?? 'a temporary folder is left'})`);
  return false;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const code = 128 + constants.signals[signal];
    closeAll().then(
      () => process.exit(code),
      () => process.exit(code),
    );
  });
}
main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:deploy: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
