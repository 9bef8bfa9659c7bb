import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoOutcomeStore } from '#lib/adapters/dynamodb/outcome-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { dynamoWritePacer } from '#lib/adapters/dynamodb/write-pacer.ts';
import { appTokens } from '#lib/adapters/github/app-tokens.ts';
import { githubIssueThread } from '#lib/adapters/github/issue-thread.ts';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import { githubPullRequests } from '#lib/adapters/github/pull-requests.ts';
import { mintToken } from '#lib/app/mint-token.ts';
import type { Notifier } from '#lib/app/ports.ts';
import { type PublishPorts, publishIncident } from '#lib/app/publish-incident.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { LEASE_MS } from '#lib/domain/incident/schedule.ts';
import { createRedactor, REDACTION_RULES } from '#lib/domain/redaction/redactor.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anEvidencePack } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const clock = { now: () => Date.now() };
const options = { showEvidenceInPublic: false, modes: [] };

let server: TestTables;
let github: EmbeddedGitHub;
let ports: PublishPorts;
let notified: Parameters<Notifier['notify']>[0][];

beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());

beforeEach(async () => {
  github = await startGitHub({
    repositories: [
      { name: 'acme/private', isPrivate: true },
      { name: 'acme/public' },
      { name: 'acme/archived', isPrivate: true, isArchived: true },
      { name: 'acme/silent', isPrivate: true, hasIssues: false },
    ],
  });
  const client = toDocumentClient();
  const secrets = { get: async (name: string) => (name === 'github-app-id' ? github.appId : github.privateKey) };
  const mint = mintToken({ allowed: ['acme/*'], app: appTokens({ secrets, apiUrl: github.url, clock }) });
  const tokens = { get: (target: string) => mint(target, 'write'), forget: () => {} };
  notified = [];
  ports = {
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    evidence: dynamoEvidenceStore(client, server.tables.Evidence, { days: 30, clock }),
    outcomes: dynamoOutcomeStore(client, server.tables.Evidence, { days: 30, clock }),
    remediations: dynamoRemediationStore(client, server.tables.Incidents),
    tracker: githubIssueTracker({ tokens, apiUrl: github.url, clock }),
    thread: githubIssueThread({ tokens, apiUrl: github.url, clock }),
    pulls: githubPullRequests({ tokens, apiUrl: github.url, clock }),
    pacer: dynamoWritePacer(client, server.tables.Incidents),
    notifier: { notify: async (message) => void notified.push(message) },
    onNotifyFault: () => {},
    redactor: createRedactor(),
    queues: recordingQueues().queues,
    clock,
    ids: { uuid: randomUUID },
  };
  return () => github.stop();
});

/** A diagnosed incident whose issue is due. */
async function aDue(change: Partial<Incident> = {}, text = 'a line of the log'): Promise<string> {
  const id = randomUUID().replaceAll('-', '');
  const head = anIncident({ id, target: 'acme/private', due: 0, fingerprint: `v1:${id}`, ...change });
  await ports.incidents.record(anOccurrence({ incidentId: id, finding: aFinding({ id: `f-${id}` }) }), head);
  const pack = anEvidencePack({ incidentId: id });
  await ports.evidence.save({ ...pack, pieces: pack.pieces.map((piece) => ({ ...piece, text })) });
  await ports.incidents.saveDiagnosis(id, aDiagnosis({ summary: 'Something failed.', cause: [], chain: [] }));
  return id;
}

const publish = (id: string, changed: Partial<PublishPorts> = {}) =>
  publishIncident({ ...ports, ...changed }, options)({ incident: id });

async function issuesOf(repository: string) {
  const { data } = await github.asAdmin('GET', `/repos/${repository}/issues?state=all&per_page=100`);
  return data as { number: number; body: string; labels: { name: string }[] }[];
}

describe('one issue an incident', () => {
  it('files it, and remembers where', async () => {
    const id = await aDue();
    expect(await publish(id)).toMatchObject({ kind: 'done' });
    const [issue, ...others] = await issuesOf('acme/private');
    expect(others).toEqual([]);
    expect(issue?.labels.map(({ name }) => name)).toEqual(expect.arrayContaining(['healer', 'A10', 'high']));
    expect(await ports.incidents.get(id)).toMatchObject({ state: 'reported', issue: { number: issue?.number } });
  });

  it('stays one when the message comes twice, at once or later', async () => {
    const id = await aDue();
    const outcomes = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['done', 'skipped', 'skipped']);
    expect((await publish(id)).kind).toBe('skipped');
    expect(await issuesOf('acme/private')).toHaveLength(1);
  });

  it('stays one when GitHub creates it and the answer is lost', async () => {
    const id = await aDue();
    github.faults.add({ kind: 'reply-lost', method: 'POST', path: /\/issues$/, times: 1 });
    const outcome = await publish(id);
    expect(outcome.kind).toBe('postponed');
    const later = { now: () => Date.now() + 60_000 };
    expect((await publish(id, { clock: later })).kind).toBe('done');
    expect(await issuesOf('acme/private')).toHaveLength(1);
  });

  it('is not taken from somebody who pastes its marker', async () => {
    const id = await aDue();
    const marker = `Healer incident \`${id}\` · fingerprint \`v1:${id}\``;
    await github.asAdmin('POST', '/repos/acme/private/issues', { title: 'mine', body: marker, labels: ['healer'] });
    await publish(id);
    expect(await issuesOf('acme/private')).toHaveLength(2);
  });
});

describe('an issue that people have worked on', () => {
  /** Publishes, lets a person change the issue, learns something more, publishes again. */
  async function afterEdit(edit: { title?: string; body?: (own: string) => string }, title?: string) {
    const id = await aDue();
    await publish(id);
    const incident = (await ports.incidents.get(id)) as Incident;
    const path = `/repos/acme/private/issues/${incident.issue?.number}`;
    const own = (await github.asAdmin('GET', path)).data as { title: string; body: string };
    const body = edit.body?.(own.body) ?? own.body;
    await github.asAdmin('PATCH', path, { title: edit.title ?? own.title, body });
    await ports.incidents.saveDiagnosis(id, aDiagnosis({ summary: title ?? 'More is known.', cause: [], chain: [] }));
    await ports.incidents.change(incident, { next: 'publication', due: 0, event: 'again' }, 'test', Date.now());
    const outcome = await publish(id);
    const data = (await github.asAdmin('GET', path)).data as { title: string; body: string };
    return { outcome, own, issue: data };
  }

  it('keeps the title that a person wrote', async () => {
    const { issue } = await afterEdit({ title: 'Ours: see the incident channel' });
    expect(issue.title).toBe('Ours: see the incident channel');
    expect(issue.body).toContain('More is known.');
  });

  it('renews its own title', async () => {
    const { own, issue } = await afterEdit({}, 'It is `web_search` that is missing.');
    expect(issue.title).not.toBe(own.title);
    expect(issue.title).toContain('web_search');
  });

  it('leaves room for what people wrote, however long', async () => {
    const notes = 'A note of ours. '.repeat(3_900);
    const { outcome, issue } = await afterEdit({ body: (own) => `${own}\n\n${notes}` });
    expect(outcome.kind).toBe('done');
    expect(issue.body).toContain('More is known.');
    expect(issue.body).toContain(notes.trim());
    expect(issue.body.length).toBeLessThanOrEqual(65_536);
  });

  it('lists occurrences of other plays, and links to what stands on GitHub', async () => {
    const id = await aDue();
    const finding = aFinding({ id: 'second', anchor: { ...aFinding().anchor, ns: aFinding().anchor.ns + 1n } });
    const head = (await ports.incidents.get(id)) as Incident;
    await ports.incidents.record(anOccurrence({ incidentId: id, playId: 'play-other', finding }), head);
    await publishIncident(ports, { ...options, webUrl: 'https://github.example' })({ incident: id });
    const [issue] = await issuesOf('acme/private');
    expect(issue?.body).toContain('seen 2 times');
    expect(issue?.body).toContain('| `play-other` |');
    expect(issue?.body).toContain('(https://github.example/acme/private/issues?q=is%3Aissue+label%3Ahealer)');
  });
});

describe('one poison among ten', () => {
  it('leaves the other nine published', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 10; i += 1) ids.push(await aDue(i === 4 ? { target: 'acme/archived' } : {}));
    const outcomes: string[] = [];
    for (const id of ids) outcomes.push((await publish(id)).kind);
    expect(outcomes.filter((kind) => kind === 'done')).toHaveLength(9);
    expect(outcomes[4]).toBe('escalated');
    expect(await issuesOf('acme/private')).toHaveLength(9);
  });

  it.each([
    ['acme/archived', /archived/],
    ['acme/silent', /issues switched off/],
    ['acme/unknown', /acme\/unknown|not installed/i],
  ])('%s is told and given up', async (target, reason) => {
    const id = await aDue({ target });
    expect(await publish(id)).toMatchObject({ kind: 'escalated' });
    expect((await ports.incidents.history(id)).at(-1)?.event).toMatch(reason);
    expect((await ports.incidents.get(id))?.due).toBeNull();
  });

  it('waits for GitHub to come back, and counts its tries', async () => {
    const id = await aDue();
    github.faults.add({ kind: 'secondary-limit', retryAfterSeconds: 90 });
    const before = Date.now();
    const outcome = await publish(id);
    expect(outcome).toMatchObject({ kind: 'postponed' });
    const head = await ports.incidents.get(id);
    expect(head).toMatchObject({ attempt: 1, next: 'publication' });
    expect(head?.due ?? 0).toBeGreaterThanOrEqual(before + 90_000);
    expect((await publish(id)).kind).toBe('skipped');
  });
});

describe('guards', () => {
  it('publish nothing when redaction fails', async () => {
    const find = () => {
      throw new Error('broken');
    };
    const rules = [...REDACTION_RULES, { kind: 'broken', shape: 'token' as const, find }];
    const id = await aDue();
    expect(await publish(id, { redactor: createRedactor({ rules }) })).toMatchObject({ kind: 'escalated' });
    expect(await issuesOf('acme/private')).toEqual([]);
    expect(github.requests().filter(({ method }) => method !== 'GET' && method !== 'POST')).toEqual([]);
  });

  it('take out what an earlier gate let through', async () => {
    const secret = ['ghp', 'x7Kq2mW9'.repeat(4), 'Zt41'].join('_').replace('_Zt', 'Zt');
    await publish(await aDue({}, `token is ${secret}`));
    const [issue] = await issuesOf('acme/private');
    expect(issue?.body).not.toContain(secret);
  });

  it('keep raw evidence out of a public repository', async () => {
    await publish(await aDue({ target: 'acme/public' }, 'only-in-the-log'));
    await publish(await aDue({}, 'only-in-the-log'));
    expect((await issuesOf('acme/public'))[0]?.body).not.toContain('only-in-the-log');
    expect((await issuesOf('acme/private'))[0]?.body).toContain('only-in-the-log');
  });
});

describe('critical incidents', () => {
  it('ask for attention and notify once, and a notification that fails stands in nobody’s way', async () => {
    const id = await aDue({ severity: 'critical' });
    await publish(id);
    expect(notified.map(({ url }) => url)).toEqual([(await ports.incidents.get(id))?.issue?.url]);
    const [issue] = await issuesOf('acme/private');
    expect(issue?.labels.map(({ name }) => name)).toContain('needs-attention');
    const faults: unknown[] = [];
    const notifier = { notify: () => Promise.reject(new Error('no webhook')) };
    const broken = { notifier, onNotifyFault: (error: unknown) => void faults.push(error) };
    expect(await publish(await aDue({ severity: 'critical' }), broken)).toMatchObject({ kind: 'done' });
    expect(faults).toHaveLength(1);
  });

  it('are notified of once, when the worker dies after it filed the issue, or fails after it noted that', async () => {
    const id = await aDue({ severity: 'critical' });
    const lost = new Error('the worker died');
    const dying = {
      ...ports.tracker,
      create: async (...issue: Parameters<typeof ports.tracker.create>) => {
        await ports.tracker.create(...issue);
        throw lost;
      },
    };
    await expect(publish(id, { tracker: dying })).rejects.toBe(lost);
    expect(notified).toEqual([]);
    const afterLeases = (count: number) => ({ now: () => Date.now() + count * LEASE_MS });
    const failing = { ...ports.remediations, link: () => Promise.reject(lost) };
    await expect(publish(id, { remediations: failing, clock: afterLeases(1) })).rejects.toBe(lost);
    expect(await publish(id, { clock: afterLeases(2) })).toMatchObject({ kind: 'done' });
    expect(notified).toHaveLength(1);
    expect(await issuesOf('acme/private')).toHaveLength(1);
  });
});
