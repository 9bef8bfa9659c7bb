import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordExposures } from '#lib/app/record-exposures.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, toIso } from '#lib/domain/time.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aWorkshop, MAINTAINER, TARGET, type Workshop } from '#test/support/remediation.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

interface Issue {
  readonly state: string;
  readonly state_reason: string | null;
  readonly labels: readonly { readonly name: string }[];
}

/** One incident up to its draft pull request. */
async function proposed(shop: Workshop) {
  const id = await shop.aDue();
  await shop.publish(id);
  await shop.remediate(id);
  await shop.publish(id);
  const incident = await shop.ports.incidents.get(id);
  return { id, issue: incident?.issue?.number ?? 0, pull: incident?.pull?.number ?? 0 };
}

async function merge(shop: Workshop, pull: number) {
  await shop.as(MAINTAINER.token, 'PATCH', `/pulls/${pull}`, { draft: false });
  const merged = await shop.as(MAINTAINER.token, 'PUT', `/pulls/${pull}/merge`);
  expect(merged.status).toBe(200);
}

const commentsOf = async (shop: Workshop, issue: number): Promise<readonly string[]> => {
  const { data } = await shop.github.asAdmin('GET', `/repos/${TARGET}/issues/${issue}/comments?per_page=100`);
  return (data as { body: string }[]).map(({ body }) => body);
};

const issueOf = async (shop: Workshop, issue: number) =>
  (await shop.github.asAdmin('GET', `/repos/${TARGET}/issues/${issue}`)).data as Issue;

/** A look that shows rex with the given tools, in a play that starts now. */
const expose = (shop: Workshop, tools: readonly string[], startedAt = shop.clock.now()) =>
  recordExposures(shop.ports, [
    {
      session: aSession({
        playId: `play-${startedAt}`,
        repository: TARGET,
        startedAt: toIso(startedAt),
        agents: { rex: anAgent({ tools: { remote: [...tools], localServers: {} } }) },
      }),
      agents: [
        { agent: 'rex', pod: 'p', cli: 'claude-code', startNs: 0n, lastNs: 1n, tools, servers: null, result: null },
      ],
      findings: [],
    },
  ]);

describe('the life of an incident', () => {
  it('goes from the issue to a draft pull request, is merged, exercised, and closed with the proof', async () => {
    const shop = await aWorkshop(tables);
    const { id, issue, pull } = await proposed(shop);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'proposed' });
    const { data } = await shop.as(MAINTAINER.token, 'GET', `/pulls/${pull}`);
    expect(data).toMatchObject({ draft: true, state: 'open', head: { ref: `healer/v1-${id}` } });
    expect(String(data.body)).toContain(`\n\nRefs #${issue}\n\n`);
    const files = await shop.as(MAINTAINER.token, 'GET', `/pulls/${pull}/files`);
    const [file, ...others] = files.data as unknown as { filename: string; patch: string }[];
    expect(others).toEqual([]);
    const changed = file?.patch.split('\n').filter((line) => /^[+-][^+-]/.test(line));
    expect(changed).toEqual(['-          "github_create_brnch"', '+          "github_create_branch"']);

    await merge(shop, pull);
    await shop.publish(id);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'verifying' });
    shop.clock.offset += 60_000;
    expect(await expose(shop, ['docs_lookup'])).toBe(0);
    expect(await expose(shop, ['docs_lookup', 'github_create_branch'])).toBe(1);
    expect(await shop.publish(id)).toMatchObject({ kind: 'resting' });
    expect((await issueOf(shop, issue)).state).toBe('open');

    shop.clock.offset += 24 * MILLIS_PER_HOUR;
    expect(await shop.publish(id)).toMatchObject({ kind: 'done' });
    const closed = await issueOf(shop, issue);
    expect(closed).toMatchObject({ state: 'closed', state_reason: 'completed' });
    expect(closed.labels.map(({ name }) => name)).toContain('healer:resolved');
    expect((await commentsOf(shop, issue)).join('\n')).toMatch(/fix held.*github_create_branch/s);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'resolved', next: null, due: null });
    await shop.github.stop();
  });

  it('closes as not exercised after fourteen days without a play', async () => {
    const shop = await aWorkshop(tables);
    const { id, issue, pull } = await proposed(shop);
    await merge(shop, pull);
    await shop.publish(id);
    shop.clock.offset += 2 * MILLIS_PER_DAY;
    expect(await shop.publish(id)).toMatchObject({ kind: 'resting' });
    shop.clock.offset += 13 * MILLIS_PER_DAY;
    await shop.publish(id);
    expect((await issueOf(shop, issue)).state).toBe('closed');
    expect((await commentsOf(shop, issue)).join('\n')).toContain('Not exercised since');
    await shop.github.stop();
  });
});
