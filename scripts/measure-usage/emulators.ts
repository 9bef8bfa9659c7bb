import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { startTestTables } from '#test/support/dynalite.ts';

/** DynamoDB and Loki in a process of their own, so that the time of the parent's processor is the function's alone. */
const server = await startTestTables();
const loki = await startLoki();
process.on('message', (streams: Parameters<EmbeddedLoki['push']>[0]) => {
  loki.push(streams);
  process.send?.('pushed');
});
// The parent has ended, whatever the reason.
process.on('disconnect', () => process.exit(0));
process.send?.({ env: server.env, tables: server.tables, loki: loki.url });
