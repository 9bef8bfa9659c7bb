import '#test/support/quiet.ts';

import { describe, expect, it } from 'vitest';
import { scheduled } from '#lib/edge/schedule.ts';
import { aLambdaContext } from '#test/support/builders/lambda.ts';

describe('scheduled', () => {
  it('runs the use case once, whatever the event holds', async () => {
    let runs = 0;
    const handler = scheduled(async () => ({ runs: (runs += 1) }));
    expect(await handler({ time: 'x' }, aLambdaContext())).toEqual({ runs: 1 });
    expect(runs).toBe(1);
  });

  it('fails the invocation when the use case throws', async () => {
    const handler = scheduled(() => Promise.reject(new Error('unexpected')));
    await expect(handler({}, aLambdaContext())).rejects.toThrow('unexpected');
  });
});
