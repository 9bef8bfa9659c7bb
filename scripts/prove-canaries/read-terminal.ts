import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliCall, callCli } from '#test/support/run-cli.ts';
import type { World } from '../prove-outages/world.ts';
import type { PlantedRun } from './plant.ts';
import type { Trace } from './read-traces.ts';

const DAY_MS = 86_400_000;

/** Columns of a terminal; lines are folded there and coloured. */
const TERMINAL = { columns: 100 };

/**
 * What `healer` prints about the planted logs, on a terminal and into a pipe, for people and as JSON: from a file, with the
 * session's declaration, from Loki, and about attribution.
 */
export async function readTerminal(
  world: World,
  runs: readonly PlantedRun[],
  folder: string,
): Promise<readonly Trace[]> {
  mkdirSync(folder, { recursive: true });
  const traces: Trace[] = [];
  for (const run of runs) {
    for (const call of callsAbout(world, run, folder)) traces.push(...(await read(call)));
  }
  return traces;
}

interface Called {
  readonly args: readonly string[];
  readonly call: CliCall;
}

function callsAbout({ stack, loki }: World, { name, place, play }: PlantedRun, folder: string): readonly Called[] {
  const [log, lines, session] = ['log', 'jsonl', 'session.json'].map((kind) => join(folder, `${name}.${kind}`));
  const start = stack.clock.now() - DAY_MS / 2;
  const pods = play.lines.map(({ at, pod, line }) =>
    JSON.stringify({ time: new Date(start + at * 1000).toISOString(), pod, container: 'agent', line }),
  );
  writeFileSync(log ?? '', play.lines.map(({ line }) => line).join('\n'));
  writeFileSync(lines ?? '', pods.join('\n'));
  writeFileSync(session ?? '', JSON.stringify(play.announcement));
  const env = { HEALER_URL: stack.url };
  const scans = [
    ['scan', log ?? ''],
    ['scan', lines ?? '', '--format', 'jsonl', '--session', session ?? ''],
    ['scan', '--loki', loki.url, '--namespace', place.namespace],
    ['explain-attribution', place.playId],
  ];
  return scans.flatMap((args) => [
    { args, call: { ...TERMINAL, env } },
    { args: [...args, '--json'], call: { env } },
  ]);
}

/** @throws Error when a command says that it could do nothing: then nothing would be proved. */
async function read({ args, call }: Called): Promise<readonly Trace[]> {
  const { code, stdout, stderr } = await callCli(args, call);
  if (code > 1 || stdout.trim() === '') throw new Error(`healer ${args.join(' ')} ended with ${code}: ${stderr}`);
  return [stdout, stderr].map((text) => ({ place: 'terminal', text }));
}
