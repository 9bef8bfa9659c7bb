import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

const MINUTE = 60_000;
/** The fixture's queues: messages come back a minute after they failed, and go to the dead letters after five tries. */
const TRIES = 5;

let stack: Fixture;
beforeAll(async () => {
  stack = await startFixture();
});
afterEach(async () => {
  stack.faults.deliverTwice = false;
  stack.faults.dropOnce = false;
  // What failed goes to the dead letters, so that no test sees the messages of another.
  await stack.advance((TRIES + 1) * MINUTE);
});
afterAll(() => stack.stop());

function stateOf(name: string) {
  const found = stack.queues().find((queue) => queue.name === `fixture-test-${name}`);
  return found && { visible: found.visible, delayed: found.delayed, inFlight: found.inFlight };
}
const EMPTY = { visible: 0, delayed: 0, inFlight: 0 };
const deadLetters = () => stateOf('work-dead-letters')?.visible ?? 0;

async function send(body: { id: string; does?: string }, delay?: number) {
  expect((await stack.act('send', { body, delay })).status).toBe(200);
}

async function sendBatch(...bodies: readonly { id: string; does?: string }[]) {
  expect((await stack.act('sendBatch', { bodies })).json['successful']).toHaveLength(bodies.length);
}

describe('a mapping', () => {
  it('runs the chain and deletes what succeeded', async () => {
    await send({ id: 'chain', does: 'pass on' });
    await stack.idle();
    expect([await stack.count('chain'), await stack.count('chain read')]).toEqual([1, 1]);
    expect([stateOf('work'), stateOf('next')]).toEqual([EMPTY, EMPTY]);
  });

  it('hands over records with all that SQS tells', async () => {
    await send({ id: 'record', does: 'log' });
    await stack.idle();
    const printed = () => stack.logs.lines('work').filter((line) => line.stream === 'stdout');
    await expect.poll(printed).toHaveLength(1);
    const record: unknown = JSON.parse(printed()[0]?.text ?? '');
    expect(record).toMatchObject({
      messageId: expect.stringMatching(/^[\da-f-]{36}$/),
      body: '{"id":"record","does":"log"}',
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
    await sendBatch({ id: 'good' }, { id: 'bad', does: 'poison' }, { id: 'fine' });
    await stack.idle();
    expect(stateOf('work')).toEqual({ ...EMPTY, inFlight: 1 });
    await stack.advance(MINUTE);
    expect(await stack.count('bad')).toBe(2);
    expect([await stack.count('good'), await stack.count('fine')]).toEqual([1, 1]);
  });

  it.each(['unknown id', 'empty id', 'throw'])('keeps the whole batch when the function answers: %s', async (does) => {
    await sendBatch({ id: `${does} 1`, does }, { id: `${does} 2` });
    await stack.idle();
    expect(stateOf('work')).toEqual({ ...EMPTY, inFlight: 2 });
  });

  it('takes null for success', async () => {
    await send({ id: 'null', does: 'null' });
    await stack.idle();
    expect(stateOf('work')).toEqual(EMPTY);
  });

  it('works on no more batches at once than its maximum concurrency', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await send({ id, does: 'wait' });
    await stack.idle();
    const words = () => stack.logs.lines('work').flatMap(({ text }) => /^(begins|ends)/.exec(text)?.[0] ?? []);
    const open = () => words().filter((word) => word === 'begins').length * 2 - words().length;
    await expect.poll(open).toBe(0);
    let running = 0;
    const atOnce = words().map((word) => (word === 'begins' ? ++running : --running));
    expect(Math.max(...atOnce)).toBe(2);
  });
});

describe('a message that always fails', () => {
  it('is tried five times, a visibility timeout apart, and then lies among the dead letters', async () => {
    const before = deadLetters();
    await send({ id: 'poisoned', does: 'poison' });
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      await stack.idle();
      expect([await stack.count('poisoned'), deadLetters()]).toEqual([attempt, before]);
      await stack.advance(MINUTE);
    }
    expect(await stack.count('poisoned')).toBe(TRIES);
    expect([stateOf('work'), deadLetters()]).toEqual([EMPTY, before + 1]);
  });
});

describe('a delayed message', () => {
  it('arrives when the clock has passed its delay, and not before', async () => {
    await send({ id: 'late' }, 300);
    await stack.advance(200_000);
    expect([await stack.count('late'), stateOf('work')]).toEqual([0, { ...EMPTY, delayed: 1 }]);
    await stack.advance(100_000);
    expect(await stack.count('late')).toBe(1);
  });
});

describe('faults', () => {
  it('deliverTwice delivers each message twice', async () => {
    stack.faults.deliverTwice = true;
    await send({ id: 'twice' });
    await sendBatch({ id: 'twice in a batch' });
    await stack.idle();
    expect([await stack.count('twice'), await stack.count('twice in a batch')]).toEqual([2, 2]);
    stack.faults.deliverTwice = false;
    await send({ id: 'not twice' });
    await stack.idle();
    expect(await stack.count('not twice')).toBe(1);
  });

  it('dropOnce accepts each distinct message and loses it once', async () => {
    stack.faults.dropOnce = true;
    await send({ id: 'lost' });
    await sendBatch({ id: 'lost in a batch' });
    await stack.idle();
    expect([await stack.count('lost'), await stack.count('lost in a batch')]).toEqual([0, 0]);
    await send({ id: 'lost' });
    await stack.idle();
    expect([await stack.count('lost'), await stack.count('lost in a batch')]).toEqual([1, 0]);
  });

  it('dropOnce does not lose what goes to the dead letters', async () => {
    const before = deadLetters();
    await send({ id: 'not lost', does: 'poison' });
    await stack.idle();
    stack.faults.dropOnce = true;
    await stack.advance(TRIES * MINUTE);
    expect(deadLetters()).toBe(before + 1);
  });
});
