import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { dynamoWindowStore } from '#lib/adapters/dynamodb/window-store.ts';
import type { Coverage, IncidentChange, SeenPod } from '#lib/app/ports.ts';
import { startSession } from '#lib/app/start-session.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { parseAllowList } from '#lib/domain/session/allow-list.ts';
import { MILLIS_PER_DAY, toNanos, toWindow } from '#lib/domain/time.ts';
import { parseStartRequest } from '#lib/edge/http/start-request.ts';
import { aDiagnosis } from './builders/a-diagnosis.ts';
import { aFinding, anEntryRef } from './builders/a-finding.ts';
import { anIncident, anOccurrence } from './builders/an-incident.ts';
import type { SessionApi } from './session-api.ts';

const MINUTE = 60_000;
const SOURCE = 'loki';

interface SeededSession {
  readonly playId: string;
  readonly repository?: string;
  /** Minutes. */
  readonly age: number;
  readonly endedAfter?: { readonly minutes: number; readonly status: 'completed' | 'failed' | 'cancelled' };
  readonly logs?: 'spoken' | 'silent' | 'failing';
  /** Minutes after the start. */
  readonly gap?: { readonly from: number; readonly until: number };
  readonly preflight?: SeenPod['preflight'];
}

interface SeededIncident {
  readonly playId: string;
  readonly change?: Partial<Incident>;
  readonly steps?: readonly { readonly change: IncidentChange; readonly stage: string }[];
  readonly diagnosis?: Diagnosis;
}

/** Fills the tables of a session API with what the page shows, each session in a namespace of its own. */
export function seeder({ tables }: SessionApi) {
  const client = toDocumentClient();
  const now = Date.now();
  const windows = dynamoWindowStore(client, tables.Windows, { days: 30 });
  const incidents = dynamoIncidentStore(client, tables.Incidents);

  async function session({
    playId,
    repository = 'acme/widgets',
    age,
    endedAfter,
    logs,
    gap,
    preflight,
  }: SeededSession) {
    const startedAt = now - age * MINUTE;
    const clock = { now: () => startedAt };
    const sessions = sessionStore({ client, table: tables.Sessions, clock });
    const agent = (cli: string) => ({
      cli,
      tools: { remote: ['docs_lookup', 'github_create_branch'], localServers: {} },
    });
    const declaration = parseStartRequest({
      play_id: playId,
      repository,
      namespace: playId.toLowerCase(),
      cto_config: { agents: { rex: agent('claude'), cleo: agent('codex') } },
      tasks: [{ id: '7', title: 'Task 7' }],
    });
    const ports = {
      sessions,
      queues: { send: async () => {} },
      clock,
      onLookFault: () => {},
      redactor: createRedactor(),
    };
    const options = {
      source: SOURCE,
      allowed: parseAllowList('acme/*'),
      maxAge: 2 * MILLIS_PER_DAY,
      retention: MILLIS_PER_DAY,
    };
    await startSession(ports, options, declaration);
    const end = endedAfter === undefined ? now : startedAt + endedAfter.minutes * MINUTE;
    if (endedAfter) await sessions.end(playId, endedAfter.status, end);
    if (logs !== undefined) await readLogs({ playId, startedAt, end, logs, gap, preflight });
  }

  async function readLogs(
    read: Pick<SeededSession, 'playId' | 'gap' | 'preflight' | 'logs'> & { startedAt: number; end: number },
  ) {
    const { playId, startedAt, end, gap, logs, preflight = 'passed' } = read;
    const namespace = playId.toLowerCase();
    const claim = { source: SOURCE, namespace, from: toNanos(startedAt), owner: 'reader', now, until: now + MINUTE };
    const cursor = await windows.claim(claim);
    if (cursor === undefined) throw new Error(`${namespace} has a cursor already`);
    const due = now + MINUTE;
    if (logs === 'failing') {
      const reason = 'Loki answered 401: the token is not known.';
      return windows.fail(cursor, { reason, advice: 'Store a token of Loki under loki-token.', at: now, due });
    }
    const at = (minutes: number) => toNanos(startedAt + minutes * MINUTE);
    const gaps = gap
      ? [{ window: toWindow(at(gap.from), at(gap.until)), reason: 'Loki keeps its logs for a shorter time.' }]
      : [];
    const window = toWindow(toNanos(startedAt), toNanos(end));
    const coverage: Coverage = {
      source: SOURCE,
      namespace,
      window,
      lines: 1284,
      bytes: 402_118,
      pages: 3,
      gaps,
      hasStreams: true,
    };
    await windows.advance(cursor, { until: toNanos(end), coverage, plays: [playId], at: now, due });
    if (logs !== 'spoken') return;
    const pod = (agent: string, check: SeenPod['preflight']): SeenPod => ({
      pod: `${playId}-${agent}-x2k4q`,
      playId,
      agent,
      firstNs: toNanos(startedAt + 5_000),
      lastNs: toNanos(end - 4_000),
      preflight: check,
    });
    await windows.savePods(SOURCE, namespace, [pod('rex', preflight), pod('cleo', 'passed')], now);
  }

  async function incident({ playId, change = {}, steps = [], diagnosis = aDiagnosis() }: SeededIncident) {
    const head = anIncident({
      version: 0,
      state: 'detected',
      firstSeen: now - 9 * MINUTE,
      updatedAt: now - 9 * MINUTE,
      ...change,
    });
    const ns = toNanos(now - 10 * MINUTE);
    const id = `f${head.id.slice(1)}`;
    const finding = aFinding({
      id,
      playId,
      pod: `${playId}-rex-x2k4q`,
      anchor: anEntryRef({ ns }),
      firstNs: ns,
      lastNs: ns + 900_000_000n,
      count: 3,
    });
    await incidents.record(anOccurrence({ incidentId: head.id, playId, finding, seenAt: head.firstSeen }), head);
    await incidents.saveDiagnosis(head.id, diagnosis);
    for (const [index, step] of steps.entries())
      await advance(head.id, step.change, step.stage, head.firstSeen + (index + 1) * 47_000);
  }

  /** The next change of an incident, as a stage makes it. */
  async function advance(id: string, change: IncidentChange, stage: string, at = Date.now()) {
    const stored = await incidents.get(id);
    if (stored === undefined || !(await incidents.change(stored, change, stage, at)))
      throw new Error(`${id} did not change`);
  }

  return { session, incident, advance };
}

const issue = (repository: string, number: number) => ({
  number,
  url: `https://github.com/${repository}/issues/${number}`,
});
const pull = (repository: string, number: number) => ({
  number,
  url: `https://github.com/${repository}/pull/${number}`,
});

const TOLD = [
  { change: { event: 'evidence gathered: 6 pieces, 0 gaps' }, stage: 'evidence' },
  { change: { state: 'diagnosed', event: 'diagnosed by rules, certain' }, stage: 'evaluation' },
] as const;

/** Sessions of every coverage and incidents of several states. */
export async function seedShowcase(api: SessionApi): Promise<ReturnType<typeof seeder>> {
  const seed = seeder(api);
  await seed.session({
    playId: 'play-billing-c4d9x',
    repository: 'acme/billing',
    age: 190,
    endedAfter: { minutes: 61, status: 'failed' },
    logs: 'spoken',
    gap: { from: 22, until: 31 },
  });
  await seed.session({
    playId: 'play-gateway-r7n2w',
    repository: 'acme/gateway',
    age: 95,
    endedAfter: { minutes: 48, status: 'completed' },
    logs: 'spoken',
  });
  await seed.session({ playId: 'play-search-k2m8t', repository: 'acme/search', age: 34, logs: 'failing' });
  await seed.session({ playId: 'play-docs-h4x2p', repository: 'acme/docs', age: 18, logs: 'silent' });
  await seed.session({ playId: 'play-widgets-m8k3t', age: 12, logs: 'spoken', preflight: 'failed' });
  await seed.session({ playId: 'play-mobile-q1v6z', repository: 'acme/mobile', age: 1 });
  await seed.incident({
    playId: 'play-billing-c4d9x',
    change: {
      id: '1'.repeat(32),
      target: 'acme/billing',
      category: 'runtime',
      code: null,
      severity: 'critical',
      title: 'agent rex was killed: it needed more memory than its limit',
      firstSeen: Date.now() - 150 * MINUTE,
    },
    diagnosis: aDiagnosis({
      summary:
        'The container of rex reached its memory limit of 512 MiB while it installed packages, and the kernel ended it.',
    }),
    steps: [
      ...TOLD,
      {
        change: { state: 'reported', issue: issue('acme/billing', 88), event: 'issue #88 created' },
        stage: 'publication',
      },
      {
        change: { state: 'resolved', next: null, due: null, event: 'two plays passed without it' },
        stage: 'publication',
      },
    ],
  });
  await seed.incident({
    playId: 'play-widgets-m8k3t',
    change: {
      id: '2'.repeat(32),
      target: 'acme/widgets',
      title: 'rex: declared tool github_create_brnch is not offered by the CLI',
    },
    diagnosis: aDiagnosis({
      summary:
        "Agent rex runs without `github_create_brnch`: cto-config.json declares it, the agent's CLI does not offer it. It offers `github_create_branch`, so the declared name may be misspelt.",
      cause: [
        { text: 'The configuration declares `github_create_brnch`.', evidence: ['C1'] },
        {
          text: 'The start event of the agent lists the tools it can call; `github_create_brnch` is not among them.',
          evidence: ['L3', 'L4'],
        },
      ],
      consequences: [{ text: 'The agent cannot open a branch and stops at its first commit.', evidence: ['L7'] }],
      remedy: [
        { text: 'See what the configuration declares.', command: "jq '.agents.rex.tools.remote' cto-config.json" },
        {
          text: 'Correct the name, look at the difference, and commit it.',
          command: `jq '(.agents.rex.tools.remote[] | select(. == "github_create_brnch")) = "github_create_branch"' cto-config.json > fixed.json`,
        },
      ],
      verify: [{ text: 'Start a play again: the start event of rex must list every declared tool.' }],
      gaps: ['The catalogue of the tools server is not read by Healer.'],
    }),
    steps: [
      ...TOLD,
      {
        change: { state: 'reported', issue: issue('acme/widgets', 214), event: 'issue #214 created' },
        stage: 'publication',
      },
      {
        change: {
          state: 'proposed',
          next: null,
          due: null,
          pull: pull('acme/widgets', 215),
          event: 'draft pull request #215 opened',
        },
        stage: 'publication',
      },
    ],
  });
  return seed;
}
