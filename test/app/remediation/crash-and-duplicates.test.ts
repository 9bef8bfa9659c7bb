import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishPorts } from '#lib/app/publish-incident.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aWorkshop, TARGET, type Workshop } from '#test/support/remediation.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

class Crash extends Error {}

type Group = 'pulls' | 'remediations' | 'thread';
type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The ports with one method that stops the process right before, or right after, its effect; once. */
function crashing(ports: PublishPorts, group: Group, name: string, moment: 'before' | 'after'): Partial<PublishPorts> {
  let isDone = false;
  const methods = ports[group] as unknown as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`there is no ${group}.${name}`);
  const method: Method = async (...args) => {
    if (isDone) return original(...args);
    isDone = true;
    if (moment === 'before') throw new Crash();
    await original(...args);
    throw new Crash();
  };
  return { [group]: { ...methods, [name]: method } };
}

async function reported(shop: Workshop): Promise<string> {
  const id = await shop.aDue();
  await shop.publish(id);
  await shop.remediate(id);
  return id;
}

const EFFECTS = (
  ['remediations.save', 'remediations.link', 'pulls.makeCommit', 'pulls.createBranch', 'pulls.open'] as const
).flatMap((effect) => [[effect, 'before'] as const, [effect, 'after'] as const]);

describe('a crash while a proposal is published', () => {
  it.each(EFFECTS)('at %s, %s the effect, leaves one branch, one commit, one pull request', async (effect, moment) => {
    const shop = await aWorkshop(tables);
    const id = await reported(shop);
    const [group, name] = effect.split('.') as [Group, string];
    await expect(shop.publish(id, crashing(shop.ports, group, name, moment))).rejects.toThrow(Crash);
    shop.clock.offset += 10 * 60_000;
    expect(await shop.publish(id)).toMatchObject({ kind: 'done' });
    await expectOnePull(shop, id);
    await shop.github.stop();
  });

  it.each(['/git/refs$', '/pulls$', '/git/commits$'])('a reply lost at POST %s', async (path) => {
    const shop = await aWorkshop(tables);
    const id = await reported(shop);
    shop.github.faults.add({ kind: 'reply-lost', method: 'POST', path: new RegExp(path), times: 1 });
    expect(await shop.publish(id)).toMatchObject({ kind: 'postponed' });
    shop.clock.offset += 10 * 60_000;
    expect(await shop.publish(id)).toMatchObject({ kind: 'done' });
    await expectOnePull(shop, id);
    await shop.github.stop();
  });

  it('messages that come twice, at once or later, change nothing', async () => {
    const shop = await aWorkshop(tables);
    const id = await reported(shop);
    const kinds = await Promise.all([shop.publish(id), shop.publish(id), shop.remediate(id)]);
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['done', 'skipped', 'skipped']);
    await shop.publish(id);
    await shop.publish(id);
    await expectOnePull(shop, id);
    await shop.github.stop();
  });

  it('a second look at the outcome does not ask for another one', async () => {
    const shop = await aWorkshop(tables);
    const id = await reported(shop);
    const first = await shop.ports.outcomes.load(id, 1, 1);
    await shop.ports.incidents.request(id, 'remediation', 0);
    await shop.remediate(id);
    expect(await shop.ports.outcomes.load(id, 1, 1)).toEqual(first);
    await shop.github.stop();
  });
});

async function expectOnePull(shop: Workshop, id: string): Promise<void> {
  const { data } = await shop.github.asAdmin('GET', `/repos/${TARGET}/pulls?state=all`);
  const pulls = data as { number: number; draft: boolean; head: { ref: string; sha: string } }[];
  expect(pulls).toHaveLength(1);
  expect(pulls[0]).toMatchObject({ draft: true, head: { ref: `healer/v1-${id}` } });
  const commits = await shop.github.asAdmin('GET', `/repos/${TARGET}/compare/main...healer/v1-${id}`);
  expect(commits.data).toMatchObject({ ahead_by: 1 });
  const stored = await shop.ports.remediations.get(id);
  expect(stored?.attempts.map(({ sha }) => sha)).toEqual([pulls[0]?.head.sha]);
  expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'proposed', pull: { number: pulls[0]?.number } });
}
