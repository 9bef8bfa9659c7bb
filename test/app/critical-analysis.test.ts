import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamoBudgetStore } from '#lib/adapters/dynamodb/budget-store.ts';
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
import { evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { mintToken } from '#lib/app/mint-token.ts';
import { publishIncident } from '#lib/app/publish-incident.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { aLimit } from '#test/contracts/model/peer.ts';
import { anAnalyst, anAnswer } from '#test/support/an-analyst.ts';
import { anEvidencePack } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const much = { tokens: 10_000_000, microUsd: 100_000_000 };
let server: TestTables;
let github: EmbeddedGitHub;
let model: EmbeddedModel;

beforeAll(async () => {
  server = await startTestTables();
  github = await startGitHub({ repositories: [{ name: 'acme/private', isPrivate: true }] });
  model = await startModel({ script: [{ when: { schema: 'analysis' }, replies: [{ json: anAnswer() }] }] });
});
afterAll(() => Promise.all([server.stop(), github.stop(), model.stop()]));

function aWorld() {
  const client = toDocumentClient();
  const clock = { now: () => Date.now() };
  const secrets = { get: async (name: string) => (name === 'github-app-id' ? github.appId : github.privateKey) };
  const mint = mintToken({ allowed: ['acme/*'], app: appTokens({ secrets, apiUrl: github.url, clock }) });
  const tokens = { get: (target: string) => mint(target, 'write'), forget: () => {} };
  const budgets = dynamoBudgetStore(client, server.tables.Budgets, { incident: much, play: much, day: much });
  return {
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    evidence: dynamoEvidenceStore(client, server.tables.Evidence, { days: 30, clock }),
    outcomes: dynamoOutcomeStore(client, server.tables.Evidence, { days: 30, clock }),
    remediations: dynamoRemediationStore(client, server.tables.Incidents),
    thread: githubIssueThread({ tokens, apiUrl: github.url, clock }),
    pulls: githubPullRequests({ tokens, apiUrl: github.url, clock }),
    tracker: githubIssueTracker({ tokens, apiUrl: github.url, clock }),
    pacer: dynamoWritePacer(client, server.tables.Incidents),
    notifier: { notify: async () => {} },
    onNotifyFault: () => {},
    redactor: createRedactor(),
    analyst: anAnalyst({ url: model.url, budgets }).analyst,
    ...recordingQueues(),
    clock,
    ids: { uuid: randomUUID },
  };
}

it('a critical incident is filed by rules at once; then the sweep asks for the analysis, and the issue is brought up to date', async () => {
  const ports = aWorld();
  const id = randomUUID().replaceAll('-', '');
  const head = {
    id,
    target: 'acme/private',
    state: 'detected',
    next: 'evaluation',
    due: 0,
    severity: 'critical',
  } as const;
  await ports.incidents.record(anOccurrence({ incidentId: id }), anIncident({ ...head, fingerprint: `v1:${id}` }));
  await ports.evidence.save(anEvidencePack({ incidentId: id }));
  const evaluate = () => evaluateIncident(ports)({ incident: id }, aLimit());
  const publish = () => publishIncident(ports, { showEvidenceInPublic: false, modes: [] })({ incident: id });
  const bodyOfIssue = async () => {
    const { data } = await github.asAdmin('GET', '/repos/acme/private/issues?state=all');
    const issues = data as { body: string }[];
    expect(issues).toHaveLength(1);
    return issues[0]?.body ?? '';
  };

  await evaluate();
  await publish();
  expect(await bodyOfIssue()).toContain('Diagnosis by fixed rules, without a model.');
  expect(model.requests).toEqual([]);
  // No message goes back along the flow: the head owes the evaluation, and the sweep sends it when it is due.
  expect(ports.take().map(({ queue }) => queue)).toEqual(['publication']);
  const owing = await ports.incidents.get(id);
  expect(owing).toMatchObject({ state: 'reported', next: 'evaluation', due: expect.any(Number) });
  expect((await ports.incidents.overdue((owing?.due ?? 0) + 1, 10)).map((incident) => incident.id)).toContain(id);

  await evaluate();
  await publish();
  expect(model.requests).toHaveLength(1);
  const body = await bodyOfIssue();
  expect(body).toContain(anAnswer().remedy[0]);
  expect(body).not.toContain('without a model');
  expect(await ports.incidents.get(id)).toMatchObject({ state: 'reported' });
  expect((await ports.incidents.get(id))?.next).not.toBe('evaluation');
});
