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
  selector: (name) => toSelector({ namespace: name }),
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

/** One line of trouble, which passes the line filter, and one of none, from the pod that is at work. */
async function speak(namespace: string, plays: readonly string[]): Promise<void> {
  const at = BigInt(now) * 1_000_000n;
  child.send(
    plays.map((playId) => ({
      stream: { namespace, pod: `${playId}-rex-x1`, container: 'agent' },
      values: [
        [String(at), '{"type":"system","subtype":"init","tools":["docs_lookup"],"mcp_servers":[]}'],
        [String(at + 1n), 'working on it'],
      ],
    })),
  );
  await once(child, 'message');
}

async function lookAt(namespace: string, plays: readonly string[], count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    now += MINUTE_MS / 2;
    await speak(namespace, plays);
    now += MINUTE_MS / 2;
    await look({ source: 'loki', namespace });
  }
}

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
  await lookAt(namespace, plays, 1);
  row('first look', sessions, take(), 1);
  await lookAt(namespace, plays, WARM_UP);
  take();
  const before = process.cpuUsage();
  await lookAt(namespace, plays, LOOKS);
  const { user, system } = process.cpuUsage(before);
  row('a look', sessions, take(), LOOKS, ((user + system) / 1000 / LOOKS).toFixed(1));
  await look({ source: 'loki', namespace });
  row('a look that comes too soon', sessions, take(), 1);
  await sweep(ports, { source: 'loki', idleAfter: 6 * MILLIS_PER_HOUR, consumed: [] });
  row('a sweep', sessions, take(), 1);
  await Promise.all(plays.map((playId) => ports.sessions.end(playId, 'completed', now)));
  row('end of a session', sessions, take(), sessions);
}
child.kill();
process.exit(0);
