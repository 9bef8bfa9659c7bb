import '#test/support/quiet.ts';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import type { IncidentStore } from '#lib/app/ports.ts';
import { ask } from '#test/support/api.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { type SessionApi, startSessionApi } from '#test/support/session-api.ts';

const LIST = 'GET /api/v1/incidents';
const GET = 'GET /api/v1/incidents/{id}';
const SESSION = 'GET /api/v1/session/{play_id}';

let api: SessionApi;
let incidents: IncidentStore;

beforeAll(async () => {
  api = await startSessionApi();
  incidents = dynamoIncidentStore(toDocumentClient(), api.tables.Incidents);
  await incidents.record(anOccurrence({ playId: 'told' }), anIncident({ version: 0, state: 'detected' }));
  const head = await incidents.get(anIncident().id);
  if (head === undefined) throw new Error('the incident was not stored');
  const issue = { number: 12, url: 'https://github.com/acme/platform/issues/12' };
  const change = { state: 'reported', next: null, due: null, issue, event: 'issue 12 created' } as const;
  await incidents.change(head, change, 'publication', 1_767_888_340_000);
  await incidents.saveDiagnosis(head.id, aDiagnosis());
  await ask(api.write, 'POST /api/v1/session/start', { body: { play_id: 'told', repository: 'acme/widgets' } });
});
afterAll(() => api.stop());

describe('incidents', () => {
  it('are listed with their state and issue', async () => {
    const { status, body } = await ask(api.read, LIST);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        count: 1,
        incidents: [
          { id: anIncident().id, state: 'reported', issue_url: expect.stringMatching(/issues\/12$/) as string },
        ],
        next_cursor: null,
      },
    });
  });

  it('are filtered by state and repository', async () => {
    expect((await ask(api.read, LIST, { query: { state: 'dismissed' } })).body).toMatchObject({ count: 0 });
    expect((await ask(api.read, LIST, { query: { repository: 'acme/platform' } })).body).toMatchObject({ count: 1 });
    const wrong = await ask(api.read, LIST, { query: { state: 'lost' } });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'state' }] } });
  });

  it('are shown with diagnosis, history, occurrences and links', async () => {
    const { status, body } = await ask(api.read, GET, { parameters: { id: anIncident().id } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        incident: {
          diagnosis: { confidence: 'certain' },
          history: expect.arrayContaining([expect.objectContaining({ event: 'issue 12 created' })]) as unknown[],
          occurrence_count: 1,
          occurrences: [{ play_id: 'told' }],
          links: { sessions: ['/api/v1/session/told'] },
        },
      },
    });
  });

  it('stand in the session that showed them', async () => {
    const { body } = await ask(api.read, SESSION, { parameters: { play_id: 'told' } });
    expect(body).toMatchObject({
      session: { issues: [{ issue_type: 'tool_mismatch', github_issue: expect.stringMatching(/12$/) as string }] },
      healer: { incidents: [{ id: anIncident().id, occurrences: 1 }] },
    });
  });

  it('that are not stored are not found', async () => {
    const answer = await ask(api.read, GET, { parameters: { id: 'none' } });
    expect(answer).toMatchObject({ status: 404, body: { status: 'error', incident: null } });
    expect(await ask(api.read, GET, { parameters: { id: '../x' } })).toMatchObject({ status: 400 });
  });
});
