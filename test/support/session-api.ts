import { startTestTables, type TestTables } from './dynalite.ts';
import { startTestQueues } from './queues.ts';

/** The two functions that serve the session API, over emulated tables and a window queue. */
export interface SessionApi {
  readonly write: typeof import('../../functions/session-write.ts').handler;
  readonly read: typeof import('../../functions/session-read.ts').handler;
  readonly tables: TestTables['tables'];
  stop(): Promise<void>;
}

/** @param allowed the repositories that sessions may name */
export async function startSessionApi(allowed = 'acme/*'): Promise<SessionApi> {
  const server = await startTestTables();
  const queues = await startTestQueues(['window']);
  Object.assign(process.env, {
    SESSIONS_TABLE: server.tables.Sessions,
    WINDOWS_TABLE: server.tables.Windows,
    INCIDENTS_TABLE: server.tables.Incidents,
    WINDOW_QUEUE_URL: queues.urls.window,
    ALLOWED_REPOSITORIES: allowed,
  });
  const { handler: write } = await import('../../functions/session-write.ts');
  const { handler: read } = await import('../../functions/session-read.ts');
  const stop = async () => {
    await Promise.all([server.stop(), queues.stop()]);
  };
  return { write, read, tables: server.tables, stop };
}
