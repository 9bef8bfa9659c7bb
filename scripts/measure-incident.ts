import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { startPeers } from '#lib/local/demo/peers.ts';
import type { DemoPlay } from '#lib/local/demo/play.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { packageService } from '#lib/local/package-service.ts';
import { startStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { watchWrites } from './measure-usage/watch-writes.ts';
import { pushLine } from './prove-deploy/play-live.ts';

/**
 * `node scripts/run.mjs scripts/measure-incident.ts`: plays one failure on the packaged service and counts what each
 * function asks of AWS for it, in its first half hour and in the first day in which its pull request is followed. `INCIDENT` in
 * lib/domain/cost/usage.ts is the first and three of the second.
 */
const HALF_AN_HOUR_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;

const { directory } = await packageService(join(import.meta.dirname, '..'));
const peers = await startPeers('acme/*');
const runDirectory = mkdtempSync(join(tmpdir(), 'healer-usage-'));
const calls = new Map<string, number>();
let writes: ReturnType<typeof watchWrites> | undefined;
const stack = await startStack({
  packageDirectory: directory,
  runDirectory,
  makeToken: async (access) => {
    const token = await makeRunnerToken(access);
    writes = watchWrites(toDocumentClient(access), (id) => `healer-dev-${id.toLowerCase()}`);
    return token;
  },
  ...peers.settings,
  // Nobody dies of a call; each is counted.
  interrupt: (call) => {
    const { function: name, action, body } = call;
    const [, place = ''] = /"(?:TableName|QueueUrl)":"(?:[^"]*\/)?([^"/]+)"/.exec(body) ?? [];
    const key = `${name} | ${action || 'Invoke'} | ${place.replace('healer-dev-', '')}`;
    calls.set(key, (calls.get(key) ?? 0) + 1);
    return writes?.see(call);
  },
});

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${stack.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
}

async function playThrough(play: DemoPlay): Promise<void> {
  const start = stack.clock.now();
  await post('/api/v1/session/start', play.announcement);
  for (const line of play.lines.toSorted((a, b) => a.at - b.at)) {
    await stack.advanceTo(start + line.at * 1000);
    pushLine(peers.loki, line, stack.clock.now());
  }
  await stack.advanceTo(start + play.end.at * 1000);
  await post(`/api/v1/session/${play.announcement.play_id}/end`, { status: play.end.status });
}

async function report(title: string): Promise<void> {
  console.log(`\n${title}\n\n| function | action | table or queue | calls |\n| --- | --- | --- | ---: |`);
  for (const [key, count] of [...calls].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (!key.startsWith('local-runner')) console.log(`| ${key} | ${count} |`);
  calls.clear();
  const units = [...((await writes?.take()) ?? [])].map(([name, count]) => `${name} ${count}`);
  console.log(`\nWrite units: ${units.join(', ')}`);
}

await playThrough(misspeltToolPlay);
await stack.advance(HALF_AN_HOUR_MS);
await report('A play with one incident, and half an hour');
await stack.advance(DAY_MS);
await report('A day in which it is followed');
await stack.stop();
await peers.stop();
rmSync(runDirectory, { recursive: true, force: true });
process.exit(0);
