import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dynamoBudgetStore } from '#lib/adapters/dynamodb/budget-store.ts';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoEvidenceStore } from '#lib/adapters/dynamodb/evidence-store.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { type EvaluatePorts, evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { BudgetLimits } from '#lib/domain/model/spend.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { aLimit } from '#test/contracts/model/peer.ts';
import { anAnalyst, anAnswer } from '#test/support/an-analyst.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { recordingQueues } from '#test/support/recording-queues.ts';

const much = { tokens: 10_000_000, microUsd: 100_000_000 };
const clock = { now: () => Date.now() };

let server: TestTables;
let client: DynamoDBDocumentClient;
let model: EmbeddedModel;
let play = '';

beforeAll(async () => {
  server = await startTestTables();
  client = toDocumentClient();
});
afterAll(() => server.stop());
afterEach(() => model.stop());

interface World {
  readonly ports: EvaluatePorts;
  readonly analyst: ReturnType<typeof anAnalyst>;
  readonly queues: ReturnType<typeof recordingQueues>;
}

async function aWorld(
  replies: readonly object[],
  limits: Partial<BudgetLimits> = {},
  name = 'scripted',
): Promise<World> {
  play = randomUUID();
  model = await startModel({ script: [{ when: { schema: 'analysis' }, replies: replies.map((json) => ({ json })) }] });
  const budgets = dynamoBudgetStore(client, server.tables.Budgets, {
    incident: much,
    play: much,
    day: much,
    ...limits,
  });
  const analyst = anAnalyst({ url: model.url, budgets, model: name });
  const queues = recordingQueues();
  const ports: EvaluatePorts = {
    incidents: dynamoIncidentStore(client, server.tables.Incidents),
    evidence: dynamoEvidenceStore(client, server.tables.Evidence, { days: 30, clock }),
    queues: queues.queues,
    clock,
    ids: { uuid: randomUUID },
    analyst: analyst.analyst,
  };
  return { ports, analyst, queues };
}

/** An incident that owes an evaluation, with its evidence. */
async function aDue(
  { ports }: World,
  change: Partial<Incident> = {},
  pack: Partial<EvidencePack> = {},
): Promise<string> {
  const id = randomUUID().replaceAll('-', '');
  const head = anIncident({ id, fingerprint: `v1:${id}`, state: 'detected', next: 'evaluation', due: 0, ...change });
  await ports.incidents.record(anOccurrence({ incidentId: id, finding: aFinding({ id: `f-${id}` }) }), head);
  await ports.evidence.save(anEvidencePack({ incidentId: id, playId: play, ...pack }));
  return id;
}

const evaluate = ({ ports }: World, id: string, change: Partial<EvaluatePorts> = {}, remainingMs = 25_000) =>
  evaluateIncident({ ...ports, ...change })({ incident: id }, aLimit(remainingMs));

async function rulesOf({ ports }: World, id: string) {
  const pack = await ports.evidence.load(id);
  if (pack === undefined) throw new Error('no pack');
  return verifyClaims(diagnose(pack), pack);
}

/** Asks for another evaluation, as a later stage or finding does. */
async function askAgain({ ports }: World, id: string): Promise<void> {
  const incident = await ports.incidents.get(id);
  if (incident === undefined) throw new Error('no incident');
  await ports.incidents.change(incident, { next: 'evaluation', due: 0, event: 'asked again' }, 'test', Date.now());
}

describe('without a model', () => {
  it('the diagnosis is that of the rules, and nothing is told of a model', async () => {
    const world = await aWorld([anAnswer()]);
    const id = await aDue(world);
    const { analyst: _, ...ports } = world.ports;
    const outcome = await evaluateIncident(ports)({ incident: id }, aLimit());
    expect(outcome).toMatchObject({ kind: 'done', event: 'diagnosed by rules, likely' });
    expect(await world.ports.incidents.diagnosis(id)).toEqual(await rulesOf(world, id));
    expect(world.queues.sent).toEqual([{ queue: 'publication', message: { incident: id }, delaySeconds: 0 }]);
    expect(model.requests).toEqual([]);
  });

  it('and without a stored key it is the same, though a name is set', async () => {
    const world = await aWorld([anAnswer()]);
    const missing = new SourceError({ source: 'secrets', message: 'x', advice: 'y', retryable: false, status: 404 });
    const ask = async () => Promise.reject(missing);
    const id = await aDue(world);
    await evaluate(world, id, {
      analyst: { ...world.analyst.analyst, model: { ...world.analyst.analyst.model, ask } },
    });
    expect(await world.ports.incidents.diagnosis(id)).toEqual(await rulesOf(world, id));
    expect(world.analyst.faults).toEqual([missing]);
  });
});

describe('with a model', () => {
  it('adds what the evidence proves, keeps the rules, and tells the audit log figures and hashes only', async () => {
    const extra = { text: 'The line names `agent rex` as the one without it.', evidence: ['L1'] };
    const world = await aWorld([anAnswer({ claims: [extra] })]);
    const id = await aDue(world);
    const outcome = await evaluate(world, id);
    expect(outcome).toMatchObject({ kind: 'done', event: 'diagnosed by rules and a model, likely' });
    const [rules, stored] = [await rulesOf(world, id), await world.ports.incidents.diagnosis(id)];
    const { summary, root_cause, remedy } = anAnswer();
    expect(stored).toMatchObject({ source: 'model', summary, confidence: 'likely' });
    expect(stored?.cause).toEqual([root_cause, extra, ...rules.cause]);
    expect(stored?.remedy).toEqual([...remedy.map((text) => ({ text })), ...rules.remedy]);
    expect(stored?.analysis).toMatchObject({ status: 'proved', model: 'scripted', promptVersion: 'evaluation-1' });
    expect(world.analyst.calls).toEqual([
      {
        incident: id,
        play,
        model: 'scripted',
        promptVersion: 'evaluation-1',
        inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        outputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        outcome: 'answered',
        tokens: expect.any(Number),
        microUsd: expect.any(Number),
        isReported: true,
        dayShare: expect.any(Number),
      },
    ]);
    expect(world.analyst.calls[0]?.microUsd).toBeGreaterThan(100);
  });

  it.each([
    ['an id that does not exist', { text: 'It says `github_create_brnch`.', evidence: ['L1', 'L99'] }],
    ['no id', { text: 'It says `github_create_brnch`.', evidence: [] }],
    ['words that the piece does not say', { text: 'It says `connection refused`.', evidence: ['L1'] }],
    ['no quotation', { text: 'The moon stands in the way.', evidence: ['L1'] }],
    ['a quotation that says nothing', { text: 'The moon `a` is in the way.', evidence: ['L1'] }],
  ])('leaves the rules alone when its claims have %s, and does not pay twice for it', async (_, root_cause) => {
    const world = await aWorld([anAnswer({ root_cause })]);
    const id = await aDue(world);
    expect(await evaluate(world, id)).toMatchObject({ event: expect.stringContaining('unproved') });
    const rules = await rulesOf(world, id);
    const stored = await world.ports.incidents.diagnosis(id);
    const gap = 'A model was asked as well; nothing that it said is proved by the evidence, so it was left out.';
    expect(stored).toEqual({
      ...rules,
      gaps: [...rules.gaps, gap],
      analysis: expect.objectContaining({ status: 'unproved' }),
    });
    await askAgain(world, id);
    await evaluate(world, id);
    expect(model.requests).toHaveLength(1);
    expect(await world.ports.incidents.diagnosis(id)).toEqual(stored);
  });

  it.each([
    [{ kind: 'refuse' }, /declined to answer/],
    [{ kind: 'filter' }, /content filter/],
    [{ kind: 'truncate' }, /cut off/],
    [{ kind: 'nonsense' }, /could not be read/],
    [{ kind: 'wrong-schema' }, /did not have the shape/],
    [{ kind: 'huge' }, /too long/],
    [{ kind: 'html' }, /could not be asked/],
    [{ kind: 'status', status: 401 }, /could not be asked/],
    [{ kind: 'status', status: 404 }, /could not be asked/],
  ] as const)('that answers with %j leaves the rules, and the gap says so', async (fault, gap) => {
    const world = await aWorld([anAnswer()]);
    model.faults.add(fault);
    const id = await aDue(world);
    expect(await evaluate(world, id)).toMatchObject({ kind: 'done' });
    const rules = await rulesOf(world, id);
    const stored = await world.ports.incidents.diagnosis(id);
    expect(stored).toMatchObject({ source: 'rules', cause: rules.cause, analysis: { status: 'failed' } });
    expect(stored?.gaps.at(-1)).toMatch(gap);
    expect(stored?.gaps.at(-1)).toMatch(/by fixed rules alone/);
    expect(world.queues.take().map(({ queue }) => queue)).toEqual(['publication']);
    // It is asked again when the next evidence comes.
    model.faults.clear();
    await askAgain(world, id);
    await evaluate(world, id);
    expect(await world.ports.incidents.diagnosis(id)).toMatchObject({ source: 'model' });
  });

  it('that is overloaded is waited for once; then the rules go alone', async () => {
    const world = await aWorld([anAnswer()]);
    model.faults.add({ kind: 'rate-limit', retryAfterSeconds: 20 });
    const id = await aDue(world);
    const first = await evaluate(world, id);
    expect(first).toMatchObject({ kind: 'postponed' });
    // Already there: whatever comes, the incident has its diagnosis.
    expect(await world.ports.incidents.diagnosis(id)).toEqual(await rulesOf(world, id));
    const later = Date.now() + 60 * 60_000;
    const second = await evaluate(world, id, { clock: { now: () => later } });
    expect(second).toMatchObject({ kind: 'done' });
    expect((await world.ports.incidents.diagnosis(id))?.gaps.at(-1)).toMatch(/could not be asked/);
  });

  it('that hangs costs what it may have cost, and no invocation', async () => {
    const world = await aWorld([anAnswer()]);
    model.faults.add({ kind: 'hang' });
    const id = await aDue(world, { attempt: 1 });
    expect(await evaluate(world, id, {}, 17_100)).toMatchObject({ kind: 'done' });
    expect((await world.ports.incidents.diagnosis(id))?.source).toBe('rules');
    expect(world.analyst.calls).toMatchObject([{ outcome: 'no answer', outputHash: null, isReported: false }]);
    expect(world.analyst.calls[0]?.tokens).toBeGreaterThan(8_000);
  });

  it('whose answer cannot be redacted is left out', async () => {
    const world = await aWorld([anAnswer()]);
    const id = await aDue(world);
    const redactor = async () => ({
      redact: () => Promise.reject(new Error('broken')),
      redactLines: () => Promise.reject(new Error('broken')),
    });
    await evaluate(world, id, { analyst: { ...world.analyst.analyst, redactor } });
    expect(await world.ports.incidents.diagnosis(id)).toMatchObject({
      source: 'rules',
      analysis: { status: 'failed' },
    });
  });

  it('is not asked about what a person dismissed', async () => {
    const world = await aWorld([anAnswer()]);
    const id = await aDue(world, { state: 'dismissed' });
    expect(await evaluate(world, id)).toMatchObject({ kind: 'done', event: expect.stringContaining('dismissed') });
    expect(model.requests).toEqual([]);
    expect(world.queues.sent).toEqual([]);
  });
});

describe('a known failure', () => {
  const later = anEvidencePack().pieces.map((piece) => ({ ...piece, id: 'L7', at: '2026-01-09T10:00:00.000000000Z' }));
  const claim = { text: 'The line names `agent rex` as the one without it.', evidence: ['L1'] };

  it('reuses the stored analysis for another occurrence, with the ids of its own evidence', async () => {
    const world = await aWorld([anAnswer({ claims: [claim] })]);
    const id = await aDue(world);
    await evaluate(world, id);
    await world.ports.evidence.save(
      anEvidencePack({
        incidentId: id,
        playId: play,
        pieces: [aPiece({ text: 'starting', role: 'context' }), ...later],
      }),
    );
    await askAgain(world, id);
    await evaluate(world, id);
    const stored = await world.ports.incidents.diagnosis(id);
    expect(model.requests).toHaveLength(1);
    expect(stored?.source).toBe('model');
    expect(stored?.cause).toContainEqual({ ...claim, evidence: ['L7'] });
    expect(JSON.stringify(stored?.cause)).not.toContain('"L1"');
  });

  it.each([
    ['the evidence does not say it any more', { pieces: [aPiece({ text: 'something else failed' })] }, 'scripted'],
    ['another model is configured', {}, 'scripted-2'],
  ])('is asked about again when %s', async (_, pack, name) => {
    const world = await aWorld([anAnswer({ claims: [claim] }), anAnswer()]);
    const id = await aDue(world);
    await evaluate(world, id);
    await world.ports.evidence.save(anEvidencePack({ incidentId: id, playId: play, ...pack }));
    await askAgain(world, id);
    const { analyst } = anAnalyst({ url: model.url, budgets: world.analyst.analyst.budgets, model: name });
    await evaluate(world, id, { analyst });
    expect(model.requests).toHaveLength(2);
  });
});

describe('a critical incident', () => {
  it('is told at once, and analysed afterwards', async () => {
    const world = await aWorld([anAnswer()]);
    const id = await aDue(world, { severity: 'critical' });
    expect(await evaluate(world, id)).toMatchObject({ kind: 'done', event: expect.stringContaining('pending') });
    expect(model.requests).toEqual([]);
    const stored = await world.ports.incidents.diagnosis(id);
    expect(stored).toMatchObject({ source: 'rules', analysis: { status: 'pending' } });
    expect(world.queues.take().map(({ queue }) => queue)).toEqual(['publication']);
    const told = await world.ports.incidents.get(id);
    if (told === undefined) throw new Error('the incident is gone');
    const after = { state: 'reported', next: 'evaluation', due: 0, event: 'issue #1 created' } as const;
    await world.ports.incidents.change(told, after, 'publication', Date.now());
    expect(await evaluate(world, id)).toMatchObject({ kind: 'done', event: expect.stringContaining('a model') });
    expect(model.requests).toHaveLength(1);
    expect(await world.ports.incidents.get(id)).toMatchObject({ state: 'reported', next: 'publication' });
    expect(await world.ports.incidents.diagnosis(id)).toMatchObject({
      source: 'model',
      analysis: { status: 'proved' },
    });
  });
});

describe('budgets', () => {
  it.each([
    ['incident', 'this incident'],
    ['play', 'this play'],
    ['day', 'the day'],
  ] as const)('without room for the %s no call is made, and the gap says so', async (scope, words) => {
    const world = await aWorld([anAnswer()], { [scope]: { tokens: 5_000, microUsd: 1_000_000 } });
    const id = await aDue(world);
    await evaluate(world, id);
    const stored = await world.ports.incidents.diagnosis(id);
    expect(stored).toMatchObject({ source: 'rules', analysis: { status: 'over budget' } });
    expect(stored?.gaps.at(-1)).toBe(`No model was asked: the budget of ${words} is used up.`);
    expect(model.requests).toEqual([]);
    expect(world.analyst.calls).toMatchObject([{ outcome: 'over budget', tokens: 0, microUsd: 0 }]);
  });

  it('are shared by the incidents of a play, and what was not used is given back', async () => {
    const world = await aWorld([anAnswer()], { play: { tokens: 20_000, microUsd: 10_000_000 } });
    for (let i = 0; i < 5; i += 1) await evaluate(world, await aDue(world));
    expect(model.requests).toHaveLength(5);
    model.faults.add({ kind: 'usage', usage: { prompt_tokens: 9_000, completion_tokens: 3_000 } });
    for (let i = 0; i < 3; i += 1) await evaluate(world, await aDue(world));
    expect(world.analyst.calls.map(({ outcome }) => outcome).slice(5)).toEqual([
      'answered',
      'over budget',
      'over budget',
    ]);
  });
});
