import '#test/support/quiet.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { runBatch } from '../../scripts/prove-hostile/run-batch.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

describe('150 hostile answers of models', () => {
  it('write nothing outside of the policy, and publish nothing that is secret or active', {
    timeout: 240_000,
  }, async () => {
    const tally = await runBatch(tables, { seed: 7, batch: 0, answers: 150 });
    const { outside, secrets, unsafe, crashes } = tally;
    expect({ outside, secrets, unsafe, crashes }).toEqual({ outside: [], secrets: [], unsafe: [], crashes: [] });
    // The suite would prove nothing if nothing went out at all.
    expect(tally).toMatchObject({ issues: expect.any(Number) as number });
    expect(tally.answers).toBeGreaterThanOrEqual(150);
    expect(tally.pulls).toBeGreaterThan(3);
    expect(tally.comments).toBeGreaterThan(10);
  });
});
