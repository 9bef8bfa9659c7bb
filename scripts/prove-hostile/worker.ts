import { startTestTables } from '#test/support/dynalite.ts';
import { BATCH, runBatch } from './run-batch.ts';

/** What a worker process is asked: a batch with so many cases of it, or one of them. */
export interface Order {
  readonly seed: number;
  readonly batch: number;
  readonly count: number;
  readonly only?: number;
}

const tables = await startTestTables();
process.on('message', (order: Order) => {
  runBatch(tables, { ...order, onCase: (done) => process.send?.({ done }) }).then(
    (tally) => process.send?.({ tally }),
    (error: unknown) => process.send?.({ error: `batch ${order.batch * BATCH}: ${String(error)}` }),
  );
});
process.send?.({ ready: true });
