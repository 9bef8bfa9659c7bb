import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { wireEvaluate } from '#lib/wiring/evaluate.ts';
import { wireRemediate } from '#lib/wiring/remediate.ts';
import { anAnswer } from '#test/support/an-analyst.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aParameterStore } from '#test/support/parameter-store.ts';

const KEYS = { evaluation: 'sk-evaluation', remediation: 'sk-remediation' };
const limits = { signal: new AbortController().signal, remainingMs: () => 280_000 };

let endpoint: EmbeddedModel;
let tables: TestTables;
let aws: AwsPeer;
beforeAll(async () => {
  endpoint = await startModel({
    keys: Object.values(KEYS),
    script: [
      { when: { schema: 'analysis' }, replies: [{ json: anAnswer() }] },
      { when: { schema: 'step' }, replies: [{ json: { action: 'stop', path: null, text: 'a test', proposal: null } }] },
    ],
  });
  const store = aParameterStore();
  for (const [name, key] of Object.entries(KEYS)) store.put(`/healer/test/openai-key-${name}`, key);
  aws = await startAwsPeer(store.actions);
  tables = await startTestTables();
  const settings = {
    INCIDENTS_TABLE: tables.tables.Incidents,
    EVIDENCE_TABLE: tables.tables.Evidence,
    BUDGETS_TABLE: tables.tables.Budgets,
    PUBLICATION_QUEUE_URL: 'publication',
    TOKEN_BROKER_ARN: 'arn:aws:lambda:eu-central-1:000000000000:function:healer-test-github-token:read',
    SECRETS_PREFIX: '/healer/test',
    OPENAI_BASE_URL: endpoint.url,
    EVALUATION_MODEL: 'thinker',
    REMEDIATION_MODEL: 'writer',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  for (const stage of ['EVALUATION', 'REMEDIATION']) {
    vi.stubEnv(`${stage}_INPUT_USD_PER_MILLION`, '1');
    vi.stubEnv(`${stage}_OUTPUT_USD_PER_MILLION`, '4');
  }
});
afterAll(async () => {
  await Promise.all([endpoint.stop(), aws.stop(), tables.stop()]);
});

it.each([
  ['evaluate', wireEvaluate, 'thinker', 'sk-evaluation'],
  ['remediate', wireRemediate, 'writer', 'sk-remediation'],
] as const)('%s asks its own model with its own key', async (_, wire, name, key) => {
  const before = endpoint.requests.length;
  expect(await wire().probeModel(limits)).toMatchObject({ model: { name, trouble: null } });
  expect(endpoint.requests.slice(before)).toMatchObject([{ authorization: `Bearer ${key}`, model: name, status: 200 }]);
});

it.each([
  ['evaluate', wireEvaluate, 'EVALUATION_MODEL'],
  ['remediate', wireRemediate, 'REMEDIATION_MODEL'],
] as const)('%s says that it has none', async (_, wire, variable) => {
  vi.stubEnv(variable, '');
  expect((await wire().probeModel(limits)).model).toBeNull();
});
