import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import type { IncidentStore } from '#lib/app/ports.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { aFinding, anEntryRef } from '#test/support/builders/a-finding.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const NOW = 1_780_000_000_000;

let server: TestTables;
let store: IncidentStore;
let count = 0;

beforeAll(async () => {
  server = await startTestTables();
  store = dynamoIncidentStore(toDocumentClient(), server.tables.Incidents);
});
afterAll(() => server.stop());

/** A head of its own that owes evidence, as detection stores it, and its first occurrence. */
async function aStored(change: Partial<Incident> = {}): Promise<Incident> {
  const id = `incident-${(count += 1)}`;
  const fresh = anIncident({
    id,
    state: 'detected',
    version: 1,
    next: 'evidence',
    due: NOW,
    updatedAt: NOW,
    ...change,
  });
  const finding = aFinding({ id: `finding-${id}` });
  return (await store.record(anOccurrence({ incidentId: id, finding }), fresh)).incident;
}

const claim = (id: string, owner = 'worker-1', now = NOW, stage: 'evidence' | 'publication' = 'evidence') =>
  store.claim({ id, stage, owner, now, until: now + 60_000 });

describe('record', () => {
  it('stores the head as it was given, nulls included', async () => {
    const stored = await aStored({ code: null, agent: null });
    expect(await store.get(stored.id)).toEqual({ ...stored, code: null, agent: null, lease: null, issue: null });
  });

  it('stores a finding once, however often it is read', async () => {
    const { id } = await aStored();
    const again = anOccurrence({ incidentId: id, finding: aFinding({ id: `finding-${id}` }) });
    expect((await store.record(again, anIncident({ id }))).isNew).toBe(false);
    expect(await store.countOccurrences(id)).toBe(1);
  });

  it('leaves the head of a known incident alone', async () => {
    const stored = await aStored();
    const other = anOccurrence({ incidentId: stored.id, finding: aFinding({ id: 'another' }) });
    const { incident, isNew } = await store.record(other, anIncident({ id: stored.id, title: 'another title' }));
    expect([incident, isNew]).toEqual([stored, true]);
  });

  it('keeps nanoseconds exact, and lists the newest first', async () => {
    const { id } = await aStored();
    const anchors = [5n, 1_767_888_251_123_456_789n, 1_999_999_999_999_999_999n];
    for (const ns of anchors) {
      const finding = aFinding({ id: `at-${ns}`, anchor: anEntryRef({ ns }), also: [anEntryRef({ ns: ns + 1n })] });
      await store.record(anOccurrence({ incidentId: id, finding }), anIncident({ id }));
    }
    const listed = await store.occurrences(id, 2);
    expect(listed.map(({ finding }) => finding.anchor.ns)).toEqual(anchors.toReversed().slice(0, 2));
    expect(listed[0]?.finding.also[0]?.ns).toBe(2_000_000_000_000_000_000n);
  });
});

describe('claim', () => {
  it('gives one of fifty racers the lease', async () => {
    const { id } = await aStored();
    const racers = Array.from({ length: 50 }, (_, index) => claim(id, `worker-${index}`));
    expect((await Promise.all(racers)).filter((won) => won !== undefined)).toHaveLength(1);
  });

  it('waits for the lease to end, and not longer', async () => {
    const { id } = await aStored();
    await claim(id);
    expect(await claim(id, 'worker-2', NOW + 59_999)).toBeUndefined();
    expect((await claim(id, 'worker-2', NOW + 60_000))?.lease?.owner).toBe('worker-2');
  });

  it('is not due again while it is held', async () => {
    const { id } = await aStored();
    await claim(id);
    const overdue = await store.overdue(NOW + 59_999, 100);
    expect(overdue.map((incident) => incident.id)).not.toContain(id);
  });

  it('is refused to a stage that is owed nothing', async () => {
    const { id } = await aStored();
    expect(await claim(id, 'worker-1', NOW, 'publication')).toBeUndefined();
    expect(await claim('unknown')).toBeUndefined();
  });

  it('waits until postponed work may go on, whatever messages arrive', async () => {
    const { id } = await aStored();
    const held = (await claim(id)) ?? expect.fail('not claimed');
    await store.change(held, { due: NOW + 500, notBefore: NOW + 500, attempt: 1, event: 'postponed' }, 'evidence', NOW);
    expect(await claim(id, 'worker-2', NOW + 499)).toBeUndefined();
    expect((await claim(id, 'worker-2', NOW + 500))?.attempt).toBe(1);
  });
});

describe('change', () => {
  it('sets what is given, removes what is null, gives the lease back and tells it in the history', async () => {
    const { id } = await aStored();
    const held = (await claim(id)) ?? expect.fail('not claimed');
    const issue = { number: 7, url: 'https://github.com/acme/widgets/issues/7' };
    const done = { state: 'reported', next: null, due: null, issue, event: 'issue #7 created' } as const;
    expect(await store.change(held, done, 'publication', NOW + 5)).toBe(true);
    const after = await store.get(id);
    expect(after).toMatchObject({ state: 'reported', next: null, due: null, issue, lease: null, version: 2 });
    expect(await store.history(id)).toEqual([{ at: NOW + 5, stage: 'publication', event: 'issue #7 created' }]);
    expect((await store.overdue(NOW * 2, 1000)).map((incident) => incident.id)).not.toContain(id);
  });

  it('refuses a worker that lost its lease, and one that read an older version', async () => {
    const { id } = await aStored();
    const first = (await claim(id)) ?? expect.fail('not claimed');
    const second = (await claim(id, 'worker-2', NOW + 60_000)) ?? expect.fail('not claimed');
    expect(await store.change(first, { event: 'too late' }, 'evidence', NOW)).toBe(false);
    expect(await store.change(second, { event: 'in time' }, 'evidence', NOW)).toBe(true);
    expect(await store.change(second, { event: 'twice' }, 'evidence', NOW)).toBe(false);
  });
});

describe('overdue work', () => {
  it('is sent again by one of two sweeps', async () => {
    const stored = await aStored({ due: NOW - 1 });
    const both = await Promise.all([store.reschedule(stored, NOW + 10), store.reschedule(stored, NOW + 11)]);
    expect(both.filter(Boolean)).toHaveLength(1);
  });

  it('is asked for of a head that owes nothing, and taken up later by one that does', async () => {
    const owing = await aStored();
    await store.request(owing.id, 'publication', NOW + 9);
    expect((await store.get(owing.id))?.next).toBe('evidence');
    const held = (await claim(owing.id)) ?? expect.fail('not claimed');
    await store.change(held, { next: null, due: null, event: 'done' }, 'evidence', NOW);
    expect(await store.get(owing.id)).toMatchObject({ next: 'publication', due: NOW + 9, attempt: 0 });
    const both = await aStored();
    await store.request(both.id, 'evidence', NOW + 9);
    await store.request(both.id, 'publication', NOW + 1);
    const worked = (await claim(both.id)) ?? expect.fail('not claimed');
    await store.change(worked, { next: 'publication', due: NOW, rests: true, event: 'looks again' }, 'evidence', NOW);
    expect(await store.get(both.id)).toMatchObject({ next: 'evidence', due: NOW + 9 });
    const ended = await aStored();
    await store.request(ended.id, 'publication', NOW + 9);
    const last = (await claim(ended.id)) ?? expect.fail('not claimed');
    await store.change(last, { state: 'escalated', next: null, due: null, event: 'given up' }, 'evidence', NOW);
    expect(await store.get(ended.id)).toMatchObject({ next: null, due: null });
    const resting = await aStored({ next: null, due: null });
    await store.request(resting.id, 'evidence', NOW + 9);
    expect(await store.get(resting.id)).toMatchObject({ next: 'evidence', due: NOW + 9, version: resting.version });
    await store.request('unknown', 'evidence', NOW);
    expect(await store.get('unknown')).toBeUndefined();
  });
});

describe('what hangs on a head', () => {
  it('keeps the diagnosis and the first intent', async () => {
    const { id } = await aStored();
    expect(await store.diagnosis(id)).toBeUndefined();
    await store.saveDiagnosis(id, aDiagnosis());
    expect(await store.diagnosis(id)).toEqual(aDiagnosis());
    const first = await store.intend(id, { marker: 'm1', at: 1 });
    expect(await store.intend(id, { marker: 'm2', at: 2 })).toMatchObject(first);
  });

  it('finds the occurrences of a play', async () => {
    const { id } = await aStored();
    const finding = aFinding({ id: 'of-play', playId: 'play-own' });
    await store.record(anOccurrence({ incidentId: id, playId: 'play-own', finding }), anIncident({ id }));
    expect((await store.ofPlay('play-own')).map((one) => one.finding.id)).toEqual(['of-play']);
    expect(await store.ofPlay('play-none')).toEqual([]);
  });
});

describe('list', () => {
  it('pages newest first by repository and state, each incident once', async () => {
    const target = 'acme/listed';
    const stored: string[] = [];
    for (let i = 0; i < 7; i += 1)
      stored.push((await aStored({ target, firstSeen: NOW + i, state: i % 2 === 0 ? 'reported' : 'detected' })).id);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ repository: target, limit: 3, cursor });
      pages.push(page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(pages.flat()).toEqual(stored.toReversed());
    const reported = await store.list({ repository: target, state: 'reported', limit: 10 });
    expect(reported.items.map(({ id }) => id)).toEqual(stored.filter((_, i) => i % 2 === 0).toReversed());
    expect(reported.cursor).toBeUndefined();
  });

  it('refuses a cursor that it did not make', async () => {
    await expect(store.list({ limit: 3, cursor: 'bm9wZQ' })).rejects.toThrow(/cursor/);
  });
});
