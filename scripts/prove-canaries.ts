import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { CANARIES, FORMS } from '#test/domain/redaction/canaries.ts';
import { findSecrets } from '#test/domain/redaction/secret-runs.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';
import { canaryRuns, lookAlikeRuns, type PlantedRun } from './prove-canaries/plant.ts';
import { readTerminal } from './prove-canaries/read-terminal.ts';
import { readTraces, type Trace } from './prove-canaries/read-traces.ts';
import { speakOnGitHub } from './prove-canaries/speak-on-github.ts';
import { playGroup } from './prove-outages/play-group.ts';
import { areTold } from './prove-outages/verdict.ts';
import { startWorld } from './prove-outages/world.ts';

const HELP = `Plays failing plays with invented secrets of many kinds in logs, Kubernetes objects, GitHub texts and configuration, each
in many forms, and looks for them in everything that Healer leaves: tables, requests, issues, notifications, logs, metrics,
figures, answers, terminals. Ends with 1 when one is found, or when an ordinary line lost its meaning.

  npm run prove:canaries               all plays
                     -- --plays 0,13   only these, by number
`;

/** A part of a secret that is shorter says nothing. */
const MIN_PART = 10;

interface Leak {
  readonly kind: string;
  readonly form: string;
  readonly place: Trace['place'];
}

/** The plays that are played, all when none is named. */
function readRuns(): readonly PlantedRun[] | undefined {
  const options = { plays: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const;
  const { values } = parseArgs({ options });
  const runs = [...canaryRuns(), ...lookAlikeRuns()];
  const wanted = values.plays?.split(',').map(Number);
  if (wanted?.some((index) => runs[index] === undefined)) throw new Error(`--plays are numbers below ${runs.length}`);
  return values.help ? undefined : runs.filter((_, index) => wanted?.includes(index) ?? true);
}

async function play(runs: readonly PlantedRun[]): Promise<readonly Trace[]> {
  const heard: Trace[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'healer-canaries-'));
  const people = await aHttpPeer((response, { body }) => {
    heard.push({ place: 'notification', text: body });
    response.end('ok');
  });
  const world = await startWorld({
    packageDirectory: (await packageService(dirname(import.meta.dirname))).directory,
    runDirectory: folder,
    runs,
    fingerprints: [],
    hear: (text) => heard.push({ place: 'request', text }),
    notifyUrl: people.url,
  });
  try {
    for (const run of runs) await speakOnGitHub(world, run);
    await playGroup(world, runs, () => areTold(world, runs), console.log);
    if (!(await areTold(world, runs))) throw new Error('not each play has its issue');
    return [...(await readTraces(world, runs)), ...(await readTerminal(world, runs, join(folder, 'files'))), ...heard];
  } finally {
    await world.stop();
    await people.stop();
  }
}

/** Canaries of which a part, in any form, stands in what Healer left. */
function findLeaks(traces: readonly Trace[]): readonly Leak[] {
  const parts = CANARIES.flatMap((canary) =>
    Object.entries(FORMS).flatMap(([form, of]) =>
      of(canary)
        .parts.filter((part) => part.length >= MIN_PART)
        .map((part) => ({ kind: canary.kind, form, spellings: spellingsOf(part) })),
    ),
  );
  return traces.flatMap(({ place, text }) => [
    ...[...findSecrets(text).keys()].map((kind) => ({ kind, form: 'in part', place })),
    ...parts
      .filter(({ spellings }) => spellings.some((one) => text.includes(one)))
      .map(({ kind, form }) => ({ kind, form, place })),
  ]);
}

/** Texts within texts are escaped once or twice. */
function spellingsOf(part: string): readonly string[] {
  const once = JSON.stringify(part).slice(1, -1);
  return [...new Set([part, once, JSON.stringify(once).slice(1, -1)])];
}

/** Look-alikes that no pack shows as they are. */
function findLost(runs: readonly PlantedRun[], traces: readonly Trace[]): readonly string[] {
  const packs = traces.filter(({ place }) => place === 'table EvidenceTable').map(({ text }) => text);
  return runs
    .flatMap(({ lookAlikes }) => lookAlikes)
    .filter((line) => !packs.some((text) => spellingsOf(line).some((one) => text.includes(one))));
}

function printLeaks(leaks: readonly Leak[]): void {
  for (const [kind, met] of Map.groupBy(leaks, (leak) => leak.kind)) {
    const [forms, places] = [met.map(({ form }) => form), met.map(({ place }) => place)];
    console.log(`leaked: ${kind} (${[...new Set(forms)].join(', ')}) in ${[...new Set(places)].join(', ')}`);
  }
}

async function main(): Promise<boolean> {
  const runs = readRuns();
  if (runs === undefined) {
    console.log(HELP);
    return true;
  }
  const traces = await play(runs);
  const leaks = findLeaks(traces);
  printLeaks(leaks);
  const lost = findLost(runs, traces);
  for (const line of lost) console.log(`not kept: ${line.slice(0, 120)}`);
  const places = [...Map.groupBy(traces, ({ place }) => place)].map(([place, { length }]) => `${length} ${place}`);
  console.log(`texts read: ${places.join(', ')}`);
  const kinds = new Set(runs.flatMap(({ canaries }) => canaries.map(({ kind }) => kind))).size;
  const leaked = new Set(leaks.map(({ kind }) => kind)).size;
  const kept = runs.flatMap(({ lookAlikes }) => lookAlikes).length;
  console.log(`${kinds} kinds, leaked ${leaked}, look-alikes kept ${kept - lost.length}/${kept}`);
  const isWhole = PLACES.every((place) => traces.some((trace) => trace.place === place)) && kinds >= 45;
  if (!isWhole) console.log('Not all kinds and places were there: nothing is proved.');
  return leaked === 0 && lost.length === 0 && isWhole;
}

/**
 * Where a whole run leaves texts; what says nothing proves nothing. A metric is written only where something is wrong, so that
 * a run may leave none: those that it leaves are read all the same.
 */
const PLACES = ['request', 'issue', 'log', 'figures', 'answer', 'notification', 'terminal'] as const;

main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:canaries: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
