import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordFindings } from '#lib/app/record-findings.ts';
import { MILLIS_PER_HOUR, toIso } from '#lib/domain/time.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anEvidencePack } from '#test/support/builders/an-evidence-pack.ts';
import { aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aWorkshop, MAINTAINER, TARGET, type Workshop } from '#test/support/remediation.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** An incident whose fix was merged. */
async function merged(shop: Workshop) {
  const { fingerprint } = aFinding({ fingerprint: `v1:${randomUUID().replaceAll('-', '')}` });
  const playId = 'play-1';
  const record = (play: string, startedAt: number) =>
    recordFindings(
      shop.ports,
      { platformRepository: null },
      aSession({ playId: play, repository: TARGET, startedAt: toIso(startedAt) }),
      [aFinding({ id: `f-${randomUUID()}`, playId: play, fingerprint })],
    );
  await record(playId, shop.clock.now() - MILLIS_PER_HOUR);
  const [incident] = (await shop.ports.incidents.list({ limit: 10, repository: TARGET })).items.filter(
    (one) => one.fingerprint === fingerprint,
  );
  const id = incident?.id ?? '';
  await diagnose(shop, id);
  await shop.publish(id);
  await shop.remediate(id);
  await shop.publish(id);
  const pull = (await shop.ports.incidents.get(id))?.pull?.number;
  await shop.as(MAINTAINER.token, 'PATCH', `/pulls/${pull}`, { draft: false });
  await shop.as(MAINTAINER.token, 'PUT', `/pulls/${pull}/merge`);
  await shop.publish(id);
  expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'verifying' });
  return { id, record };
}

/** What gather and evaluate leave behind. */
async function diagnose(shop: Workshop, id: string): Promise<void> {
  const claim = { id, owner: randomUUID(), now: shop.clock.now(), until: shop.clock.now() + 60_000 };
  const head = await shop.ports.incidents.claim({ ...claim, stage: 'evidence' });
  if (head === undefined) throw new Error('no evidence is owed');
  const pack = anEvidencePack({ incidentId: id, repository: TARGET });
  await shop.ports.evidence.save(pack);
  await shop.ports.incidents.saveDiagnosis(id, {
    source: 'rules',
    summary: 'Something failed.',
    cause: [],
    chain: [],
    consequences: [],
    remedy: [],
    verify: [],
    gaps: [],
    confidence: 'certain',
  });
  const change = { state: 'diagnosed', next: 'publication', due: shop.clock.now(), event: 'diagnosed' } as const;
  await shop.ports.incidents.change(head, change, 'evaluation', shop.clock.now());
}

describe('a failure that comes back', () => {
  it('after the merge, in a play that began after it, reopens with what changed; an older play does not', async () => {
    const shop = await aWorkshop(tables);
    const { id, record } = await merged(shop);
    await record('play-old', shop.clock.now() - 2 * MILLIS_PER_HOUR);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'verifying' });
    shop.clock.offset += MILLIS_PER_HOUR;
    await record('play-new', shop.clock.now());
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'regressed', next: 'evidence' });
    await diagnose(shop, id);
    await shop.publish(id);
    const { issue } = (await shop.ports.incidents.get(id)) ?? {};
    const { data } = await shop.github.asAdmin('GET', `/repos/${TARGET}/issues/${issue?.number}/comments`);
    expect(JSON.stringify(data)).toContain('The failure came back');
    expect(await shop.ports.remediations.get(id)).toMatchObject({
      cycle: 2,
      attempts: [],
      branch: expect.stringMatching(/-2$/),
    });
    await shop.github.stop();
  });

  it('after the resolution opens the closed issue again and takes the label away', async () => {
    const shop = await aWorkshop(tables);
    const { id, record } = await merged(shop);
    shop.clock.offset += MILLIS_PER_HOUR;
    const exposure = { incidentId: id, playId: 'p', agent: 'rex', at: shop.clock.now(), proof: 'it works' };
    await shop.ports.remediations.expose(exposure);
    shop.clock.offset += 24 * MILLIS_PER_HOUR;
    await shop.publish(id);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'resolved' });
    await record('play-new', shop.clock.now());
    await diagnose(shop, id);
    await shop.publish(id);
    const { issue } = (await shop.ports.incidents.get(id)) ?? {};
    const { data } = await shop.github.asAdmin('GET', `/repos/${TARGET}/issues/${issue?.number}`);
    expect(data).toMatchObject({ state: 'open' });
    expect(JSON.stringify((data as { labels: unknown }).labels)).not.toContain('healer:resolved');
    await shop.github.stop();
  });
});
