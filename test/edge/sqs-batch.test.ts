import '#test/support/quiet.ts';

import { describe, expect, it } from 'vitest';
import { InputError } from '#lib/domain/errors.ts';
import { sqsBatch, type Work } from '#lib/edge/sqs-batch.ts';
import { aLambdaContext, anSqsEvent } from '#test/support/builders/lambda.ts';

const body = (incident: string) => JSON.stringify({ incident });

/** Runs a batch; returns what was reported as failed and which incidents were begun, in order. */
async function run(
  bodies: readonly string[],
  useCase: (incident: string, work: Work) => Promise<void>,
  remaining = 60_000,
) {
  const begun: string[] = [];
  const handler = sqsBatch('evidence', async ({ incident }, work) => {
    begun.push(incident);
    await useCase(incident, work);
  });
  const context = aLambdaContext({ getRemainingTimeInMillis: () => remaining });
  const { batchItemFailures } = await handler(anSqsEvent(bodies), context);
  return { begun, failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
}

const done = async () => {};

describe('sqsBatch', () => {
  it('works all records in order', async () => {
    expect(await run(['a', 'b', 'c'].map(body), done)).toEqual({ begun: ['a', 'b', 'c'], failed: [] });
  });

  it('does not begin a record before the one before it has ended', async () => {
    let running = 0;
    await run(['a', 'b', 'c'].map(body), async () => {
      expect((running += 1)).toBe(1);
      await new Promise((resolve) => void setImmediate(resolve));
      running -= 1;
    });
    expect(running).toBe(0);
  });

  it.each(['not JSON', '{}', '[]', 'null', '{"incident":7}', JSON.stringify({ incident: 'x'.repeat(300) })])(
    'fails a body that cannot be parsed and none of its neighbours: %s',
    async (poison) => {
      const { begun, failed } = await run([body('a'), poison, body('c')], done);
      expect({ begun, failed }).toEqual({ begun: ['a', 'c'], failed: ['message-1'] });
    },
  );

  it('fails the record whose use case throws and none of its neighbours', async () => {
    const throwing = async (incident: string) => {
      if (incident === 'b') throw new InputError('unexpected');
    };
    const { begun, failed } = await run(['a', 'b', 'c'].map(body), throwing);
    expect({ begun, failed }).toEqual({ begun: ['a', 'b', 'c'], failed: ['message-1'] });
  });

  it('reports every record of a batch that fails as a whole', async () => {
    const throwing = () => Promise.reject(new Error('unexpected'));
    expect((await run(['a', 'b'].map(body), throwing)).failed).toEqual(['message-0', 'message-1']);
  });

  it('gives records back when the time of the function ends, and tells the one at work', async () => {
    let wasAborted = false;
    const hanging = (_incident: string, { signal }: Work) =>
      new Promise<void>(() => signal.addEventListener('abort', () => (wasAborted = true)));
    const { begun, failed } = await run(['a'].map(body), hanging, 1_020);
    expect({ begun, failed, wasAborted }).toEqual({ begun: ['a'], failed: ['message-0'], wasAborted: true });
  });

  it('begins nothing when there is no time left', async () => {
    expect(await run(['a', 'b'].map(body), done, 900)).toEqual({ begun: [], failed: ['message-0', 'message-1'] });
  });
});
