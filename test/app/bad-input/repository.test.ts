import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
import { type PublishPorts, publishIncident } from '#lib/app/publish-incident.ts';
import { showIncident } from '#lib/app/show-incident.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import type { GitHubOptions } from '#lib/local/github/options.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anEvidencePack } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { aLambdaContext, anSqsEvent } from '#test/support/builders/lambda.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';
import { advising } from './events.ts';

const clock = { now: () => Date.now() };
const TARGET = 'acme/widgets';

let server: TestTables;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startTestTables();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function portsOn(github: EmbeddedGitHub, privateKey = github.privateKey): PublishPorts {
  const client = toDocumentClient();
  const secrets = { get: async (name: string) => (name === 'github-app-id' ? github.appId : privateKey) };
  const mint = mintToken({ allowed: ['acme/*'], app: appTokens({ secrets, apiUrl: github.url, clock }) });
  const access = {
    tokens: { get: (target: string) => mint(target, 'write'), forget: () => {} },
    apiUrl: github.url,
    clock,
  };
  return {
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    evidence: dynamoEvidenceStore(client, server.tables.Evidence, { days: 30, clock }),
    outcomes: dynamoOutcomeStore(client, server.tables.Evidence, { days: 30, clock }),
    remediations: dynamoRemediationStore(client, server.tables.Incidents),
    tracker: githubIssueTracker(access),
    thread: githubIssueThread(access),
    pulls: githubPullRequests(access),
    pacer: dynamoWritePacer(client, server.tables.Incidents),
    notifier: { notify: () => Promise.resolve() },
    onNotifyFault: () => {},
    redactor: createRedactor(),
    queues: recordingQueues().queues,
    clock,
    ids: { uuid: randomUUID },
  };
}

/** A diagnosed incident whose issue is due. */
async function aDue(ports: PublishPorts): Promise<string> {
  const id = randomUUID().replaceAll('-', '');
  const head = anIncident({ id, target: TARGET, due: 0, fingerprint: `v1:${id}` });
  await ports.incidents.record(anOccurrence({ incidentId: id, finding: aFinding({ id: `f-${id}` }) }), head);
  await ports.evidence.save(anEvidencePack({ incidentId: id }));
  await ports.incidents.saveDiagnosis(id, aDiagnosis({ summary: 'Something failed.', cause: [], chain: [] }));
  return id;
}

interface Row {
  readonly name: string;
  readonly repository?: Partial<GitHubOptions['repositories'][number]>;
  readonly options?: Partial<GitHubOptions>;
  readonly privateKey?: string;
  readonly spoil?: (github: EmbeddedGitHub) => void;
  readonly outcome: 'escalated' | 'postponed';
  readonly reason: RegExp;
  readonly advice: RegExp;
}

/** What an operator meets with GitHub, what the incident's history says of it, and what would be right. */
const ROWS: readonly Row[] = [
  {
    name: 'the repository is archived',
    repository: { isArchived: true },
    outcome: 'escalated',
    reason: /The repository acme\/widgets is archived/,
    advice: /Make it writable, or set PLATFORM_REPOSITORY/,
  },
  {
    name: 'its issues are switched off',
    repository: { hasIssues: false },
    outcome: 'escalated',
    reason: /The repository acme\/widgets has its issues switched off/,
    advice: /Make it writable, or set PLATFORM_REPOSITORY/,
  },
  {
    name: 'the App is not installed',
    repository: { isInstalled: false },
    outcome: 'escalated',
    reason: /GitHub answered 404/,
    advice: /that Healer's GitHub App is installed on it/,
  },
  {
    name: 'the App has too few rights',
    options: { appPermissions: { metadata: 'read', issues: 'read' } },
    outcome: 'escalated',
    reason: /GitHub answered 422 \(The permissions requested are not granted/,
    advice: /Grant Healer's GitHub App the permissions of docs\/security\.md/,
  },
  {
    name: 'the App is suspended',
    spoil: (github) => github.suspend(true),
    outcome: 'escalated',
    reason: /suspended/,
    advice: /Unsuspend the installation/,
  },
  {
    name: 'a key that is none',
    privateKey: 'not a key',
    outcome: 'escalated',
    reason: /the stored private key of Healer's GitHub App is not a PEM key/,
    advice: /Store the App's \.pem file, whole, as the secret github-app-key/,
  },
  {
    name: 'HTML from a proxy',
    spoil: (github) => void github.faults.add({ kind: 'html' }),
    outcome: 'postponed',
    reason: /not of the form that GitHub documents/,
    advice: /Check that GITHUB_API_URL is the base of a GitHub REST API and no proxy answers for it/,
  },
];

describe('a repository that takes no issue', () => {
  it.each(ROWS)('$name: the incident says why, and one log event has the advice', async (row) => {
    const { repository = {}, options = {} } = row;
    const seeds = [{ name: TARGET, isPrivate: true, ...repository }, { name: 'acme/other' }];
    const github = await startGitHub({ repositories: seeds, ...options });
    closers.push(() => github.stop());
    row.spoil?.(github);
    const ports = portsOn(github, row.privateKey);
    const id = await aDue(ports);
    const handler = sqsBatch('publication', publishIncident(ports, { showEvidenceInPublic: false, modes: [] }));
    let answer: unknown;
    const events = await advising(async () => {
      answer = await handler(anSqsEvent([JSON.stringify({ incident: id })]), aLambdaContext());
    });
    expect(answer).toEqual({ batchItemFailures: [] });
    const last = (await showIncident(ports.incidents, id)).history.at(-1)?.event;
    expect(last).toMatch(row.reason);
    expect(last).toMatch(row.advice);
    expect(events).toMatchObject([
      { level: 'WARN', message: 'record done', outcome: row.outcome, advice: expect.stringMatching(row.advice) },
    ]);
    // What passes by itself is tried again; what does not is in a person's hands.
    const incident = await ports.incidents.get(id);
    const kept = row.outcome === 'escalated' ? { state: 'escalated', due: null } : { next: 'publication', attempt: 1 };
    expect(incident).toMatchObject({ issue: null, ...kept });
  });
});
