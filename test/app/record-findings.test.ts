import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { gatherEvidence } from '#lib/app/gather-evidence.ts';
import type { LogSource } from '#lib/app/ports.ts';
import { type FreshFinding, recordFindings } from '#lib/app/record-findings.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { NANOS_PER_SECOND, toMillis } from '#lib/domain/time.ts';
import { at, detectIn } from '#test/domain/detection/support.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const PLAY = 'play-9';
const REX = 'play-9-rex-x2k4q';
const CLEO = 'play-9-cleo-m8s3d';
const options = { platformRepository: null };
const clock = { now: () => Number(at(1_000) / 1_000_000n) };
const redactor = createRedactor();

let server: TestTables;
let queues: ReturnType<typeof recordingQueues>;
let target: number;

beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());
beforeEach(() => {
  queues = recordingQueues();
  target = (target ?? 0) + 1;
});

/** A repository of its own for each test, so that their incidents stay apart. */
const session = (playId = PLAY) => ({
  ...aSession({ playId, agents: { rex: anAgent(), cleo: anAgent() } }),
  playId,
  repository: `acme/app-${target}`,
});

const entry = (seconds: number, pod: string, line: string): LogEntry => ({
  ns: at(seconds),
  line,
  labels: { namespace: 'cto', pod, container: 'agent' },
});

const PUSH = '  ⎿  remote: Permission to acme/app.git denied to bot[bot].';
const NO_WORK = 'no pull request of rex, ending without a review';

function findingsOf(entries: readonly LogEntry[], playId = `${PLAY}-${target}`): readonly Finding[] {
  return detectIn(entries, {
    attribute: ({ labels }) => ({
      playId,
      agent: labels['pod']?.includes('rex') ? 'rex' : 'cleo',
      pod: labels['pod'] ?? '',
      container: 'agent',
      rule: 'pod-name',
    }),
    podStarts: new Map([REX, CLEO].map((pod) => [pod, at(-3600)])),
  }).findings;
}

const store = () => dynamoIncidentStore(toDocumentClient(), server.tables.Incidents);

/** What was told of each finding as it was stored. */
const told: FreshFinding[] = [];

const record = (findings: readonly Finding[], held: Parameters<typeof recordFindings>[4] = [], playId?: string) =>
  recordFindings(
    {
      incidents: store(),
      remediations: { get: async () => undefined },
      queues: queues.queues,
      redactor,
      clock,
      onStored: (finding) => void told.push(finding),
    },
    options,
    session(playId ?? `${PLAY}-${target}`),
    findings,
    held,
  );

const incidents = async (): Promise<readonly Incident[]> => {
  const { items } = await store().list({ limit: 50, repository: `acme/app-${target}` });
  return (await Promise.all(items.map(({ id }) => store().get(id)))).filter((one) => one !== undefined);
};

const both = () => findingsOf([entry(10, REX, PUSH), entry(400, CLEO, NO_WORK)]) as readonly [Finding, Finding];

describe('recordFindings', () => {
  it('tells a cause and what follows from it as one incident', async () => {
    const [cause, consequence] = both();
    told.length = 0;
    expect(await record([consequence, cause])).toBe(2);
    const [incident, ...others] = await incidents();
    expect(others).toEqual([]);
    const lagOf = (finding: Finding) => clock.now() - toMillis(finding.lastNs);
    expect(told).toEqual([cause, consequence].map((one) => ({ incident: incident?.id, lagMs: lagOf(one) })));
    expect(incident?.agent).toBe('rex');
    expect(await store().countOccurrences(incident?.id ?? '')).toBe(1);
    const stored = await store().ofPlay(`${PLAY}-${target}`);
    expect(stored.map(({ finding, incidentId }) => [finding.agent, finding.cause?.agent, incidentId])).toEqual(
      expect.arrayContaining([
        ['rex', undefined, incident?.id],
        ['cleo', 'rex', incident?.id],
      ]),
    );
    expect(await record([cause, consequence])).toBe(0);
  });

  it('links to a cause of an earlier look, and asks for evidence again', async () => {
    const [cause, consequence] = both();
    await record([cause]);
    queues.take();
    await record([consequence]);
    expect(await incidents()).toHaveLength(1);
    expect(queues.take().map(({ queue }) => queue)).toEqual(['evidence']);
  });

  it('waits with a consequence while its cause may recover, and tells it alone when the cause recovered', async () => {
    const [cause, consequence] = both();
    const held = [{ finding: cause, deadline: consequence.anchor.ns + 60n * NANOS_PER_SECOND }];
    expect(await record([consequence], held)).toBe(0);
    expect(await incidents()).toEqual([]);
    expect(await record([consequence])).toBe(1);
    expect((await incidents()).map(({ agent }) => agent)).toEqual(['cleo']);
  });

  it('does not wait when no later look would read the consequence again, nor with a critical one', async () => {
    const [cause, consequence] = both();
    const late = [{ finding: cause, deadline: consequence.anchor.ns + 200n * NANOS_PER_SECOND }];
    expect(await record([consequence], late)).toBe(1);
    const held = [{ finding: cause, deadline: consequence.anchor.ns + 60n * NANOS_PER_SECOND }];
    expect(await record([{ ...consequence, id: 'another', severity: 'critical' }], held)).toBe(1);
  });

  it('adds the cause to an incident that was opened before the cause was known', async () => {
    const [cause, consequence] = both();
    await record([consequence]);
    const [opened] = await incidents();
    await store().change(
      opened as Incident,
      { state: 'reported', next: null, due: null, event: 'told' },
      'publication',
      1,
    );
    await record([cause]);
    expect(await incidents()).toHaveLength(2);
    const [occurrence] = await store().occurrences(opened?.id ?? '', 1);
    expect(occurrence?.finding.cause).toMatchObject({ findingId: cause.id, agent: 'rex' });
    expect((await store().get(opened?.id ?? ''))?.next).toBe('evidence');
  });

  it('opens an incident of its own where that of the cause is not stored', async () => {
    const [cause, consequence] = both();
    const orphan = { ...consequence, cause: { ...cause, findingId: cause.id, ns: cause.anchor.ns } };
    await record([orphan]);
    expect((await incidents()).map(({ agent }) => agent)).toEqual(['cleo']);
  });

  it('tells the same failure in many plays as one incident, whose issue counts them', async () => {
    const plays = ['a', 'b', 'c'].map((name) => `play-${name}-${target}`);
    const lines = plays.map((playId, i) => entry(10 + i, `${playId}-rex-x2k4q`, PUSH));
    for (const [i, playId] of plays.entries()) {
      await record(findingsOf([lines[i] as LogEntry], playId), [], playId);
    }
    const [incident, ...others] = await incidents();
    expect(others).toEqual([]);
    const told = await tell(incident as Incident, lines);
    expect(told.pack.occurrences).toEqual({ count: 3, plays: plays.toReversed() });
    expect(told.body).toContain('seen 3 times in 3 plays since');
  });

  it('the issue of a cause shows what followed, with its line', async () => {
    const lines = [entry(10, REX, PUSH), entry(400, CLEO, NO_WORK)].map((line) => inPlay(line));
    const playId = `${PLAY}-${target}`;
    await record(findingsOf(lines, playId), [], playId);
    const [incident] = await incidents();
    const { body } = await tell(incident as Incident, lines);
    expect(body).toContain('## What followed');
    expect(body).toMatch(/agent cleo in pod `play-9-\d+-cleo-m8s3d`: .+ \(L\d+\)/);
    expect(body).toContain(NO_WORK);
  });
});

const inPlay = (line: LogEntry): LogEntry => ({
  ...line,
  labels: { ...line.labels, pod: line.labels['pod']?.replace('play-9', `${PLAY}-${target}`) ?? '' },
});

/** Gathers, diagnoses and renders, from logs that hold these entries. */
async function tell(incident: Incident, entries: readonly LogEntry[]) {
  const logs: Pick<LogSource, 'read'> = {
    read: async ({ window }) => ({
      entries: entries.filter(({ ns }) => ns >= window.since && ns < window.until),
      proven: window,
      gaps: [],
      bytes: 0,
      pages: 1,
    }),
  };
  const evidence = dynamoEvidenceStore(toDocumentClient(), server.tables.Evidence, { days: 30, clock });
  const ports = {
    incidents: store(),
    queues: queues.queues,
    evidence,
    redactor,
    clock,
    ids: { uuid: randomUUID },
    logs: logs as LogSource,
    sessions: { get: async (playId: string) => session(playId) } as never,
  };
  const gather = gatherEvidence(ports, { attribution: DEFAULT_ATTRIBUTION, selector: () => '{namespace="cto"}' });
  await gather({ incident: incident.id });
  const pack = await evidence.load(incident.id);
  await evaluateIncident(ports)(
    { incident: incident.id },
    { signal: AbortSignal.timeout(10_000), remainingMs: () => 10_000 },
  );
  const diagnosis = await store().diagnosis(incident.id);
  if (pack === undefined || diagnosis === undefined) return expect.unreachable();
  const repository = { isPublic: false, showEvidence: true };
  return { pack, ...renderIssue({ incident, pack, diagnosis, repository }) };
}
