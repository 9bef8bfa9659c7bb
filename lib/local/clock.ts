/**
 * The movable clock: one offset in shared memory, added to the wall clock by a replaced `Date` in every thread. Timers,
 * timeouts and remaining time do not go through `Date` and stay monotonic. This file imports nothing, because it runs
 * before everything else.
 */

/** Shared by all threads of one stack: element 0 is the offset in milliseconds. */
export type ClockOffset = BigInt64Array<SharedArrayBuffer>;

export const createOffset = (): ClockOffset => new BigInt64Array(new SharedArrayBuffer(8));

/**
 * Replaces `Date` in this thread by one whose present (`new Date()`, `Date()`, `Date.now()`) is moved by the offset;
 * dates made from arguments are untouched. Returns a function that puts the replaced `Date` back.
 */
export function replaceDate(offset: ClockOffset): () => void {
  const Wall = globalThis.Date;
  const now = (): number => Wall.now() + Number(Atomics.load(offset, 0));
  globalThis.Date = new Proxy(Wall, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Wall(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  return () => {
    globalThis.Date = Wall;
  };
}

/** The clock as the main thread handles it. */
export interface MovableClock {
  readonly offset: ClockOffset;
  /** Milliseconds since the epoch, as every function sees them. */
  now(): number;
  /** Puts the present to `at` (milliseconds since the epoch). Time does not run backwards: an earlier moment is ignored. */
  jumpTo(at: number): void;
}

let installed: MovableClock | undefined;

/** Replaces `Date` in the main thread, once a process: two stacks in one process share one clock. */
export function installClock(): MovableClock {
  if (installed) return installed;
  const offset = createOffset();
  replaceDate(offset);
  installed = {
    offset,
    now: () => Date.now(),
    jumpTo(at) {
      const ahead = Math.ceil(at - Date.now());
      if (ahead > 0) Atomics.add(offset, 0, BigInt(ahead));
    },
  };
  return installed;
}
