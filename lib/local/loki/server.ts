import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LokiFaults } from './faults.ts';
import { createFaults } from './faults.ts';
import type { LokiBackend } from './handle-request.ts';
import { handleRequest, NO_TENANT } from './handle-request.ts';
import type { PushedStream, PushOutcome } from './push-entries.ts';
import { pushStreams } from './push-entries.ts';
import type { LokiStore } from './store.ts';

export interface LokiOptions {
  /** Port on 127.0.0.1; 0 takes a free one. */
  readonly port?: number;
  /** Loki's `auth_enabled`: each request must name a tenant in X-Scope-OrgID. */
  readonly tenants?: boolean;
  /** Loki's `max_entries_limit_per_query`; 5,000 by default, as in Loki. */
  readonly maxEntries?: number;
  /** Keeps pushes as JSON lines in this file and reads them again at the next start. */
  readonly file?: string;
}

/** A running Loki-compatible server; time is `Date.now()`. */
export interface EmbeddedLoki {
  readonly url: string;
  readonly faults: LokiFaults;
  /** Stores entries as a push over HTTP would, whatever fault is on. */
  push(streams: readonly PushedStream[], tenant?: string): PushOutcome;
  /** Number of entries held, all tenants. */
  count(): number;
  stop(): Promise<void>;
}

/** Starts the server on 127.0.0.1. @throws when the port is taken or the kept file is not readable. */
export async function startLoki(options: LokiOptions = {}): Promise<EmbeddedLoki> {
  const faults = createFaults();
  const stores = new Map<string, LokiStore>();
  const push = (tenant: string, streams: readonly PushedStream[]) => {
    const outcome = pushStreams(storeOf(stores, tenant), streams, faults.lateMs());
    if (options.file) appendFileSync(options.file, `${JSON.stringify({ tenant, streams })}\n`);
    return outcome;
  };
  const { tenants = false, maxEntries = 5000 } = options;
  const backend: LokiBackend = { tenants, maxEntries, faults, push, storeOf: (tenant) => storeOf(stores, tenant) };
  if (options.file) reload(stores, options.file);
  const server = createServer((request, response) => void handleRequest(backend, request, response));
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    push: (streams, tenant = NO_TENANT) => push(tenant, streams),
    count: () => [...stores.values()].reduce((sum, store) => sum + countOf(store), 0),
    stop: () => stop(server),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const countOf = ({ streams }: LokiStore): number =>
  [...streams.values()].reduce((sum, { entries }) => sum + entries.length, 0);

function storeOf(stores: Map<string, LokiStore>, tenant: string): LokiStore {
  const store = stores.get(tenant) ?? { streams: new Map() };
  stores.set(tenant, store);
  return store;
}

/** Pushes what the file holds again: the same checks give the same store; what has become too old since is left out. */
function reload(stores: Map<string, LokiStore>, file: string): void {
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { tenant, streams } = JSON.parse(line) as { tenant: string; streams: PushedStream[] };
    pushStreams(storeOf(stores, tenant), streams, 0);
  }
}
