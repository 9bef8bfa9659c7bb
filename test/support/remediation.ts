import { randomUUID } from 'node:crypto';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { dynamoOutcomeStore } from '#lib/adapters/dynamodb/outcome-store.ts';
import { dynamoRemediationStore } from '#lib/adapters/dynamodb/remediation-store.ts';
import { appTokens } from '#lib/adapters/github/app-tokens.ts';
import { githubIssueThread } from '#lib/adapters/github/issue-thread.ts';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import { githubPullRequests } from '#lib/adapters/github/pull-requests.ts';
import { githubRepositoryReader } from '#lib/adapters/github/repository-reader.ts';
import type { PatchAuthor } from '#lib/app/ask-for-proposal.ts';
import { mintToken } from '#lib/app/mint-token.ts';
import type { PermissionSet, RepositoryToken } from '#lib/app/ports.ts';
import { type PublishPorts, publishIncident } from '#lib/app/publish-incident.ts';
import { remediateIncident } from '#lib/app/remediate-incident.ts';
import type { RemediatePorts } from '#lib/app/remedy-ports.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { parseModes } from '#lib/domain/remediation/modes.ts';
import type { ModelProposal } from '#lib/domain/remediation/proposal.ts';
import type { RemedyStep } from '#lib/domain/remediation/remedy-step.ts';
import type { GitHubOptions } from '#lib/local/github/options.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { aDiagnosis } from './builders/a-diagnosis.ts';
import { aFinding } from './builders/a-finding.ts';
import { anEvidencePack } from './builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from './builders/an-incident.ts';
import type { TestTables } from './dynalite.ts';
import { recordingQueues } from './recording-queues.ts';

export const TARGET = 'acme/shop';
export const MAINTAINER = { login: 'mia', token: 'token-of-mia' };
export const GUEST = { login: 'gus', token: 'token-of-gus' };

/** The configuration of two agents; rex's second tool is misspelt. */
const CONFIG = `{
  "version": "1.0",
  "agents": {
    "rex": {
      "githubApp": "Acme-Rex",
      "tools": {
        "remote": ["docs_lookup",
          "github_create_brnch"
        ],
        "localServers": {}
      }
    },
    "cleo": {
      "tools": { "remote": ["docs_lookup", "github_create_branch"] }
    }
  }
}
`;

/** A stage of the chain on embedded peers, with a clock that a test moves. */
export async function aWorkshop(tables: TestTables, options: Partial<GitHubOptions> = {}, modes = '') {
  const github = await startGitHub({
    repositories: [{ name: TARGET, isPrivate: true, files: { 'cto-config.json': CONFIG, 'src/run.sh': 'echo one\n' } }],
    users: [
      { ...MAINTAINER, permissions: { [TARGET]: 'maintain' } },
      { ...GUEST, permissions: { [TARGET]: 'triage' } },
    ],
    ...options,
  });
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const queue = recordingQueues();
  const client = toDocumentClient();
  const shared = {
    incidents: dynamoIncidentStore(client, tables.tables.Incidents),
    evidence: dynamoEvidenceStore(client, tables.tables.Evidence, { days: 30, clock }),
    outcomes: dynamoOutcomeStore(client, tables.tables.Evidence, { days: 30, clock }),
    remediations: dynamoRemediationStore(client, tables.tables.Incidents),
    redactor: createRedactor(),
    queues: queue.queues,
    clock,
    ids: { uuid: randomUUID },
  };
  const write = { tokens: aTokenSource(github, 'write'), apiUrl: github.url, clock: { now: () => Date.now() } };
  const ports: PublishPorts = {
    ...shared,
    tracker: githubIssueTracker(write),
    thread: githubIssueThread(write),
    pulls: githubPullRequests(write),
    pacer: { take: async () => ({ granted: true }) },
    notifier: { notify: async () => {} },
    onNotifyFault: () => {},
  };
  const readerPorts: RemediatePorts = {
    ...shared,
    reader: githubRepositoryReader({ ...write, tokens: aTokenSource(github, 'read') }),
    onFault: () => {},
  };
  const limits = { signal: new AbortController().signal, remainingMs: () => 240_000 };
  const publishOptions = { showEvidenceInPublic: false, modes: parseModes(modes) };
  return {
    github,
    clock,
    ports,
    readerPorts,
    queue,
    publish: (id: string, changed: Partial<PublishPorts> = {}) =>
      publishIncident({ ...ports, ...changed }, publishOptions)({ incident: id }),
    remediate: (id: string, author?: PatchAuthor) =>
      remediateIncident({ ...readerPorts, ...(author && { author }) })({ incident: id }, limits),
    /** Asks the API as a person. */
    as: async (token: string, method: string, path: string, body?: unknown) => {
      const headers = { authorization: `token ${token}`, accept: 'application/vnd.github+json' };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${github.url}/repos/${TARGET}${path}`, { method, headers, ...init });
      return { status: answer.status, data: (await answer.json()) as Record<string, unknown> };
    },
    aDue: (change: Partial<Incident> = {}, finding: Partial<Finding> = {}) => aDue(ports, change, finding),
  };
}

export type Workshop = Awaited<ReturnType<typeof aWorkshop>>;

function aTokenSource(github: EmbeddedGitHub, permissions: PermissionSet) {
  const secrets = { get: async (name: string) => (name === 'github-app-id' ? github.appId : github.privateKey) };
  const clock = { now: () => Date.now() };
  const mint = mintToken({ allowed: ['acme/*'], app: appTokens({ secrets, apiUrl: github.url, clock }) });
  const held = new Map<string, RepositoryToken>();
  return {
    async get(target: string) {
      const token = held.get(target) ?? (await mint(target, permissions));
      held.set(target, token);
      return token;
    },
    forget: (target: string) => void held.delete(target),
  };
}

/** A diagnosed incident of A10 whose issue is due. */
async function aDue(ports: PublishPorts, change: Partial<Incident>, found: Partial<Finding>): Promise<string> {
  const id = randomUUID().replaceAll('-', '');
  const fingerprint = `v1:${id}`;
  const finding = aFinding({ id: `f-${id}`, fingerprint, ...found });
  const head = anIncident({ id, target: TARGET, due: 0, fingerprint, ...change });
  await ports.incidents.record(anOccurrence({ incidentId: id, repository: TARGET, finding }), head);
  await ports.evidence.save(anEvidencePack({ incidentId: id, repository: TARGET, finding }));
  await ports.incidents.saveDiagnosis(id, aDiagnosis());
  return id;
}

type Step = Partial<RemedyStep>;

/** A model that answers what a test wrote down, one step a call. Its answers are constructed. */
export function aScriptedAuthor(steps: readonly Step[]): PatchAuthor & { readonly heard: string[] } {
  const heard: string[] = [];
  const left = [...steps];
  return {
    heard,
    redactor: createRedactor(),
    model: {
      name: 'scripted',
      prices: { inputUsd: 0, outputUsd: 0 },
      ask: async (request) => {
        heard.push(request.messages.at(-1)?.text ?? '');
        const step = left.shift() ?? { action: 'stop' as const };
        const value = request.answer.schema.parse({ path: null, text: null, proposal: null, ...step });
        const usage = { inputTokens: 1, outputTokens: 1, isReported: true };
        return { value, text: JSON.stringify(value), usage, model: 'scripted' };
      },
    },
    budgets: { reserve: async () => ({ granted: true }), settle: async () => {} },
    clock: { now: () => Date.now() },
    ids: { uuid: randomUUID },
    onModelCall: () => {},
    onSettleFault: () => {},
  };
}

type Written = (typeof ModelProposal)['_output'];

/** What a model may propose: one line of a script. */
export const aModelProposal = (change: Partial<Written> = {}): Written => ({
  title: 'Say two',
  why: 'The script says the wrong number.',
  edits: [{ path: 'src/run.sh', search: 'echo one', replace: 'echo two' }],
  verify: ['Run it.'],
  ...change,
});
