import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOffset, type MovableClock } from '#lib/local/clock.ts';
import { openFreshDirectory, openKeptDirectory } from '#lib/local/run-directory.ts';

/** A clock whose wall stands still at 1,000,000 ms. */
function aClock(): MovableClock {
  const offset = createOffset();
  const now = () => 1_000_000 + Number(offset[0]);
  return { offset, now, jumpTo: (at) => void (offset[0] = BigInt(Math.max(Number(offset[0]), at - 1_000_000))) };
}

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'healer-test-')), 'state');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

describe('a fresh directory', () => {
  it('is new each time and goes at the end, unless it is preserved', () => {
    const [first, second] = [openFreshDirectory(), openFreshDirectory()];
    expect(first.path).not.toBe(second.path);
    first.release();
    second.release({ preserve: true });
    expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, true]);
    rmSync(second.path, { recursive: true });
  });
});

describe('a kept directory', () => {
  it('goes on with the clock where it was', () => {
    const clock = aClock();
    const first = openKeptDirectory(path, clock);
    clock.jumpTo(1_500_000);
    first.release();
    const later = aClock();
    openKeptDirectory(path, later).release();
    expect(later.now()).toBe(1_500_000);
  });

  it('is refused while a running process holds it, with its number', () => {
    const held = openKeptDirectory(path, aClock());
    expect(() => openKeptDirectory(path, aClock())).toThrow(`process ${process.pid} uses ${path}/ already`);
    held.release();
    openKeptDirectory(path, aClock()).release();
  });

  it.each(['999999999', 'nonsense'])('is taken over from a process that has ended (%s)', (holder) => {
    openKeptDirectory(path, aClock()).release();
    writeFileSync(join(path, 'lock'), holder);
    const taken = openKeptDirectory(path, aClock());
    expect(readFileSync(join(path, 'lock'), 'utf8')).toBe(String(process.pid));
    taken.release();
    expect(existsSync(join(path, 'lock'))).toBe(false);
  });
});
