import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { toSelector, withLabelFilters } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import type { DetectOptions, DetectPorts } from '#lib/app/detect-ports.ts';
import { detectWindow } from '#lib/app/detect-window.ts';
import { gatherEvidence } from '#lib/app/gather-evidence.ts';
import { showSession } from '#lib/app/show-session.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { builtInPatterns } from '#lib/domain/detection/patterns/registry.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso, toNanos } from '#lib/domain/time.ts';
import { KUBERNETES_FAULTS } from '#lib/local/kubernetes/faults.ts';
import { codeRunObject, eventObject, jobObject, type PodOf, podObject } from '#lib/local/kubernetes/objects.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { clusterOn, peerOf } from '#test/contracts/cluster/peer.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const MINUTE = 60_000;
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

let server: TestTables;
let loki: EmbeddedLoki;
let kubernetes: EmbeddedKubernetes;
let ports: DetectPorts;
let options: DetectOptions;
let queue: ReturnType<typeof recordingQueues>;
let now: number;
let start: number;
let namespace: string;
let playId: string;
let pod: string;

beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

beforeEach(async () => {
  [loki, kubernetes] = await Promise.all([startLoki(), startKubernetes()]);
  now = Math.floor((Date.now() - 2 * MILLIS_PER_HOUR) / 1000) * 1000;
  start = now;
  namespace = `ns-${randomUUID().slice(0, 8)}`;
  playId = `play-${randomUUID().slice(0, 8)}`;
  pod = `${playId}-rex-abc12`;
  queue = recordingQueues();
  const client = toDocumentClient();
  const clock = { now: () => now };
  ports = {
    sessions: sessionStore({ client, table: server.tables.Sessions, clock }),
    windows: dynamoWindowStore(client, server.tables.Windows, { days: 30 }),
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    remediations: { get: () => Promise.resolve(undefined), expose: () => Promise.resolve(true) },
    logs: lokiSource({ url: loki.url }, { clock: { now: () => Date.now() }, sleep: async () => {} }),
    cluster: clusterOn(peerOf(kubernetes), { timeoutMs: 500, budgetMs: 1500 }),
    queues: queue.queues,
    redactor: createRedactor(),
    clock,
    ids: { uuid: randomUUID },
  };
  options = {
    attribution: DEFAULT_ATTRIBUTION,
    platformRepository: null,
    selector: (name, one) => {
      const selector = toSelector({ namespace: name });
      return one === undefined ? selector : withLabelFilters(selector, [{ label: 'pod', op: '=', value: one }]);
    },
    lineFilter: toLineFilter(builtInPatterns().patterns),
  };
  const session = aSession({
    playId,
    namespace,
    startedAt: toIso(start),
    repository: `acme/${namespace}`,
    agents: { rex: anAgent() },
  });
  await ports.sessions.start(session, {
    expiresAt: start + 48 * MILLIS_PER_HOUR,
    removeAt: start + 30 * MILLIS_PER_DAY,
  });
  return () => Promise.all([loki.stop(), kubernetes.stop()]).then(() => undefined);
});

const look = () => detectWindow(ports, options)({ source: 'loki', namespace });
const found = async () => (await ports.incidents.ofPlay(playId)).map(({ finding }) => finding);
const view = () => showSession(ports, 'loki', playId);

function say(line: string, from = pod): void {
  const values = [[String(toNanos(now)), line] as const];
  loki.push([{ stream: { namespace, pod: from, container: 'agent' }, values }]);
}

const put = (of: Partial<PodOf> = {}) =>
  kubernetes.put(podObject({ name: pod, namespace, startedAt: start, createdAt: start, ...of }));

/** The agent is killed for its memory 40 s after the start, and says nothing. */
const kill = (change: Partial<PodOf> = {}) => {
  const end = { reason: 'OOMKilled', exitCode: 137, message: `env TOKEN=${SECRET}`, startedAt: start + 2000 };
  put({ phase: 'Failed', containers: [{ end: { ...end, finishedAt: start + 40_000 } }], ...change });
};

async function gathered() {
  const client = toDocumentClient();
  const evidence = dynamoEvidenceStore(client, server.tables.Evidence, { days: 30, clock: ports.clock });
  const [incident] = (await ports.incidents.ofPlay(playId)).map(({ incidentId }) => incidentId);
  const selector = (name: string) => toSelector({ namespace: name });
  const gather = gatherEvidence({ ...ports, evidence }, { attribution: DEFAULT_ATTRIBUTION, selector });
  await gather({ incident: incident ?? '' });
  return evidence.load(incident ?? '').then((pack) => pack ?? expect.fail('no evidence is stored'));
}

describe('a pod that was killed without a line', () => {
  it('becomes an incident with the end of its container as evidence, and a diagnosis that cites it', async () => {
    kill();
    kubernetes.put(
      eventObject({
        name: `${pod}.1`,
        namespace,
        reason: 'BackOff',
        message: 'again',
        object: { kind: 'Pod', name: pod },
        at: start + 45_000,
      }),
    );
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'done', findings: 1, fresh: 1 });
    const pack = await gathered();
    const [k1] = pack.pieces.filter(({ role }) => role === 'hit');
    expect(k1).toMatchObject({ id: expect.stringMatching(/^K\d$/), kind: 'kubernetes', agent: 'rex', pod });
    expect(k1?.text).toContain(
      `Pod ${pod} container agent terminated: reason=OOMKilled exitCode=137 memoryLimit=512Mi`,
    );
    expect(pack.pieces.map(({ text }) => text).join('\n')).toContain('Event BackOff');
    const diagnosis = diagnose(pack);
    expect(diagnosis).toMatchObject({ confidence: 'certain', summary: expect.stringContaining('ran out of memory') });
    expect(diagnosis.cause.map(({ evidence }) => evidence)).toEqual(diagnosis.cause.map(() => [k1?.id]));
    expect(verifyClaims(diagnosis, pack)).toEqual(diagnosis);
    expect(pack.gaps).toEqual([]);
  });

  it('leaks nothing of what its objects say', async () => {
    kill({ message: SECRET });
    now += MINUTE;
    await look();
    const stored = JSON.stringify([await found(), await gathered()], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(stored).toContain('OOMKilled');
    expect(stored).not.toContain(SECRET);
  });

  it('is told once, however often the cluster shows it', async () => {
    kill();
    for (let minute = 0; minute < 5; minute += 1) {
      now += MINUTE;
      await look();
    }
    expect(await found()).toHaveLength(1);
    expect(queue.sent.filter(({ queue: name }) => name === 'evidence')).toHaveLength(1);
  });

  it('is told with what was seen when its objects are gone', async () => {
    kill();
    now += MINUTE;
    await look();
    kubernetes.remove('Pod', namespace, pod);
    expect((await gathered()).pieces.filter(({ role }) => role === 'hit')).toMatchObject([
      { id: 'K1', text: expect.stringContaining('reason=OOMKilled') },
    ]);
  });

  it('takes the place of the exit code that its wrapper logged', async () => {
    now = start + 41_000;
    say('❌ CLI execution failed with exit code: 137');
    kill();
    now = start + MINUTE + 20_000;
    await look();
    now += MINUTE;
    await look();
    expect((await found()).map(({ pattern, count }) => [pattern, count])).toEqual([['kubernetes.oom', 2]]);
  });
});

describe('what the cluster knows', () => {
  it('attributes lines and pods by the owner chain', async () => {
    pod = 'runner-5d8f-abc12';
    put({ owner: { kind: 'Job', name: 'play-coderun-9' } });
    kubernetes.put(jobObject({ name: 'play-coderun-9', namespace, active: 1 }));
    const spec = { service: 'widgets-api', taskId: 7, githubApp: '5DLabs-Rex' };
    kubernetes.put(codeRunObject({ name: 'run-9', namespace, jobName: 'play-coderun-9', spec }));
    now += 20_000;
    say("thread 'main' panicked at src/main.rs:4:2:\nboom");
    now += MINUTE;
    await look();
    expect(await found()).toMatchObject([{ pattern: 'crash.panic', agent: 'rex', pod }]);
  });

  it('is when an agent began: its first line may come much later', async () => {
    put({ containers: [{ startedAt: start }] });
    now += 100_000;
    say('ERROR: Tool inventory MISMATCH - missing from CLI: [web_search]');
    now += 1000;
    await look();
    expect(await found()).toMatchObject([{ category: 'runtime', code: null, identity: { tool: 'web_search' } }]);
  });

  it('is that a pod has ended, so that nothing in it can recover any more', async () => {
    const line = 'Failed: Failed to pull image "images.example.com/agent:none": not found';
    const event = { type: 'Warning', reason: 'Failed', object: `Pod/${pod}`, message: line };
    now += 5000;
    say(JSON.stringify(event));
    put({ phase: 'Failed', containers: [{ end: { reason: 'Error', exitCode: 1, finishedAt: start + 8000 } }] });
    now += 40_000;
    await look();
    expect((await found()).map(({ pattern }) => pattern)).toEqual(['kubernetes.image']);
  });
});

describe('a session', () => {
  const run = (phase: 'Running' | 'Succeeded' | 'Failed') =>
    kubernetes.put(
      codeRunObject({ name: `${playId}-rex`, namespace, phase, createdAt: start, finishedAt: start + 30_000 }),
    );

  it.each([
    ['Succeeded', 'completed'],
    ['Failed', 'failed'],
  ] as const)('ends when all its CodeRuns are terminal: %s', async (phase, status) => {
    run('Running');
    now += MINUTE;
    await look();
    expect((await view()).session.status).toBe('active');
    run(phase);
    now += 2 * MINUTE;
    queue.take();
    await look();
    expect((await view()).session).toMatchObject({ status, endedAt: toIso(now) });
    expect(queue.sent.filter(({ queue: name }) => name === 'window').map(({ delaySeconds }) => delaySeconds)).toEqual([
      5,
    ]);
  });

  it('keeps the end that somebody else gave it', async () => {
    run('Failed');
    now += 5 * MINUTE;
    await ports.sessions.end(playId, 'cancelled', now);
    await look();
    expect((await view()).session.status).toBe('cancelled');
  });
});

describe('a cluster that does not answer', () => {
  it.each(KUBERNETES_FAULTS.filter((fault) => fault !== 'expired'))(
    '%s never keeps the log from being read',
    async (fault) => {
      kill();
      kubernetes.faults.use(fault, { ms: 3000 });
      now += 20_000;
      say("thread 'main' panicked at src/main.rs:4:2:\nboom");
      now += MINUTE;
      expect(await look()).toMatchObject({
        kind: 'done',
        findings: 1,
        cluster: expect.stringMatching(/Kubernetes|API server/),
      });
      expect(await found()).toMatchObject([{ pattern: 'crash.panic' }]);
      expect((await view()).coverage).toMatchObject({
        state: 'proven',
        cluster: { state: 'blind', reason: expect.any(String), advice: expect.stringMatching(/\.$/) },
      });
      const pack = await gathered();
      expect(pack.gaps.join(' ')).toContain('Kubernetes could not be read');
      kubernetes.faults.clear();
      now += MINUTE;
      await look();
      expect((await view()).coverage.cluster).toMatchObject({ state: 'seen', reason: null, advice: null });
    },
  );

  it('is made up for once it answers again: what died meanwhile is told', async () => {
    kubernetes.faults.use('down');
    kill();
    for (let minute = 0; minute < 10; minute += 1) {
      now += MINUTE;
      await look();
    }
    expect(await found()).toEqual([]);
    kubernetes.faults.clear();
    now += MINUTE;
    await look();
    expect(await found()).toMatchObject([{ pattern: 'kubernetes.oom', pod }]);
  });

  it('is waited for after the end of a session, for an hour', async () => {
    kubernetes.faults.use('down');
    kill();
    await ports.sessions.end(playId, 'failed', now);
    for (let minute = 0; minute < 50; minute += 1) {
      now += MINUTE;
      expect((await look()).kind).toBe('done');
    }
    kubernetes.faults.clear();
    now += MINUTE;
    await look();
    expect(await found()).toMatchObject([{ pattern: 'kubernetes.oom', pod }]);
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'skipped', reason: 'no session to watch' });
  });

  it('is given up an hour after the end of a session', async () => {
    kubernetes.faults.use('down');
    await ports.sessions.end(playId, 'failed', now);
    now += MINUTE;
    await look();
    now += 59 * MINUTE;
    await look();
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'skipped', reason: 'no session to watch' });
  });

  it('tells which right is missing, and uses what it may read', async () => {
    kubernetes.deny('coderuns');
    kill();
    now += MINUTE;
    await look();
    expect(await found()).toHaveLength(1);
    expect((await view()).coverage.cluster).toMatchObject({
      state: 'blind',
      advice: expect.stringContaining('coderuns'),
    });
    expect((await gathered()).gaps.join(' ')).toContain('Of Kubernetes the coderuns could not be read');
  });

  it('is left alone where the namespace is not among the configured ones, and the session says so', async () => {
    ports = { ...ports, cluster: { ...ports.cluster, read: expect.unreachable, reads: (name) => name !== namespace } };
    kill();
    say("thread 'main' panicked at src/main.rs:4:2:\nboom");
    now += MINUTE;
    await look();
    expect(await found()).toMatchObject([{ pattern: 'crash.panic' }]);
    expect((await view()).coverage).toMatchObject({
      state: 'proven',
      cluster: {
        state: 'blind',
        reason: expect.stringContaining('namespace'),
        advice: expect.stringContaining('kubernetes.namespaces'),
      },
    });
    expect((await gathered()).gaps.join(' ')).toContain('kubernetes.namespaces');
    await ports.sessions.end(playId, 'failed', now);
    now += 5 * MINUTE;
    await look();
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'skipped', reason: 'no session to watch' });
  });

  it('is not missed where none is configured', async () => {
    ports = { ...ports, cluster: null };
    say('hello');
    now += MINUTE;
    await look();
    expect((await view()).coverage).not.toHaveProperty('cluster');
  });
});
