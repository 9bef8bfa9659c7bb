// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createHealerClient } from '#lib/client/index.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import type { Sample } from './load-handlers.ts';
import { startOwnStack } from './local-stack.ts';

/**
 * `node scripts/run.mjs scripts/load.ts`: 30 s of load on loopback, printed as the section for docs/benchmarks.md. Half
 * of it invokes the handlers and tells their own work from the emulators' share; half goes through the whole stack.
 */
const SECONDS = 15;
const CLIENTS = 4;

async function sampleHandlers({ endpoint, region, credentials, ref }: LocalStack): Promise<readonly Sample[]> {
  const env = {
    ...process.env,
    LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    SESSIONS_TABLE: ref('SessionsTable'),
    WINDOWS_TABLE: ref('WindowsTable'),
    INCIDENTS_TABLE: ref('IncidentsTable'),
    WINDOW_QUEUE_URL: ref('WindowQueue'),
    ALLOWED_REPOSITORIES: 'acme/*',
  };
  const child = fork(join(import.meta.dirname, 'load-handlers.ts'), [String(SECONDS)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [samples] = (await once(child, 'message')) as [readonly Sample[]];
  return samples;
}

/** Milliseconds of each request that clients made without a pause, once each client has opened its sandboxes. */
async function loadStack({ url }: LocalStack): Promise<readonly number[]> {
  const healer = createHealerClient({ url, attempts: 1, timeoutMs: 60_000, deadlineMs: 60_000 });
  const times: number[] = [];
  const timed = async (call: () => Promise<unknown>) => {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  };
  const round = async (play_id: string) => {
    await timed(() => healer.start({ play_id, repository: 'acme/widgets' }));
    await timed(() => healer.get(play_id));
    await timed(() => healer.listActive({ limit: 20 }));
    await timed(() => healer.end(play_id, 'completed'));
  };
  const clients = Array.from({ length: CLIENTS }, (_, id) => id);
  await Promise.all(clients.map((id) => round(`first-${id}`)));
  times.length = 0;
  const until = performance.now() + SECONDS * 1000;
  const repeat = async (id: number) => {
    for (let turn = 0; performance.now() < until; turn += 1) await round(`whole-${id}-${turn}`);
  };
  await Promise.all(clients.map(repeat));
  return times;
}

function percentile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
}

function report(samples: readonly Sample[], times: readonly number[]): string {
  const rows = [...Map.groupBy(samples, ({ route }) => route)].map(([route, all]) => {
    const [busy, waiting] = [all.map((each) => each.busy), all.map((each) => each.waiting)];
    const numbers = [busy, waiting].flatMap((values) => [percentile(values, 0.5), percentile(values, 0.99)]);
    return `| \`${route}\` | ${all.length} | ${numbers.join(' | ')} |`;
  });
  return [
    '## The session API on loopback',
    '',
    `\`node scripts/run.mjs scripts/load.ts\`, ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.version}, load average ${(loadavg()[0] ?? 0).toFixed(1)}.`,
    'Handlers one at a time; milliseconds in which they worked, apart from those in which they waited for the emulators of',
    'DynamoDB and SQS. A deployed handler does the same work and waits for AWS instead. Both are times of a clock on the wall:',
    'where the load average is above the number of cores, they hold waits for a core as well, the p99 most of all.',
    '',
    '| route | calls | work p50 | work p99 | emulators p50 | emulators p99 |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `Through the whole local stack (HTTP, authorizer, function threads, emulators, all in one process) with ${CLIENTS} clients:`,
    `${(times.length / SECONDS).toFixed(0)} requests a second, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms.`,
  ].join('\n');
}

const stack = await startOwnStack();
const samples = await sampleHandlers(stack);
const times = await loadStack(stack);
console.log(report(samples, times));
await stack.stop();
process.exit(0);
