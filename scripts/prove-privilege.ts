import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { readTemplate } from '#lib/local/template.ts';
import { deniedCalls, idleStatements, unusedGrants } from '#test/support/privilege/check.ts';
import { recordCalls } from './prove-privilege/record-calls.ts';

const HELP = `Plays the whole service on the local stack, records what each function asks of AWS, and compares it with its role:
no call without a right, no right without a call (or a reason in test/support/privilege/reasons.ts), no statement that
could be taken away unnoticed.

  npm run prove:privilege             prints what does not fit; ends with 1 when there is something
  npm run prove:privilege -- --calls  prints the recorded calls as well
`;

const root = dirname(import.meta.dirname);

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { calls: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const { directory } = await packageService(root);
  const folder = mkdtempSync(join(tmpdir(), 'healer-privilege-'));
  try {
    const { calls, region } = await recordCalls(directory, folder);
    if (values.calls) for (const call of calls) console.log(Object.values(call).join(' '));
    const template = readTemplate(directory, { region, endpoint: 'http://127.0.0.1' });
    const faults = [
      ...deniedCalls(template, calls),
      ...unusedGrants(template, calls),
      ...idleStatements(template, calls),
    ];
    for (const fault of faults) console.log(`- ${fault}`);
    console.log(`${calls.length} kinds of calls recorded; ${faults.length} fault(s) in the roles`);
    return faults.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:privilege: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
