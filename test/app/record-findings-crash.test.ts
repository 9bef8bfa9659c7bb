import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import type { IncidentChange } from '#lib/app/ports.ts';
import { recordFindings } from '#lib/app/record-findings.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { freshIncident, incidentId } from '#lib/domain/incident/identity.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { freshRemediation, type Remediation } from '#lib/domain/remediation/remediation.ts';
import { at, detectIn } from '#test/domain/detection/support.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const NOW = Number(at(1_000) / 1_000_000n);
const redactor = createRedactor();
const PUSH = '  ⎿  remote: Permission to acme/app.git denied to bot[bot].';
const NO_WORK = 'no pull request of rex, ending without a review';

let server: TestTables;
let turn = 0;
beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

const store = () => dynamoIncidentStore(toDocumentClient(), server.tables.Incidents);

/** A play of its own in a repository of its own, with a failure of rex and what follows from it in cleo. */
function aPlay(name: string) {
  turn += 1;
  const playId = `play-${name}-${turn}`;
  const repository = `acme/app-${turn}`;
  const [rex, cleo] = [`${playId}-rex-x2k4q`, `${playId}-cleo-m8s3d`];
  const entry = (seconds: number, pod: string, line: string): LogEntry => ({
    ns: at(seconds),
    line,
    labels: { namespace: 'cto', pod, container: 'agent' },
  });
  const { findings } = detectIn([entry(10, rex, PUSH), entry(400, cleo, NO_WORK)], {
    attribute: ({ labels }) => ({
      playId,
      agent: labels['pod'] === rex ? 'rex' : 'cleo',
      pod: labels['pod'] ?? '',
      container: 'agent',
      rule: 'pod-name',
    }),
    podStarts: new Map([rex, cleo].map((pod) => [pod, at(-3600)])),
  });
  const [cause, consequence] = findings as readonly [Finding, Finding];
  const session = { ...aSession({ playId, agents: { rex: anAgent(), cleo: anAgent() } }), playId, repository };
  return { cause, consequence, session, id: incidentId(repository, cause.fingerprint) };
}

type Play = ReturnType<typeof aPlay>;

/** Where a look dies: before or after which of its writes and sends, counted from 1. */
interface Death {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** Records findings; true when the look died on the way. */
async function look(
  { session }: Play,
  findings: readonly Finding[],
  mergedAt: number | null,
  death?: Death,
): Promise<boolean> {
  let count = 0;
  const pass = async <T>(effect: () => Promise<T>): Promise<T> => {
    count += 1;
    if (death?.nth === count && death.when === 'before') throw new Error('dead');
    const isLast = death?.nth === count;
    const result = await effect().catch((error: unknown) => {
      throw isLast ? new Error('dead') : error;
    });
    if (isLast) throw new Error('dead');
    return result;
  };
  const client = toDocumentClient();
  const send = client.send.bind(client) as (command: object) => Promise<unknown>;
  const isWrite = (command: object) => command instanceof PutCommand || command instanceof UpdateCommand;
  const dying = { send: (command: object) => (isWrite(command) ? pass(() => send(command)) : send(command)) };
  const { queues } = recordingQueues();
  const ports = {
    incidents: dynamoIncidentStore(dying as typeof client, server.tables.Incidents),
    remediations: { get: async () => aRemediation(mergedAt) },
    queues: { ...queues, send: (...message: Parameters<typeof queues.send>) => pass(() => queues.send(...message)) },
    redactor,
    clock: { now: () => NOW },
  };
  try {
    await recordFindings(ports, { platformRepository: null }, session, findings);
    return false;
  } catch (error) {
    if (error instanceof Error && error.message === 'dead') return true;
    throw error;
  }
}

const aRemediation = (mergedAt: number | null): Remediation | undefined =>
  mergedAt === null
    ? undefined
    : { ...freshRemediation(anIncident(), { repository: 'acme/app', finding: aFinding() }, NOW), mergedAt };

const change = async (id: string, to: Partial<IncidentChange>): Promise<void> => {
  const head = (await store().get(id)) ?? expect.unreachable();
  await store().change(head, { next: null, due: null, event: 'as the story wants it', ...to }, 'publication', NOW);
};

/** What is to be seen of the incident: its state, whether it owes evidence or will, what hangs on it. */
async function outcome({ id, session }: Play) {
  const known = await store().ofPlay(session.playId);
  const owed = (await store().get(id))?.next;
  // What is wanted is taken up when other work is done.
  if (owed !== null && owed !== 'evidence') await change(id, {});
  const head = (await store().get(id)) ?? expect.unreachable();
  return {
    state: head.state,
    next: head.next,
    isDue: head.due !== null,
    occurrences: await store().countOccurrences(id),
    causes: known.filter(({ finding }) => finding.cause !== undefined).length,
    untold: known.filter(({ untold }) => untold !== undefined).length,
  };
}

interface Story {
  readonly name: string;
  /** What stands when the look begins. */
  readonly before: (play: Play) => Promise<void>;
  readonly findings: (play: Play) => readonly Finding[];
  readonly mergedAt?: number;
  readonly right: object;
}

/** An incident that another play showed. */
async function stands({ cause, session, id }: Play, to: Partial<IncidentChange>): Promise<void> {
  const finding = { ...cause, id: `${cause.id}-before`, playId: 'play-before' };
  const seen = { incidentId: id, playId: 'play-before', repository: session.repository, namespace: 'cto', finding };
  await store().record({ ...seen, seenAt: 1 }, freshIncident(finding, session.repository, 1));
  await change(id, to);
}

const TOLD = { next: 'evidence', isDue: true, untold: 0, causes: 0 };
const STORIES: readonly Story[] = [
  {
    name: 'the first of its kind',
    before: async () => {},
    findings: ({ cause }) => [cause],
    right: { ...TOLD, state: 'detected', occurrences: 1 },
  },
  {
    name: 'one whose head was gathered for in vain before its occurrence was stored',
    before: async ({ cause, session, id }) => {
      const head = freshIncident(cause, session.repository, 1);
      const finding = { ...cause, id: 'gone' };
      const seen = { incidentId: id, playId: 'gone', repository: session.repository, namespace: 'cto', finding };
      await store().record({ ...seen, seenAt: 1 }, head);
      await change(id, {});
    },
    findings: ({ cause }) => [cause],
    right: { ...TOLD, state: 'detected', occurrences: 2 },
  },
  {
    name: 'one whose incident is being evaluated',
    before: (play) => stands(play, { next: 'evaluation', due: NOW }),
    findings: ({ cause }) => [cause],
    right: { ...TOLD, state: 'detected', occurrences: 2 },
  },
  {
    name: 'one whose issue stands',
    before: (play) => stands(play, { state: 'reported' }),
    findings: ({ cause }) => [cause],
    right: { ...TOLD, state: 'reported', occurrences: 2 },
  },
  {
    name: 'one that was resolved',
    before: (play) => stands(play, { state: 'resolved' }),
    findings: ({ cause }) => [cause],
    right: { ...TOLD, state: 'regressed', occurrences: 2 },
  },
  {
    name: 'one whose fix was merged before the play began',
    before: (play) => stands(play, { state: 'verifying' }),
    findings: ({ cause }) => [cause],
    mergedAt: 1,
    right: { ...TOLD, state: 'regressed', occurrences: 2 },
  },
  {
    name: 'what follows from a failure whose issue stands',
    before: async (play) => {
      await look(play, [play.cause], null);
      await change(play.id, { state: 'reported' });
    },
    findings: ({ consequence }) => [consequence],
    right: { ...TOLD, state: 'reported', occurrences: 1, causes: 1 },
  },
];

describe.each(STORIES)('a look that dies while it stores $name', ({ before, findings, mergedAt = null, right }) => {
  it('is made up for by the next look, wherever it died', async () => {
    const deaths: Death[] = [];
    for (let nth = 1; ; nth += 1) {
      for (const when of ['before', 'after'] as const) {
        const play = aPlay('dying');
        await before(play);
        const hasDied = await look(play, findings(play), mergedAt, { nth, when });
        if (!hasDied) {
          expect(await outcome(play), 'undisturbed').toEqual(right);
          expect(deaths.length).toBeGreaterThan(4);
          return;
        }
        deaths.push({ nth, when });
        await look(play, findings(play), mergedAt);
        expect(await outcome(play), `died ${when} ${nth}`).toEqual(right);
      }
    }
  });
});

describe('a look that dies while a cause shows late', () => {
  it('is made up for by the next look, wherever it died', async () => {
    for (let nth = 1; ; nth += 1) {
      const play = aPlay('late');
      const own = { ...play, id: incidentId(play.session.repository, play.consequence.fingerprint) };
      await look(play, [play.consequence], null);
      await change(own.id, { state: 'reported' });
      const hasDied = await look(play, [play.cause], null, { nth, when: 'after' });
      if (hasDied) await look(play, [play.cause], null);
      const right = { ...TOLD, state: 'reported', occurrences: 1, causes: 1 };
      expect(await outcome(own), `died after ${nth}`).toEqual(right);
      if (!hasDied) return expect(nth).toBeGreaterThan(4);
    }
  });
});
