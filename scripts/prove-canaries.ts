import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';
import { packageService } from '#lib/local/package-service.ts';
import { CANARIES, type Canary, FORMS } from '#test/domain/redaction/canaries.ts';
import { LOOK_ALIKES } from '#test/domain/redaction/look-alikes.ts';
import { canaryRuns, lookAlikeRuns, type PlantedRun } from './prove-canaries/plant.ts';
import { readTraces, type Trace } from './prove-canaries/read-traces.ts';
import { speakOnGitHub } from './prove-canaries/speak-on-github.ts';
import { playGroup } from './prove-outages/play-group.ts';
import { areTold } from './prove-outages/verdict.ts';
import { startWorld } from './prove-outages/world.ts';

/** A part of a secret that is shorter says nothing. */
const MIN_PART = 10;

interface Leak {
  readonly kind: string;
  readonly form: string;
  readonly place: Trace['place'];
}

async function play(): Promise<{ traces: readonly Trace[]; runs: readonly PlantedRun[] }> {
  const runs = [...canaryRuns(), ...lookAlikeRuns()];
  const requests: Trace[] = [];
  const world = await startWorld({
    packageDirectory: (await packageService(dirname(import.meta.dirname))).directory,
    runDirectory: mkdtempSync(join(tmpdir(), 'healer-canaries-')),
    runs,
    fingerprints: [],
    hear: (text) => requests.push({ place: 'request', text }),
  });
  try {
    for (const run of runs) await speakOnGitHub(world, run);
    await playGroup(world, runs, () => areTold(world, runs, () => undefined), console.log);
    if (!(await areTold(world, runs, () => undefined))) throw new Error('not each play has its issue');
    return { traces: [...requests, ...(await readTraces(world, runs))], runs };
  } finally {
    await world.stop();
  }
}

/** Parts of a canary, in each form, that stand in what Healer left. */
function findLeaks(canary: Canary, traces: readonly Trace[]): readonly Leak[] {
  return Object.entries(FORMS).flatMap(([form, of]) => {
    const parts = of(canary).parts.filter((part) => part.length >= MIN_PART);
    const met = traces.filter(({ text }) => parts.some((part) => holds(text, part)));
    return [...new Set(met.map(({ place }) => place))].map((place) => ({ kind: canary.kind, form, place }));
  });
}

/** Texts within texts are escaped once or twice. */
function holds(text: string, part: string): boolean {
  const once = JSON.stringify(part).slice(1, -1);
  return [part, once, JSON.stringify(once).slice(1, -1)].some((one) => text.includes(one));
}

async function main(): Promise<boolean> {
  const { traces, runs } = await play();
  const leaks = CANARIES.flatMap((canary) => findLeaks(canary, traces));
  for (const [kind, met] of Map.groupBy(leaks, (leak) => leak.kind)) {
    const [forms, places] = [met.map(({ form }) => form), met.map(({ place }) => place)];
    console.log(`leaked: ${kind} (${[...new Set(forms)].join(', ')}) in ${[...new Set(places)].join(', ')}`);
  }
  const packs = traces.filter(({ place }) => place === 'table EvidenceTable').map(({ text }) => text);
  const lost = runs.flatMap(({ lookAlikes }) => lookAlikes).filter((line) => !packs.some((text) => holds(text, line)));
  for (const line of lost) console.log(`not kept: ${line.slice(0, 120)}`);
  const kinds = new Set(CANARIES.map(({ kind }) => kind)).size;
  const leaked = new Set(leaks.map(({ kind }) => kind)).size;
  console.log(`${traces.length} texts read: tables, requests to them and to queues, issues, logs, metrics, answers`);
  console.log(
    `${kinds} kinds, leaked ${leaked}, look-alikes kept ${LOOK_ALIKES.length - lost.length}/${LOOK_ALIKES.length}`,
  );
  return leaked === 0 && lost.length === 0 && kinds >= 45;
}

main().then(
  (isProved) => process.exit(isProved ? 0 : 1),
  (error: unknown) => {
    console.error(`prove:canaries: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
