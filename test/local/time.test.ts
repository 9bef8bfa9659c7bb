import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    const seen = moved(3_600_000, () => [Date.now(), new Date().getTime(), Date.parse(String(Date()))]);
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
  beforeEach(async () => {
    stack = await startFixture();
  });
  afterEach(() => stack.stop());

  it('is the same in every function, and in this process', async () => {
    await stack.advance(48 * 60 * MINUTE);
    const before = Date.now();
    const { json } = await stack.act('time');
    expect(Number(json['now'])).toBeGreaterThanOrEqual(before);
    expect(Number(json['now'])).toBeLessThanOrEqual(Date.now());
    expect(stack.clock.now() - Number(json['now'])).toBeLessThan(MINUTE);
  });

  it('does not run backwards', async () => {
    const before = stack.clock.now();
    stack.clock.jumpTo(before - MINUTE);
    expect(stack.clock.now()).toBeGreaterThanOrEqual(before);
  });

  it('fires a schedule once for each of its periods in a jump', async () => {
    await stack.advance(MINUTE - 20_000);
    expect(await stack.count('tick')).toBe(0);
    await stack.advance(20_000);
    expect(await stack.count('tick')).toBe(1);
    await stack.advance(10 * MINUTE);
    expect(await stack.count('tick')).toBe(11);
  });

  it('fires a schedule by hand', async () => {
    await stack.invokeNow('tick');
    expect(await stack.count('tick')).toBe(1);
    await expect(async () => stack.invokeNow('work')).rejects.toThrow('no schedule wakes the function work');
  });

  it('passes what becomes due in its order', async () => {
    await stack.act('send', { body: { id: 'second' }, delay: 90 });
    await stack.act('send', { body: { id: 'first' }, delay: 30 });
    const start = stack.clock.now();
    await stack.advance(5 * MINUTE);
    const at = async (kind: string) => (await stack.act('query', { kind })).json['times'] as number[];
    const [first = 0] = await at('first');
    const [second = 0] = await at('second');
    expect(first - start).toBeLessThan(MINUTE);
    expect(second - start).toBeGreaterThan(MINUTE);
    expect(second - start).toBeLessThan(2 * MINUTE);
  });

  it('does not jump while a function runs', async () => {
    const start = stack.clock.now();
    const running = stack.act('wait', { ms: 300 });
    await expect(stack.idle(50)).rejects.toThrow('not at rest');
    const jump = stack.advance(60 * MINUTE);
    const { json } = await running;
    expect(Number(json['endedAt']) - start).toBeLessThan(MINUTE);
    await jump;
    expect(stack.clock.now() - start).toBeGreaterThanOrEqual(60 * MINUTE);
  });

  it('says what keeps the stack from its rest', async () => {
    const running = stack.act('wait', { ms: 500 });
    await expect(stack.idle(100)).rejects.toThrow(/not at rest after 100 ms: POST \/act, api/);
    await running;
  });
});
