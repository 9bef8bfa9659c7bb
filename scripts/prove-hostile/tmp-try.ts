import { startTestTables } from '#test/support/dynalite.ts';
import { runBatch } from './run-batch.ts';
const tables = await startTestTables();
const t0 = performance.now();
const tally = await runBatch(tables, { seed: Number(process.argv[2] ?? 1), batch: 0, count: Number(process.argv[3] ?? 100) });
const cut = (x: string[]) => ({n: x.length, first: [...new Map(x.map((y) => [y.replace(/^case \d+: /, '').slice(0, 60), y.slice(0, 600)])).values()].slice(0, 12)});
console.log(JSON.stringify({ ...tally, outside: cut(tally.outside), secrets: cut(tally.secrets), unsafe: cut(tally.unsafe), crashes: cut(tally.crashes), ms: performance.now() - t0, cpu: process.cpuUsage().user/1e3 }, null, 1));
process.exit(0);
