import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { toSelector, withLabelFilters } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import type { DetectOptions, DetectPorts } from '#lib/app/detect-ports.ts';
import { detectWindow } from '#lib/app/detect-window.ts';
import { createPlayMemory } from '#lib/app/play-memory.ts';
import { showSession } from '#lib/app/show-session.ts';
import { sweep } from '#lib/app/sweep.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { builtInPatterns } from '#lib/domain/detection/patterns/registry.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso, toNanos } from '#lib/domain/time.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const MINUTE = 60_000;
const A10 = 'ERROR: Tool inventory MISMATCH - missing from CLI: [web_search]';

let server: TestTables;
let loki: EmbeddedLoki;
let ports: DetectPorts;
let options: DetectOptions;
let queue: ReturnType<typeof recordingQueues>;
/** The embedded Loki takes lines of the last week; the test's own time begins two hours ago. */
let now: number;
let namespace: string;

beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

beforeEach(async () => {
  loki = await startLoki();
  now = Date.now() - 2 * MILLIS_PER_HOUR;
  namespace = `ns-${randomUUID().slice(0, 8)}`;
  queue = recordingQueues();
  const client = toDocumentClient();
  const clock = { now: () => now };
  ports = {
    sessions: sessionStore({ client, table: server.tables.Sessions, clock }),
    windows: dynamoWindowStore(client, server.tables.Windows, { days: 30 }),
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    remediations: dynamoRemediationStore(client, server.tables.Incidents),
    logs: lokiSource({ url: loki.url }, { clock: { now: () => Date.now() }, sleep: async () => {} }),
    queues: queue.queues,
    redactor: createRedactor(),
    clock,
    ids: { uuid: randomUUID },
  };
  options = {
    attribution: DEFAULT_ATTRIBUTION,
    platformRepository: null,
    selector: (name, pod) => {
      const selector = toSelector({ namespace: name });
      return pod === undefined ? selector : withLabelFilters(selector, [{ label: 'pod', op: '=', value: pod }]);
    },
    lineFilter: toLineFilter(builtInPatterns().patterns),
  };
  return () => loki.stop();
});

async function aPlay(playId = `play-${randomUUID().slice(0, 8)}`): Promise<string> {
  const startedAt = toIso(now);
  const session = aSession({ playId, namespace, startedAt, lastUpdated: startedAt, agents: { rex: anAgent() } });
  await ports.sessions.start(session, {
    expiresAt: now + 48 * MILLIS_PER_HOUR,
    removeAt: now + 30 * MILLIS_PER_DAY,
  });
  return playId;
}

const look = () => detectWindow(ports, options)({ source: 'loki', namespace });

function say(playId: string, line: string, pod = `${playId}-rex-abc12`): void {
  const values = [[String(toNanos(now)), line] as const];
  const { refusals } = loki.push([{ stream: { namespace, pod, container: 'agent' }, values }]);
  expect(refusals).toEqual([]);
}

const found = async (playId: string) => (await ports.incidents.ofPlay(playId)).map(({ finding }) => finding);
const view = (playId: string) => showSession(ports, 'loki', playId);

/** The sweep of a deployment that watches this test's namespaces only. */
async function sweptNamespaces(): Promise<unknown[]> {
  queue.take();
  const asked = { source: 'loki', idleAfter: 6 * MILLIS_PER_HOUR, consumed: ['window', 'evidence'] as const };
  await sweep(ports, asked);
  return queue.take().flatMap(({ queue: name, message }) => (name === 'window' ? [message] : []));
}

describe('a look', () => {
  it('stores the finding, asks for evidence, and moves the cursor', async () => {
    const playId = await aPlay();
    now += 5_000;
    say(playId, A10);
    now += 5_000;
    expect(await look()).toMatchObject({ kind: 'done', findings: 1, fresh: 1 });
    const [finding, ...others] = await found(playId);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'A10', agent: 'rex', identity: { tool: 'web_search' } });
    expect(queue.sent.filter(({ queue: name }) => name === 'evidence')).toHaveLength(1);
    expect((await ports.windows.cursor('loki', namespace))?.until).toBe(toNanos(now));
  });

  it('finds the same once, however often the overlap is read', async () => {
    const playId = await aPlay();
    now += 5_000;
    say(playId, A10);
    for (let minute = 0; minute < 5; minute += 1) {
      now += MINUTE;
      await look();
    }
    expect(await found(playId)).toHaveLength(1);
    expect(queue.sent.filter(({ queue: name }) => name === 'evidence')).toHaveLength(1);
  });

  it('finds a line that arrives late, within the overlap', async () => {
    const playId = await aPlay();
    now += 5_000;
    const at = now;
    say(playId, 'INFO entrypoint: started');
    now += 120_000;
    await look();
    const stream = { namespace, pod: `${playId}-rex-abc12`, container: 'agent' };
    loki.push([{ stream, values: [[String(toNanos(at + 1000)), A10]] }]);
    now += MINUTE;
    await look();
    expect(await found(playId)).toMatchObject([{ code: 'A10' }]);
  });

  it('asks for the five looks of each new pod, once', async () => {
    const playId = await aPlay();
    now += 30_000;
    say(playId, 'INFO entrypoint: started');
    now += 1_000;
    await look();
    const delays = () =>
      queue.take().flatMap(({ queue: name, delaySeconds }) => (name === 'window' ? [delaySeconds] : []));
    expect(delays()).toEqual([10, 20, 35, 55, 80]);
    now += MINUTE;
    await look();
    expect(delays()).toEqual([]);
  });

  it('asks for them once it has read a new play, before any pod has spoken', async () => {
    await aPlay();
    now += 10_000;
    await look();
    const asked = queue.take().filter(({ queue: name }) => name === 'window');
    expect(asked.map(({ message, delaySeconds }) => [message, delaySeconds])).toEqual(
      [10, 20, 35, 55, 80].map((seconds) => [{ source: 'loki', namespace }, seconds]),
    );
  });

  it('asks for them once a minute, however many pods come', async () => {
    const playId = await aPlay();
    const asked = async () => (await look(), queue.take().filter(({ queue: name }) => name === 'window').length);
    const counts: number[] = [];
    for (const pod of ['one', 'two', 'three']) {
      now += 25_000;
      say(playId, 'INFO entrypoint: started', `${playId}-${pod}`);
      now += 10_000;
      counts.push(await asked());
    }
    expect(counts).toEqual([5, 0, 5]);
    expect((await view(playId)).pods).toHaveLength(3);
  });

  it('that comes at once after another one ends before it lists or reads anything', async () => {
    const playId = await aPlay();
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'done' });
    now += 7_000;
    const blind = { ...ports, sessions: {}, logs: {} } as unknown as DetectPorts;
    const again = () => detectWindow(blind, options)({ source: 'loki', namespace });
    expect(await again()).toEqual({ kind: 'skipped', reason: 'looked at just now' });
    say(playId, A10);
    now += 2_000;
    expect(await look()).toMatchObject({ kind: 'done', findings: 1 });
  });

  it('tells when a play spoke last, though it does not write its pods each time', async () => {
    const playId = await aPlay();
    const writes: number[] = [];
    const windows = { ...ports.windows };
    windows.savePods = async (source, name, pods, at) => {
      writes.push(pods.length);
      await ports.windows.savePods(source, name, pods, at);
    };
    for (let minute = 0; minute < 8; minute += 1) {
      say(playId, 'INFO entrypoint: working');
      now += MINUTE;
      await detectWindow({ ...ports, windows, memory: createPlayMemory() }, options)({ source: 'loki', namespace });
    }
    // When it is seen, and when it has its verdict.
    expect(writes.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect((await view(playId)).coverage).toMatchObject({ state: 'proven', last_line_at: expect.any(String) });
    const spoke = Date.parse((await view(playId)).coverage.last_line_at ?? '');
    expect(now - spoke).toBeLessThanOrEqual(MINUTE + 1_000);
    await ports.sessions.end(playId, 'completed', now);
    now += MINUTE;
    await detectWindow({ ...ports, windows }, options)({ source: 'loki', namespace });
    expect(now - Number((await view(playId)).pods[0]?.lastNs ?? 0n) / 1e6).toBeLessThanOrEqual(2 * MINUTE + 1_000);
  });

  it('counts the 60 s of pre-flight from the pod’s own first line, which need not be a word of trouble', async () => {
    const playId = await aPlay();
    say(playId, 'plain first line');
    now += 90_000;
    say(playId, A10);
    now += 1_000;
    await look();
    expect(await found(playId)).toMatchObject([{ code: null, category: 'runtime' }]);
  });

  it('of one namespace tells plays apart, also when one id begins with the other', async () => {
    const [short, long] = [await aPlay('play-1'), await aPlay('play-1-b')];
    now += 5_000;
    say(long, A10);
    now += 5_000;
    await look();
    expect([await found(short), (await found(long)).length]).toEqual([[], 1]);
  });

  it('does nothing for a stale message: another reader holds the lease, or no session is watched', async () => {
    expect(await look()).toMatchObject({ kind: 'skipped' });
    await aPlay();
    now += 5_000;
    const outcomes = await Promise.all([look(), look(), look()]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['done', 'skipped', 'skipped']);
  });
});

describe('Loki down for ten minutes', () => {
  it('loses nothing, and the session says blind and why until it has caught up', async () => {
    const playId = await aPlay();
    now += 5_000;
    say(playId, 'INFO entrypoint: started');
    await look();
    loki.faults.use('down');
    for (let minute = 0; minute < 10; minute += 1) {
      now += MINUTE;
      if (minute === 4) say(playId, 'FATAL: panicked at src/main.rs:4: index out of bounds');
      expect(await look()).toMatchObject({ kind: 'postponed' });
    }
    expect(await found(playId)).toEqual([]);
    const blind = (await view(playId)).coverage;
    expect(blind).toMatchObject({ state: 'blind' });
    expect(`${blind.reason} ${blind.advice}`).toMatch(/Loki/);
    loki.faults.clear();
    now += MINUTE;
    expect(await look()).toMatchObject({ kind: 'done', fresh: 1 });
    expect(await found(playId)).toMatchObject([{ severity: 'critical' }]);
    expect((await view(playId)).coverage.state).not.toBe('blind');
  });

  it.each(['busy', 'unavailable', 'html', 'truncated'] as const)(
    '%s: an answer that is none proves nothing',
    async (fault) => {
      const playId = await aPlay();
      now += 5_000;
      say(playId, A10);
      loki.faults.use(fault);
      expect(await look()).toMatchObject({ kind: 'postponed' });
      expect((await ports.windows.cursor('loki', namespace))?.provenAt).toBeNull();
      loki.faults.clear();
      now += MINUTE;
      await look();
      expect(await found(playId)).toHaveLength(1);
    },
  );

  it('is caught up for a session that began and ended meanwhile, since the cursor stays due', async () => {
    loki.faults.use('down');
    const playId = await aPlay();
    now += 5_000;
    say(playId, A10);
    await look();
    now += 20_000;
    await ports.sessions.end(playId, 'failed', now);
    now += 40 * MINUTE;
    expect((await view(playId)).coverage.state).toBe('blind');
    expect(await sweptNamespaces()).toContainEqual({ source: 'loki', namespace });
    await look();
    loki.faults.clear();
    now += MINUTE;
    await look();
    expect(await found(playId)).toMatchObject([{ code: 'A10' }]);
  });
});

describe('an ended session', () => {
  it('is read until its late lines are in, then no more', async () => {
    const playId = await aPlay();
    now += 20_000;
    say(playId, 'INFO entrypoint: started');
    await look();
    await ports.sessions.end(playId, 'completed', now);
    now += MINUTE;
    say(playId, 'FATAL: panicked at src/main.rs:4: index out of bounds');
    now += MINUTE;
    expect(await sweptNamespaces()).toContainEqual({ source: 'loki', namespace });
    await look();
    expect(await found(playId)).toHaveLength(1);
    for (let minute = 0; minute < 8; minute += 1) {
      now += MINUTE;
      await look();
    }
    expect(await sweptNamespaces()).not.toContainEqual({ source: 'loki', namespace });
  });
});

describe('attribution', () => {
  it('is told per rule, and pods that nobody claims are told too', async () => {
    const playId = await aPlay();
    now += 5_000;
    say(playId, 'starting');
    say(playId, 'going on');
    say(playId, 'hello', 'web-shop-7d9f8b6c5-k2m4n');
    say(playId, 'collecting', 'promtail-x7k2q');
    now += 5_000;
    await look();
    expect((await view(playId)).attribution).toEqual({
      rules: [{ rule: 'pod-name', pods: 1, lines: 2 }],
      unclaimed: { count: 1, pods: ['web-shop-7d9f8b6c5-k2m4n'] },
      advice: null,
    });
  });

  it('says what to change when no pod is claimed', async () => {
    const playId = await aPlay();
    now += 5_000;
    say(playId, 'hello', 'agent-rex-k2m4n');
    now += 5_000;
    await look();
    const { rules, unclaimed, advice } = (await view(playId)).attribution;
    expect([rules, unclaimed.count]).toEqual([[], 1]);
    expect(advice).toContain('play_id');
  });
});
