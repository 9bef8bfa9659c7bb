import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOffset, replaceDate } from '#lib/local/clock.ts';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

const MINUTE = 60_000;

describe('the replaced Date', () => {
  const moved = <T>(ms: number, look: () => T): T => {
    const offset = createOffset();
    const restore = replaceDate(offset);
    offset[0] = BigInt(ms);
    try {
      return look();
    } finally {
      restore();
    }
  };

  it('moves every way to ask for the present', () => {
    const before = Date.now();
    const seen = moved(3_600_000, () => [Date.now(), new Date().getTime(), Date.parse(Date())]);
    for (const at of seen) expect(at).toBeGreaterThanOrEqual(before + 3_600_000 - 1_000);
  });

  it('leaves dates made from arguments, subclasses and instanceof as they are', () => {
    class Stamp extends Date {}
    moved(3_600_000, () => {
      expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
      expect(new Date('2026-01-02').getUTCDate()).toBe(2);
      expect(Date.UTC(2026, 0, 1)).toBe(1_767_225_600_000);
      expect(new Date()).toBeInstanceOf(Date);
      class Inner extends Date {}
      expect(new Inner(5)).toBeInstanceOf(Inner);
      expect(new Inner(5).getTime()).toBe(5);
    });
    expect(new Stamp(1).getTime()).toBe(1);
  });

  it('is put back', () => {
    const wall = Date;
    moved(1, () => undefined);
    expect(Date).toBe(wall);
  });
});

describe('the clock of a stack', () => {
  let stack: Fixture;
  let start: number;
  beforeAll(async () => {
    stack = await startFixture();
    start = stack.clock.now();
  });
  afterAll(() => stack.stop());

  /** Half a period away from any moment at which the schedule fires. */
  async function advanceToHalfMinute(): Promise<void> {
    const minutes = Math.ceil((stack.clock.now() - start) / MINUTE);
    await stack.advanceTo(start + minutes * MINUTE + MINUTE / 2);
  }

  it('fires a schedule once for each of its periods in a jump', async () => {
    await advanceToHalfMinute();
    const before = await stack.count('tick');
    await stack.advance(MINUTE / 3);
    expect(await stack.count('tick')).toBe(before);
    await stack.advance(MINUTE / 3);
    expect(await stack.count('tick')).toBe(before + 1);
    await stack.advance(10 * MINUTE);
    expect(await stack.count('tick')).toBe(before + 11);
  });

  it('fires a schedule by hand', async () => {
    await advanceToHalfMinute();
    const before = await stack.count('tick');
    await stack.invokeNow('tick');
    expect(await stack.count('tick')).toBe(before + 1);
    await expect(stack.invokeNow('work')).rejects.toThrow('no schedule wakes the function work');
  });

  it('passes what becomes due in its order', async () => {
    await stack.act('send', { body: { id: 'second' }, delay: 180 });
    await stack.act('send', { body: { id: 'first' }, delay: 60 });
    const sent = stack.clock.now();
    await stack.advance(5 * MINUTE);
    const minutesAfter = async (kind: string) => {
      const { times } = (await stack.act('query', { kind })).json as { times: readonly number[] };
      return times.map((at) => Math.round((at - sent) / MINUTE));
    };
    expect([await minutesAfter('first'), await minutesAfter('second')]).toEqual([[1], [3]]);
  });

  it('does not jump while a function runs', async () => {
    const before = stack.clock.now();
    const running = stack.act('wait', { ms: 300 });
    await expect.poll(() => stack.busy()).toContain('api');
    const jump = stack.advance(60 * MINUTE);
    const { json } = await running;
    expect(Number(json['endedAt']) - before).toBeLessThan(MINUTE);
    await jump;
    expect(stack.clock.now() - before).toBeGreaterThanOrEqual(60 * MINUTE);
  });

  it('says what keeps the stack from its rest', async () => {
    const running = stack.act('wait', { ms: 300 });
    await expect.poll(() => stack.busy()).toEqual(['POST /act', 'api']);
    await expect(stack.idle(1)).rejects.toThrow(/^not at rest after \d+ ms: POST \/act, api$/);
    await running;
    expect(stack.busy()).toEqual([]);
  });

  it('is the same in every function and in this process, and never runs backwards', async () => {
    stack.clock.jumpTo(stack.clock.now() + 48 * 60 * MINUTE);
    const before = Date.now();
    stack.clock.jumpTo(before - MINUTE);
    const { json } = await stack.act('time');
    expect(Number(json['now'])).toBeGreaterThanOrEqual(before);
    expect(Number(json['now'])).toBeLessThanOrEqual(Date.now());
    expect(before - start).toBeGreaterThan(48 * 60 * MINUTE);
  });
});
