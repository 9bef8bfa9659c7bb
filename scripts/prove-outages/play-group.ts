import { toNanos } from '#lib/domain/time.ts';
import { demoApi } from '#lib/local/demo/api.ts';
import type { PlacedPlay, Run } from './runs.ts';
import type { World } from './world.ts';

/** Virtual length of an outage. */
const OUTAGE_MS = 10 * 60_000;
/** How far the clock moves between two looks while messages and postponed work come back. */
const STEP_MS = 5 * 60_000;
/** Virtual time after the outage within which all must be told: a message of a worker that died comes back in an hour. */
const PATIENCE_MS = 100 * 60_000;
/** What would be told twice is told by then. */
const QUIET_MS = 15 * 60_000;

/** Plays all runs side by side, from before the outage until `isTold`, and a while longer. */
export async function playGroup(
  world: World,
  runs: readonly Run[],
  isTold: () => Promise<boolean>,
  print: (line: string) => void,
): Promise<void> {
  const { stack } = world;
  const start = stack.clock.now();
  world.setOutages(true);
  await playThrough(world, runs);
  print(`${runs.length} plays have ended, ${minutesSince(world, start)} minutes by the clock`);
  await stack.advanceTo(start + OUTAGE_MS);
  world.setOutages(false);
  await advanceUntil(world, isTold, { within: PATIENCE_MS, step: () => stack.advance(STEP_MS) });
  print(`told within ${minutesSince(world, start)} minutes by the clock`);
  await stack.advance(QUIET_MS);
}

export const minutesSince = ({ stack }: World, start: number): number =>
  Math.round((stack.clock.now() - start) / 60_000);

/** Moves the clock on, `step` by `step`, until something is so, or until the patience is at its end. */
export async function advanceUntil(
  { stack }: World,
  isSo: () => Promise<boolean>,
  { within, step }: { readonly within: number; readonly step: () => Promise<void> },
): Promise<void> {
  const end = stack.clock.now() + within;
  while (stack.clock.now() < end && !(await isSo())) await step();
}

/** Announces the plays, lets everything happen at its time, and ends them. */
export async function playThrough(world: World, plays: readonly PlacedPlay[]): Promise<void> {
  const { stack } = world;
  const api = demoApi(stack);
  const start = stack.clock.now();
  for (const { play } of plays) await insist(() => api.start(play.announcement));
  for (const { at, happen } of happenings(world, plays)) {
    await stack.advanceTo(start + at * 1000);
    await happen(start);
  }
}

/** A caller asks again when the API is too slow for its own timeout, as on a machine with too much to do. */
async function insist(call: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 4; tries > 0; tries -= 1) {
    try {
      return await call();
    } catch {
      // The last try below tells.
    }
  }
  return call();
}

interface Happening {
  readonly at: number;
  readonly happen: (start: number) => Promise<void> | void;
}

/** Lines, changes of the cluster and ends, in order of time. */
function happenings(world: World, plays: readonly PlacedPlay[]): readonly Happening[] {
  return plays.flatMap((play) => ofPlay(world, play)).toSorted((a, b) => a.at - b.at);
}

function ofPlay(world: World, { play, place }: PlacedPlay): readonly Happening[] {
  const lines = play.lines.map(({ at, pod, line }) => ({
    at,
    happen: (start: number) => {
      const stream = { namespace: place.namespace, pod, container: 'agent' };
      const { refusals } = world.loki.push([{ stream, values: [[String(toNanos(start + at * 1000)), line]] }]);
      if (refusals.length > 0) throw new Error(`Loki refused a line: ${refusals.join('; ')}`);
    },
  }));
  const changes = (play.cluster ?? []).map(({ at, objects }) => ({
    at,
    happen: (start: number) => world.kubernetes.put(...objects(start)),
  }));
  const end = {
    at: play.end.at,
    happen: async () => void (await insist(() => demoApi(world.stack).end(place.playId, play.end.status))),
  };
  return [...lines, ...changes, end];
}
