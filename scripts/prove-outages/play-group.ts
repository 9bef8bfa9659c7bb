import { toNanos } from '#lib/domain/time.ts';
import { demoApi } from '#lib/local/demo/api.ts';
import type { Run } from './runs.ts';
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
  const api = demoApi(stack);
  const start = stack.clock.now();
  world.setOutages(true);
  for (const { play } of runs) await insist(() => api.start(play.announcement));
  for (const { at, happen } of happenings(world, runs)) {
    await stack.advanceTo(start + at * 1000);
    await happen(start);
  }
  const minutes = () => Math.round((stack.clock.now() - start) / 60_000);
  print(`  ${runs.length} plays have ended, ${minutes()} minutes by the clock`);
  await stack.advanceTo(start + OUTAGE_MS);
  world.setOutages(false);
  const end = stack.clock.now() + PATIENCE_MS;
  while (stack.clock.now() < end && !(await isTold())) {
    await stack.advance(STEP_MS);
    print(`  ${minutes()} minutes by the clock`);
  }
  await stack.advance(QUIET_MS);
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
function happenings(world: World, runs: readonly Run[]): readonly Happening[] {
  return runs.flatMap((run) => ofRun(world, run)).toSorted((a, b) => a.at - b.at);
}

function ofRun(world: World, { play, place }: Run): readonly Happening[] {
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
