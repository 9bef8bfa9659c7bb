import { advanceUntil, minutesSince, playThrough } from './play-group.ts';
import type { Run, Sequel } from './runs.ts';
import { areClosed, areRetold, listPulls } from './verdict.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An issue is brought up to date at most every five minutes; a message of a worker that died comes back in an hour. */
const RETELL_MS = 2 * HOUR_MS;
/** Without a webhook GitHub is looked at every two hours. */
const MERGE_MS = 4 * HOUR_MS;
/** A fix is believed after a day. */
const CLOSE_MS = 34 * HOUR_MS;
/** What would be told twice is told by then. */
const QUIET_MS = 4 * HOUR_MS;
/** So often the sweep passes while nothing but looks at GitHub is due. */
const SWEEP_MS = 20 * MINUTE_MS;

/** Plays the same failure once more, merges the fix, lets a play pass the same point, and waits for the closed issue. */
export async function playSequel(world: World, runs: readonly Run[], print: (line: string) => void): Promise<void> {
  const { stack } = world;
  const start = stack.clock.now();
  const sequels = runs.flatMap(({ sequel }) => sequel ?? []);
  await playThrough(world, partsOf(sequels, 'again'));
  const minutes = () => stack.advance(5 * MINUTE_MS);
  await advanceUntil(world, () => areRetold(world, runs), { within: RETELL_MS, step: minutes });
  print(`told again, ${minutesSince(world, start)} minutes by the clock`);
  for (const run of runs) await merge(world, run);
  await skip(world, MERGE_MS);
  await playThrough(world, partsOf(sequels, 'healed'));
  await advanceUntil(world, () => areClosed(world, runs), { within: CLOSE_MS, step: () => skip(world, HOUR_MS) });
  print(`closed, ${minutesSince(world, start)} minutes by the clock`);
  await skip(world, QUIET_MS);
}

/** Lets time pass with fewer sweeps than one a minute; whatever became due meanwhile comes with the next one. */
async function skip({ stack }: World, ms: number): Promise<void> {
  const end = stack.clock.now() + ms;
  while (stack.clock.now() < end) {
    stack.clock.jumpTo(Math.min(end, stack.clock.now() + SWEEP_MS) - MINUTE_MS);
    await stack.advance(MINUTE_MS);
  }
}

const partsOf = (sequels: readonly Sequel[], part: keyof Sequel) => sequels.map((sequel) => sequel[part]);

/** As a person merges: a draft is made ready before. */
async function merge(world: World, run: Run): Promise<void> {
  for (const number of await listPulls(world, run)) {
    const path = `/repos/${run.place.repository}/pulls/${number}`;
    await world.github.asAdmin('PATCH', path, { draft: false });
    const { status } = await world.github.asAdmin('PUT', `${path}/merge`, {});
    if (status !== 200) throw new Error(`merging pull request ${number} of ${run.place.repository} answered ${status}`);
  }
}
