import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Interrupt, InterruptibleCall } from '#lib/local/aws/interruptions.ts';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

/** After this the fixture's queue delivers a message again whose worker has died. */
const COMES_BACK_MS = 61_000;

let stack: Fixture;
let seen: InterruptibleCall[] = [];
let interrupt: Interrupt = () => undefined;
beforeAll(async () => {
  stack = await startFixture({
    interrupt: (call) => {
      seen.push(call);
      return interrupt(call);
    },
  });
});
beforeEach(() => {
  seen = [];
  interrupt = () => undefined;
});
afterAll(() => stack.stop());

/** Interrupts the first call of a function that is this action. */
function once(functionName: string, action: string, when: 'before' | 'after'): void {
  let isDone = false;
  interrupt = (call) => {
    if (isDone || call.function !== functionName || call.action !== action) return undefined;
    isDone = true;
    return when;
  };
}

const crashes = () => stack.logs.lines('work').filter(({ text }) => text.includes('Runtime.ExitError')).length;

describe('a worker that dies of a call', () => {
  it.each([
    // The message comes again in both cases, and the write of this worker is not idempotent.
    ['before', 'PutItem', { atOnce: 0, later: 1, passedOn: 1 }],
    ['after', 'PutItem', { atOnce: 1, later: 2, passedOn: 1 }],
    ['before', 'SendMessage', { atOnce: 1, later: 2, passedOn: 1 }],
    ['after', 'SendMessage', { atOnce: 1, later: 2, passedOn: 2 }],
  ] as const)('%s a %s: the call has its effect or not, and the message comes again', async (when, action, right) => {
    const id = `${when}-${action}`;
    const before = crashes();
    once('work', action, when);
    await stack.act('send', { body: { id, does: 'pass on' } });
    await stack.idle();
    expect(crashes() - before).toBe(1);
    expect(await stack.count(id)).toBe(right.atOnce);
    await stack.advance(COMES_BACK_MS);
    expect([await stack.count(id), await stack.count(`${id} read`)]).toEqual([right.later, right.passedOn]);
    expect(crashes() - before).toBe(1);
  });

  it('takes no other worker with it', async () => {
    interrupt = ({ action, body }) => (action === 'PutItem' && body.includes('"doomed"') ? 'before' : undefined);
    const before = crashes();
    await stack.act('send', { body: { id: 'doomed', does: 'wait' } });
    await stack.act('send', { body: { id: 'spared', does: 'wait' } });
    await stack.idle();
    expect([await stack.count('spared'), await stack.count('doomed'), crashes() - before]).toEqual([1, 0, 1]);
    interrupt = () => undefined;
    await stack.advance(COMES_BACK_MS);
    expect([await stack.count('spared'), await stack.count('doomed')]).toEqual([1, 1]);
  });
});

describe('the question whether a call is interrupted', () => {
  it('names the function, its worker, the action and the body', async () => {
    await stack.act('send', { body: { id: 'asked' } });
    await stack.idle();
    const [sent] = seen.filter(({ action }) => action === 'SendMessage');
    const [written] = seen.filter(({ function: name, action }) => name === 'work' && action === 'PutItem');
    expect(sent).toMatchObject({ function: 'api', worker: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ MessageBody: '{"id":"asked"}' });
    expect(JSON.parse(written?.body ?? '')).toMatchObject({ Item: { kind: { S: 'asked' } } });
    expect(written?.worker).not.toBe(sent?.worker);
  });
});

describe('kill', () => {
  it.each<[string, (worker: string | undefined) => Promise<void>, number]>([
    ['the worker with a session token', (worker) => stack.kill('work', worker), 1],
    ['no worker with another token', () => stack.kill('work', 'of nobody'), 0],
    ['all workers of a function that are at work', () => stack.kill('work'), 1],
    ['no worker of another function', () => stack.kill('next'), 0],
  ])('ends %s', async (id, kill, crashed) => {
    const before = crashes();
    let killed: Promise<void> | undefined;
    interrupt = ({ function: name, worker, action }) => {
      if (name === 'work' && action === 'PutItem') killed ??= kill(worker);
      return undefined;
    };
    await stack.act('send', { body: { id, does: 'wait' } });
    await stack.idle();
    await killed;
    expect(killed).toBeDefined();
    expect(crashes() - before).toBe(crashed);
  });
});
