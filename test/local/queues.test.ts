import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

let stack: Fixture;
beforeEach(async () => {
  stack = await startFixture();
});
afterEach(() => stack.stop());

const MINUTE = 60_000;
/** The fixture's queues: messages come back a minute after they failed, and go to the dead letters after five tries. */
const TRIES = 5;

const stateOf = (name: string) => {
  const found = stack.queues().find((queue) => queue.name === `fixture-test-${name}`);
  return found && { visible: found.visible, delayed: found.delayed, inFlight: found.inFlight };
};
const EMPTY = { visible: 0, delayed: 0, inFlight: 0 };

describe('a mapping', () => {
  it('runs the chain and deletes what succeeded', async () => {
    await stack.act('send', { body: { id: 'm', does: 'pass on' } });
    await stack.idle();
    expect(await stack.count('m')).toBe(1);
    expect(await stack.count('m read')).toBe(1);
    expect(stack.queues().every((queue) => queue.visible + queue.inFlight + queue.delayed === 0)).toBe(true);
  });

  it('hands over records with all that SQS tells', async () => {
    await stack.act('send', { body: { id: 'm', does: 'log' } });
    await stack.idle();
    await expect.poll(() => stack.logs.lines('work').filter((line) => line.stream === 'stdout')).toHaveLength(1);
    const record: unknown = JSON.parse(stack.logs.lines('work')[0]?.text ?? '');
    expect(record).toMatchObject({
      messageId: expect.stringMatching(/^[\da-f-]{36}$/),
      body: '{"id":"m","does":"log"}',
      md5OfBody: expect.stringMatching(/^[\da-f]{32}$/),
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        origin: { stringValue: 'fixture', dataType: 'String', stringListValues: [], binaryListValues: [] },
      },
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:fixture-test-work',
      awsRegion: 'eu-central-1',
    });
  });

  it('keeps only the message that failed', async () => {
    await stack.act('sendBatch', { bodies: [{ id: 'good' }, { id: 'bad', does: 'poison' }, { id: 'fine' }] });
    await stack.idle();
    expect(stateOf('work')).toEqual({ ...EMPTY, inFlight: 1 });
  });

  it.each(['unknown id', 'empty id', 'throw'])('keeps the whole batch when the function answers: %s', async (does) => {
    await stack.act('sendBatch', { bodies: [{ id: 'a', does }, { id: 'b' }] });
    await stack.idle();
    expect(stateOf('work')).toEqual({ ...EMPTY, inFlight: 2 });
  });

  it('takes null for success', async () => {
    await stack.act('send', { body: { id: 'm', does: 'null' } });
    await stack.idle();
    expect(stateOf('work')).toEqual(EMPTY);
  });

  it('works on no more batches at once than its maximum concurrency', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await stack.act('send', { body: { id, does: 'wait' } });
    await stack.idle();
    const words = () => stack.logs.lines('work').map(({ text }) => text.split(' ')[0]);
    await expect.poll(() => words().filter((word) => word === 'ends').length).toBeGreaterThanOrEqual(2);
    let running = 0;
    const atOnce = words().map((word) => (word === 'begins' ? ++running : --running));
    expect(Math.max(...atOnce)).toBe(2);
  });
});

describe('a message that always fails', () => {
  it('is tried five times, a visibility timeout apart, and then lies among the dead letters', async () => {
    await stack.act('send', { body: { id: 'p', does: 'poison' } });
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      await stack.idle();
      expect(await stack.count('p')).toBe(attempt);
      expect(stateOf('work-dead-letters')).toEqual(EMPTY);
      await stack.advance(MINUTE);
    }
    expect(await stack.count('p')).toBe(TRIES);
    expect(stateOf('work')).toEqual(EMPTY);
    expect(stateOf('work-dead-letters')).toEqual({ ...EMPTY, visible: 1 });
  });
});

describe('a delayed message', () => {
  it('arrives when the clock has passed its delay, and not before', async () => {
    await stack.act('send', { body: { id: 'late' }, delay: 30 });
    await stack.advance(20_000);
    expect(await stack.count('late')).toBe(0);
    expect(stateOf('work')).toEqual({ ...EMPTY, delayed: 1 });
    await stack.advance(10_000);
    expect(await stack.count('late')).toBe(1);
  });
});

describe('faults', () => {
  it('deliverTwice delivers each message twice', async () => {
    stack.faults.deliverTwice = true;
    await stack.act('send', { body: { id: 'one' } });
    await stack.act('sendBatch', { bodies: [{ id: 'two' }] });
    await stack.idle();
    expect([await stack.count('one'), await stack.count('two')]).toEqual([2, 2]);
    stack.faults.deliverTwice = false;
    await stack.act('send', { body: { id: 'three' } });
    await stack.idle();
    expect(await stack.count('three')).toBe(1);
  });

  it('dropOnce accepts each distinct message and loses it once', async () => {
    stack.faults.dropOnce = true;
    expect((await stack.act('send', { body: { id: 'a' } })).status).toBe(200);
    expect((await stack.act('sendBatch', { bodies: [{ id: 'b' }] })).json['successful']).toEqual(['m0']);
    await stack.idle();
    expect([await stack.count('a'), await stack.count('b')]).toEqual([0, 0]);
    await stack.act('send', { body: { id: 'a' } });
    await stack.idle();
    expect([await stack.count('a'), await stack.count('b')]).toEqual([1, 0]);
  });

  it('dropOnce does not lose what goes to the dead letters', async () => {
    await stack.act('send', { body: { id: 'p', does: 'poison' } });
    await stack.idle();
    stack.faults.dropOnce = true;
    await stack.advance(TRIES * MINUTE);
    expect(stateOf('work-dead-letters')).toEqual({ ...EMPTY, visible: 1 });
  });
});
