import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import { toSelector } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import { detectWindow } from '#lib/app/detect-window.ts';
import { createPlayMemory } from '#lib/app/play-memory.ts';
import { sweep } from '#lib/app/sweep.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { builtInPatterns } from '#lib/domain/detection/patterns/registry.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso } from '#lib/domain/time.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import type { TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';
import { countUnits, type Units } from './measure-usage/count-units.ts';

/**
 * `node scripts/run.mjs scripts/measure-usage.ts`: what sessions, looks and sweeps ask of DynamoDB, and how much processor
 * time a look takes, printed as the table for docs/benchmarks.md. The constants of lib/domain/cost/usage.ts are these.
 */
const SESSIONS = [20, 100, 200];
/** Looks that are measured, one a minute: each pod's last line is stored twice in that time. */
const LOOKS = 20;
const WARM_UP = 4;
const MINUTE_MS = 60_000;
/** How long the pod works that takes over, and when after its first line the agent's start event comes. */
const POD_MINUTES = 10;
const INIT_AFTER_MS = 15_000;
/** Of five pods one is at work: agents of a play follow each other. */
const AGENTS = ['rex', 'cleo', 'cipher', 'tess', 'atlas'];

interface Emulators {
  readonly env: Readonly<Record<string, string>>;
  readonly tables: TestTables['tables'];
  readonly loki: string;
}

const child = fork(new URL('./measure-usage/emulators.ts', import.meta.url));
const [{ env, tables, loki }] = (await once(child, 'message')) as [Emulators];
Object.assign(process.env, env);

let now = Date.now() - 6 * MILLIS_PER_HOUR;
const clock = { now: () => now };
const client = toDocumentClient();
const take = countUnits(client, toDocumentClient());
const { queues } = recordingQueues();
const ports = {
  sessions: sessionStore({ client, table: tables.Sessions, clock }),
  windows: dynamoWindowStore(client, tables.Windows, { days: 30 }),
  incidents: dynamoIncidentStore(client, tables.Incidents),
  remediations: dynamoRemediationStore(client, tables.Incidents),
  logs: lokiSource({ url: loki }, { clock: { now: () => Date.now() }, sleep: async () => {} }),
  queues,
  redactor: createRedactor(),
  clock,
  ids: { uuid: randomUUID },
  memory: createPlayMemory(),
};
const look = detectWindow(ports, {
  attribution: DEFAULT_ATTRIBUTION,
  platformRepository: null,
  selector: (name, pod) => toSelector({ namespace: name, ...(pod !== undefined && { pod }) }),
  lineFilter: toLineFilter(builtInPatterns().patterns),
});

const startOf = async (namespace: string): Promise<string> => {
  const playId = `play-${randomUUID().slice(0, 12)}`;
  const agents = Object.fromEntries(AGENTS.map((name) => [name, anAgent()]));
  const startedAt = toIso(now);
  const session = aSession({ playId, namespace, startedAt, lastUpdated: startedAt, agents });
  await ports.sessions.start(session, { expiresAt: now + 48 * MILLIS_PER_HOUR, removeAt: now + 30 * MILLIS_PER_DAY });
  return playId;
};

const toInit = (tools: readonly string[], servers: readonly { name: string; status: string }[] = []): string =>
  JSON.stringify({ type: 'system', subtype: 'init', tools, mcp_servers: servers });
/** Lacks what the agent declares: one finding a session. */
const LACKING = toInit(['docs_lookup']);
const WHOLE = toInit(
  ['docs_lookup', 'github_create_branch', 'mcp__filesystem__read_file', 'mcp__filesystem__write_file'],
  [{ name: 'filesystem', status: 'connected' }],
);

async function say(namespace: string, lines: readonly { pod: string; at: number; line: string }[]): Promise<void> {
  const stream = (pod: string) => ({ namespace, pod, container: 'agent' });
  child.send(
    lines.map(({ pod, at, line }) => ({ stream: stream(pod), values: [[String(BigInt(at) * 1_000_000n), line]] })),
  );
  await once(child, 'message');
}

/** One line that passes the line filter and one that does not, from the pod that is at work; and a look each minute. */
async function lookAt(namespace: string, plays: readonly string[], count: number, line = WHOLE): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    now += MINUTE_MS / 2;
    const pods = plays.map((playId) => `${playId}-rex-x1`);
    await say(namespace, [
      ...pods.map((pod) => ({ pod, at: now, line })),
      ...pods.map((pod) => ({ pod, at: now + 1, line: 'working on it' })),
    ]);
    now += MINUTE_MS / 2;
    await look({ source: 'loki', namespace });
  }
}

/** In each play another pod begins at some moment, tells of itself as soon as agents do, and works for ten minutes. */
async function replacePods(namespace: string, plays: readonly string[]): Promise<void> {
  const begin = now;
  const startOf = (index: number) => begin + (index * POD_MINUTES * MINUTE_MS) / plays.length;
  for (let minute = 0; minute < 2 * POD_MINUTES; minute += 1) {
    const until = now + MINUTE_MS;
    const lines = plays.flatMap((playId, index) =>
      [0, INIT_AFTER_MS, ...Array.from({ length: POD_MINUTES * 2 }, (_, at) => ((at + 1) * MINUTE_MS) / 2)]
        .map((after) => ({
          pod: `${playId}-cleo-x2`,
          at: startOf(index) + after,
          line: after === INIT_AFTER_MS ? WHOLE : 'at work',
        }))
        .filter(({ at }) => at >= now && at < until),
    );
    await say(namespace, lines);
    now = until;
    await look({ source: 'loki', namespace });
  }
}

const without = (all: Units, looks: Units, times: number): Units => ({
  writes: all.writes - looks.writes * times,
  reads: all.reads - looks.reads * times,
  calls: all.calls - looks.calls * times,
});

const row = (what: string, sessions: number, { writes, reads, calls }: Units, per: number, cpu = '–') =>
  console.log(
    `| ${what} | ${sessions} | ${[writes, reads, calls].map((n) => (n / per).toFixed(2)).join(' | ')} | ${cpu} |`,
  );

console.log('| what | sessions of the namespace | write units | read units | requests | processor ms |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const sessions of SESSIONS) {
  const namespace = `ns-${sessions}`;
  take();
  const plays = await Promise.all(Array.from({ length: sessions }, () => startOf(namespace)));
  row('start of a session', sessions, take(), sessions);
  await lookAt(namespace, plays, 1, LACKING);
  row('first look, with one finding a session', sessions, take(), 1);
  await lookAt(namespace, plays, WARM_UP);
  take();
  const before = process.cpuUsage();
  await lookAt(namespace, plays, LOOKS);
  const { user, system } = process.cpuUsage(before);
  const looks = take();
  row('a look', sessions, looks, LOOKS, ((user + system) / 1000 / LOOKS).toFixed(1));
  await look({ source: 'loki', namespace });
  row('a look that comes too soon', sessions, take(), 1);
  await sweep(ports, { source: 'loki', idleAfter: 6 * MILLIS_PER_HOUR, consumed: [] });
  row('a sweep', sessions, take(), 1);
  await replacePods(namespace, plays);
  row('a new pod, looks apart', sessions, without(take(), looks, (2 * POD_MINUTES) / LOOKS), sessions);
  await Promise.all(plays.map((playId) => ports.sessions.end(playId, 'completed', now)));
  row('end of a session', sessions, take(), sessions);
  now += MINUTE_MS;
  await look({ source: 'loki', namespace });
  row('the look after the end, by session', sessions, take(), sessions);
}
child.kill();
process.exit(0);
