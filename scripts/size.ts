// `npm run size`: per function the zip, and how long its first import takes beside the two AWS clients alone. `--json`
// prints the same for a program. Ends with code 1 when a zip is over the ceiling.
import { parseArgs } from 'node:util';
import { ROOT } from '#test/support/template/package-cache.ts';
import { coldTimes } from './size-cold.ts';
import { MAX_ZIP_BYTES, packagedFunctions } from './size-package.ts';

const ROUNDS = 9;
/** What a cold import may cost, as a ratio to the two clients; an aim, since times are the machine's. */
const AIM = { api: 1.3, other: 2 };

interface Row {
  readonly name: string;
  readonly zipBytes: number;
  readonly importMs: number;
  readonly ratio: number;
  readonly aim: number;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

async function measure(): Promise<{ rows: Row[]; twoClientsMs: number }> {
  const functions = await packagedFunctions();
  const times = await coldTimes(ROOT, functions, ROUNDS);
  const rows = functions.map(({ name, zip, isApi }) => {
    const importMs = times.functions.get(name) ?? Number.NaN;
    const ratio = round(importMs / times.twoClients, 2);
    return { name, zipBytes: zip.length, importMs: round(importMs, 1), ratio, aim: isApi ? AIM.api : AIM.other };
  });
  return { rows, twoClientsMs: round(times.twoClients, 1) };
}

const line = (...cells: readonly string[]) =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(12)))
    .join('')
    .trimEnd();

function toTable(rows: readonly Row[], twoClientsMs: number): string {
  return [
    line('function', 'zip KB', 'import ms', 'ratio', 'aim'),
    ...rows.map(({ name, zipBytes, importMs, ratio, aim }) => {
      const note = zipBytes > MAX_ZIP_BYTES ? '  over the ceiling' : ratio > aim ? '  over the aim' : '';
      return line(name, kilobytes(zipBytes), importMs.toFixed(1), ratio.toFixed(2), aim.toFixed(1)) + note;
    }),
    '',
    `ratio: to a bundle of the DynamoDB and SQS clients alone, ${twoClientsMs.toFixed(1)} ms in this run (medians of ${ROUNDS})`,
    `ceiling of a zip: ${kilobytes(MAX_ZIP_BYTES)} KB`,
  ].join('\n');
}

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const { rows, twoClientsMs } = await measure();
const report = { node: process.version, rounds: ROUNDS, twoClientsMs, maxZipBytes: MAX_ZIP_BYTES, functions: rows };
console.log(values.json ? JSON.stringify(report, null, 2) : toTable(rows, twoClientsMs));
if (rows.some(({ zipBytes }) => zipBytes > MAX_ZIP_BYTES)) process.exitCode = 1;
