import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { toSelector } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import type { DetectPorts } from '#lib/app/detect-ports.ts';
import { detectWindow } from '#lib/app/detect-window.ts';
import { showSession } from '#lib/app/show-session.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { MILLIS_PER_DAY, toIso, toNanos } from '#lib/domain/time.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { startKubernetes } from '#lib/local/kubernetes/server.ts';
import { type LokiOptions, startLoki } from '#lib/local/loki/server.ts';
import { clusterOn, peerOf } from '#test/contracts/cluster/peer.ts';
import { aLambdaContext, anSqsEvent } from '#test/support/builders/lambda.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';
import { advising } from './events.ts';

const MINUTE = 60_000;
const START = Math.floor((Date.now() - 60 * MINUTE) / 1000) * 1000;
const tls = (name: string): string => readFileSync(join(import.meta.dirname, '../../support/tls', name), 'utf8');

let server: TestTables;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A play that started an hour ago in a namespace of its own, and a handler of `detect` that is to look at it. */
async function aWorld(peers: Pick<DetectPorts, 'logs' | 'cluster'>) {
  const namespace = `ns-${randomUUID().slice(0, 8)}`;
  const playId = `play-${randomUUID().slice(0, 8)}`;
  let now = START;
  const clock = { now: () => now };
  const client = toDocumentClient();
  const ports: DetectPorts = {
    sessions: sessionStore({ client, table: server.tables.Sessions, clock }),
    windows: dynamoWindowStore(client, server.tables.Windows, { days: 30 }),
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    remediations: { get: () => Promise.resolve(undefined), expose: () => Promise.resolve(true) },
    queues: recordingQueues().queues,
    redactor: createRedactor(),
    clock,
    ids: { uuid: randomUUID },
    ...peers,
  };
  const session = aSession({ playId, namespace, startedAt: toIso(START) });
  await ports.sessions.start(session, { expiresAt: START + MILLIS_PER_DAY, removeAt: START + 30 * MILLIS_PER_DAY });
  const look = async (minutes: number, changed: Partial<DetectPorts> = {}) => {
    now = START + minutes * MINUTE;
    const selector = (name: string) => toSelector({ namespace: name });
    const options = { attribution: DEFAULT_ATTRIBUTION, platformRepository: null, lineFilter: null, selector };
    const handler = sqsBatch('window', detectWindow({ ...ports, ...changed }, options));
    return handler(anSqsEvent([JSON.stringify({ source: 'loki', namespace })]), aLambdaContext());
  };
  return { look, namespace, playId, show: () => showSession(ports, 'loki', playId), ports };
}

const anEntry = (namespace: string, pod: string) => ({
  stream: { namespace, pod, container: 'agent' },
  values: [[String(toNanos(START + MINUTE)), 'an ordinary line'] as const],
});

const sourceAt = (url: string) =>
  lokiSource({ url }, { clock: { now: () => Date.now() }, sleep: () => Promise.resolve() });

async function aLoki(options: LokiOptions = {}) {
  const loki = await startLoki(options);
  closers.push(() => loki.stop());
  return loki;
}

/** What an operator meets with logs, what the session says of it, and what would be right. */
const LOGS: readonly {
  readonly name: string;
  readonly address: () => Promise<string>;
  readonly reason: RegExp;
  readonly advice: RegExp;
}[] = [
  {
    name: 'Loki wants a tenant',
    address: async () => (await aLoki({ tenants: true })).url,
    reason: /Loki answered 401: no org id/,
    advice: /Loki runs with tenants: set the tenant/,
  },
  {
    name: 'a wrong token',
    address: async () => {
      const peer = await aHttpPeer((response) => response.writeHead(401).end('authentication error: invalid token'));
      closers.push(() => peer.stop());
      return peer.url;
    },
    reason: /Loki answered 401/,
    advice: /Check the user, password or token for Loki/,
  },
  {
    name: 'HTML from a proxy',
    address: async () => {
      const loki = await aLoki();
      loki.faults.use('html');
      return loki.url;
    },
    reason: /not Loki's: it is a page of markup/,
    advice: /A proxy or another server answers in Loki's place/,
  },
  {
    name: 'a selector that matches nothing',
    address: async () => (await aLoki()).url,
    reason: /The log selector matches no stream/,
    advice: /selector template \(LOKI_SELECTOR\)/,
  },
];

describe('logs that cannot be read', () => {
  it.each(LOGS)(
    '$name: the session is blind and says why, one log event has the advice, and it is read later',
    async (row) => {
      const world = await aWorld({ logs: sourceAt(await row.address()), cluster: null });
      let answer: unknown;
      const events = await advising(async () => (answer = await world.look(10)));
      expect(answer).toEqual({ batchItemFailures: [] });
      const { coverage } = await world.show();
      expect(coverage).toMatchObject({
        state: 'blind',
        reason: expect.stringMatching(row.reason),
        advice: expect.stringMatching(row.advice),
      });
      expect(events).toMatchObject([{ level: 'WARN', message: 'record done', advice: coverage.advice }]);

      // The sweep asks again, and what was written in the meantime is read once the logs can be.
      const due = await world.ports.windows.overdue(START + 20 * MINUTE, 100);
      expect(due.map(({ namespace }) => namespace)).toContain(world.namespace);
      if (coverage.reason?.includes('stream') === true) return;
      const repaired = await aLoki();
      repaired.push([anEntry(world.namespace, `${world.playId}-rex-claude-5c8d7b9f4`)]);
      expect(await advising(() => world.look(20, { logs: sourceAt(repaired.url) }))).toEqual([]);
      const seen = (await world.show()).coverage;
      expect([seen.read?.lines, seen.gaps]).toEqual([1, []]);
    },
  );
});

/** The same of a cluster; the logs are read meanwhile. */
const CLUSTERS: readonly {
  readonly name: string;
  readonly cluster: () => Promise<DetectPorts['cluster']>;
  readonly reason: RegExp;
  readonly advice: RegExp;
}[] = [
  {
    name: 'the certificate is unknown',
    cluster: async () => {
      const embedded = await aCluster({ tls: { key: tls('server.key'), cert: tls('server.pem') } });
      return clusterOn(peerOf(embedded, 'cto', tls('other-ca.pem')));
    },
    reason: /The certificate of the API server is not accepted/,
    advice: /Set KUBE_CA to the certificate authority of this cluster/,
  },
  {
    name: 'a right is missing',
    cluster: async () => {
      const embedded = await aCluster();
      embedded.deny('pods');
      return clusterOn(peerOf(embedded));
    },
    reason: /Kubernetes answered 403 for pods/,
    advice: /Grant the service account the right: .*resources \["pods"\], verbs \["get", "list"\]/,
  },
  {
    name: 'a wrong token',
    cluster: async () => clusterOn({ ...peerOf(await aCluster()), token: 'of-another-cluster' }),
    reason: /Kubernetes answered 401/,
    advice: /create one \(kubectl create token healer\)/,
  },
  {
    name: 'HTML from a proxy',
    cluster: async () => {
      const embedded = await aCluster();
      embedded.faults.use('html');
      return clusterOn(peerOf(embedded));
    },
    reason: /not Kubernetes'|Kubernetes answered/,
    advice: /Check KUBE_URL|proxy/,
  },
];

async function aCluster(options: Parameters<typeof startKubernetes>[0] = {}) {
  const embedded = await startKubernetes(options);
  closers.push(() => embedded.stop());
  return embedded;
}

describe('a cluster that cannot be read', () => {
  it.each(CLUSTERS)('$name: the session says why, one log event has the advice, and the logs are read', async (row) => {
    const loki = await aLoki();
    const world = await aWorld({ logs: sourceAt(loki.url), cluster: await row.cluster() });
    loki.push([anEntry(world.namespace, `${world.playId}-rex-claude-5c8d7b9f4`)]);
    let answer: unknown;
    const events = await advising(async () => (answer = await world.look(2)));
    expect(answer).toEqual({ batchItemFailures: [] });
    const { coverage } = await world.show();
    expect(coverage).toMatchObject({
      state: 'proven',
      cluster: {
        state: 'blind',
        reason: expect.stringMatching(row.reason),
        advice: expect.stringMatching(row.advice),
      },
      read: { lines: 1 },
    });
    expect(events).toMatchObject([{ level: 'WARN', message: 'record done', advice: coverage.cluster?.advice }]);
  });
});
