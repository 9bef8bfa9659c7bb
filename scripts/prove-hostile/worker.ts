import { startTestTables } from '#test/support/dynalite.ts';
import { type BatchOptions, runBatch } from './run-batch.ts';
import type { Tally } from './tally.ts';

/** What a worker process tells: that it is ready for a batch, answers of one more case, the end of a batch. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'case'; readonly answers: number }
  | { readonly kind: 'batch'; readonly tally: Tally }
  | { readonly kind: 'failed'; readonly message: string };

const report = (one: Report): void => void process.send?.(one);

const tables = await startTestTables();
process.on('message', (options: BatchOptions) => {
  runBatch(tables, { ...options, onCase: (answers) => report({ kind: 'case', answers }) }).then(
    (tally) => report({ kind: 'batch', tally }),
    (error: unknown) =>
      report({ kind: 'failed', message: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
});
report({ kind: 'ready' });
