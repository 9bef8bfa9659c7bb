import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MovableClock } from './clock.ts';

/** The folder of one run: unpacked functions and logs; with `--keep` tables, queues and the clock's offset as well. */
export interface RunDirectory {
  readonly path: string;
  /** Notes how far the clock has been moved, so that a later run goes on from there. */
  saveClock(clock: MovableClock): void;
  /** Gives the folder up; one that is not kept is removed unless `preserve` is set. */
  release(options?: { preserve?: boolean }): void;
}

/** A folder of its own below the system's temporary folder. */
export function openFreshDirectory(): RunDirectory {
  const path = mkdtempSync(join(tmpdir(), 'healer-'));
  return {
    path,
    saveClock: () => {},
    release({ preserve = false } = {}) {
      if (!preserve) rmSync(path, { recursive: true, force: true });
    },
  };
}

/**
 * The folder that outlives the run, locked for this process; the clock goes on where it was.
 * @throws Error naming the process that holds the lock
 */
export function openKeptDirectory(path: string, clock: MovableClock): RunDirectory {
  mkdirSync(path, { recursive: true });
  const lock = join(path, 'lock');
  takeLock(lock);
  const offsetFile = join(path, 'clock-offset-ms');
  if (existsSync(offsetFile)) clock.jumpTo(clock.now() + Number(readFileSync(offsetFile, 'utf8')) - offsetOf(clock));
  return {
    path,
    saveClock: () => writeFileSync(offsetFile, String(offsetOf(clock))),
    release() {
      writeFileSync(offsetFile, String(offsetOf(clock)));
      rmSync(lock, { force: true });
    },
  };
}

const offsetOf = ({ offset }: MovableClock): number => Number(Atomics.load(offset, 0));

/** Creates the lock file with this process's id; a lock whose process has ended does not count. */
function takeLock(file: string): void {
  try {
    const handle = openSync(file, 'wx');
    writeFileSync(handle, String(process.pid));
    closeSync(handle);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(file, 'utf8'));
    if (isRunning(holder)) {
      throw new Error(
        `process ${holder} uses ${file.replace(/lock$/, '')} already, and two would write one state; end it first`,
        {
          cause: error,
        },
      );
    }
    rmSync(file);
    takeLock(file);
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
