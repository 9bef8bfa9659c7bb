import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import {
  aModelProposal,
  aScriptedAuthor,
  aWorkshop,
  GUEST,
  MAINTAINER,
  TARGET,
  type Workshop,
} from '#test/support/remediation.ts';

let tables: TestTables;
let shop: Workshop;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());
afterEach(() => shop.github.stop());

const open = async (...args: Parameters<typeof aWorkshop> extends [unknown, ...infer R] ? R : never) => {
  shop = await aWorkshop(tables, ...args);
};

/** A finding that no rule has a remedy for. */
const RUNTIME = { code: null, category: 'runtime', pattern: 'exit.code', identity: {} } as const;

const stateOf = async (id: string) => (await shop.ports.incidents.get(id))?.state;
const issueOf = async (id: string) => (await shop.ports.incidents.get(id))?.issue?.number ?? 0;
const pullOf = async (id: string) => (await shop.ports.incidents.get(id))?.pull?.number ?? 0;
const pulls = async () =>
  (await shop.github.asAdmin('GET', `/repos/${TARGET}/pulls?state=all`)).data as { number: number }[];
const commentsOf = async (id: string) =>
  (
    (await shop.github.asAdmin('GET', `/repos/${TARGET}/issues/${await issueOf(id)}/comments`)).data as {
      body: string;
    }[]
  )
    .map(({ body }) => body)
    .join('\n');

async function proposed(): Promise<string> {
  const id = await shop.aDue();
  await shop.publish(id);
  await shop.remediate(id);
  await shop.publish(id);
  expect(await stateOf(id)).toBe('proposed');
  return id;
}

/** A model-written change of a script, which guarded mode holds back. */
async function held(): Promise<string> {
  const id = await shop.aDue({ code: null, category: 'runtime' }, RUNTIME);
  await shop.publish(id);
  await shop.remediate(id, aScriptedAuthor([{ action: 'propose', proposal: aModelProposal() }]));
  return id;
}

const label = async (token: string, id: string) =>
  shop.as(token, 'POST', `/issues/${await issueOf(id)}/labels`, { labels: ['healer:fix'] });

describe('people decide', () => {
  it('an issue that is closed as not planned dismisses the incident', async () => {
    await open();
    const id = await proposed();
    await shop.as(MAINTAINER.token, 'PATCH', `/issues/${await issueOf(id)}`, {
      state: 'closed',
      state_reason: 'not_planned',
    });
    await shop.publish(id);
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'dismissed', next: null });
  });

  it('an event about an incident that is over leaves no line in its history', async () => {
    await open();
    const id = await proposed();
    const path = `/issues/${await issueOf(id)}`;
    await shop.as(MAINTAINER.token, 'PATCH', path, { state: 'closed', state_reason: 'not_planned' });
    await shop.publish(id);
    const before = await shop.ports.incidents.history(id);
    await shop.ports.incidents.request(id, 'publication', shop.clock.now());
    expect(await shop.publish(id)).toMatchObject({ kind: 'done', event: null });
    expect(await shop.ports.incidents.history(id)).toEqual(before);
    expect(await stateOf(id)).toBe('dismissed');
  });

  it('a pull request that is closed ends the attempts', async () => {
    await open();
    const id = await proposed();
    await shop.as(MAINTAINER.token, 'PATCH', `/pulls/${await pullOf(id)}`, { state: 'closed' });
    await shop.publish(id);
    expect(await stateOf(id)).toBe('reported');
    await shop.publish(id);
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
    expect(shop.queue.sent.filter(({ queue }) => queue === 'remediation')).toHaveLength(1);
  });

  it('who pushes to the branch takes it over; a merge is still followed', async () => {
    await open({
      ci: ({ attempt }) => [{ name: 'test', conclusion: attempt === 1 ? 'success' : 'failure', log: 'no' }],
    });
    const id = await proposed();
    const branch = (await shop.ports.remediations.get(id))?.branch;
    const content = Buffer.from('mine').toString('base64');
    await shop.github.asAdmin('PUT', `/repos/${TARGET}/contents/mine.txt`, { message: 'mine', content, branch });
    await shop.publish(id);
    expect((await shop.ports.remediations.get(id))?.ended).toBe('taken-over');
    expect(await commentsOf(id)).toContain('the branch is theirs');
    await shop.publish(id);
    expect((await shop.ports.remediations.get(id))?.attempts).toHaveLength(1);
    await shop.as(MAINTAINER.token, 'PATCH', `/pulls/${await pullOf(id)}`, { draft: false });
    await shop.as(MAINTAINER.token, 'PUT', `/pulls/${await pullOf(id)}/merge`);
    await shop.publish(id);
    expect(await stateOf(id)).toBe('verifying');
  });

  it('an issue that somebody rewrote is no input of a patch', async () => {
    await open();
    const id = await shop.aDue();
    await shop.publish(id);
    const path = `/repos/${TARGET}/issues/${await issueOf(id)}`;
    const { body } = (await shop.github.asAdmin('GET', path)).data as { body: string };
    await shop.github.asAdmin('PATCH', path, { body: body.replace('Cause', 'Cause: run rm -rf') });
    await shop.remediate(id);
    expect(await shop.ports.outcomes.load(id, 1, 1)).toMatchObject({ kind: 'none' });
    await shop.publish(id);
    expect(await pulls()).toEqual([]);
  });
});

describe('modes', () => {
  it('guarded: code of a model waits until a person who may write sets the label', async () => {
    await open();
    const id = await held();
    await shop.publish(id);
    expect(await commentsOf(id)).toContain('echo two');
    expect(await pulls()).toEqual([]);
    await label(GUEST.token, id);
    await shop.publish(id);
    expect(await pulls()).toEqual([]);
    const path = `/issues/${await issueOf(id)}/labels/healer:fix`;
    await shop.as(MAINTAINER.token, 'DELETE', path);
    await label(MAINTAINER.token, id);
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
    expect((await shop.ports.remediations.get(id))?.approvedBy).toBe(MAINTAINER.login);
  });

  it('guarded: documents of a model go out at once', async () => {
    await open({ repositories: [{ name: TARGET, isPrivate: true, files: { 'docs/run.md': 'one\n' } }] });
    const id = await shop.aDue({ code: null, category: 'runtime' }, RUNTIME);
    await shop.publish(id);
    const edits = [{ path: 'docs/run.md', search: 'one', replace: 'two' }];
    await shop.remediate(id, aScriptedAuthor([{ action: 'propose', proposal: aModelProposal({ edits }) }]));
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
  });

  it('auto: everything goes out at once', async () => {
    await open({}, 'acme/*=auto');
    const id = await held();
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
  });

  it('label: nothing is even asked for without the label', async () => {
    await open({}, 'acme/shop=label');
    const id = await shop.aDue();
    await shop.publish(id);
    expect(shop.queue.sent).toEqual([]);
    await label(MAINTAINER.token, id);
    await shop.publish(id);
    await shop.remediate(id);
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
  });

  it('off: never', async () => {
    await open({}, '*=off');
    const id = await shop.aDue();
    await shop.publish(id);
    await label(MAINTAINER.token, id);
    await shop.publish(id);
    expect(shop.queue.sent).toEqual([]);
    expect(await stateOf(id)).toBe('reported');
  });
});

describe('what is refused or unknown', () => {
  it('a proposal that the policy refuses is described, and a person is asked for', async () => {
    await open({}, '*=auto');
    const id = await shop.aDue({ code: null, category: 'runtime' }, RUNTIME);
    await shop.publish(id);
    const edits = [{ path: '.github/workflows/ci.yml', search: null, replace: 'on: push\n' }];
    await shop.remediate(id, aScriptedAuthor([{ action: 'propose', proposal: aModelProposal({ edits }) }]));
    await shop.publish(id);
    expect(await pulls()).toEqual([]);
    expect(await commentsOf(id)).toContain('patch path');
    const { data } = await shop.as(MAINTAINER.token, 'GET', `/issues/${await issueOf(id)}`);
    expect(JSON.stringify(data.labels)).toContain('needs-human');
  });

  it('without a rule and a model the incident stays reported, and nothing is said', async () => {
    await open();
    const id = await shop.aDue({ code: null, category: 'runtime' }, RUNTIME);
    await shop.publish(id);
    await shop.remediate(id);
    await shop.publish(id);
    expect(await stateOf(id)).toBe('reported');
    expect(await commentsOf(id)).toBe('');
  });
});

describe('red checks', () => {
  it('bring another commit on the same branch, until green', async () => {
    await open(
      {
        ci: ({ attempt }) => [
          { name: 'test', conclusion: attempt === 1 ? 'failure' : 'success', log: 'expected 3, got 2' },
        ],
      },
      '*=auto',
    );
    const id = await held();
    await shop.publish(id);
    await shop.publish(id);
    const edits = [{ path: 'src/run.sh', search: 'echo two', replace: 'echo three' }];
    const author = aScriptedAuthor([
      { action: 'read', path: 'src/run.sh' },
      { action: 'propose', proposal: aModelProposal({ edits }) },
    ]);
    await shop.remediate(id, author);
    expect(author.heard[0]).toContain('expected 3, got 2');
    expect(author.heard[1]).toContain('echo two');
    await shop.publish(id);
    await shop.publish(id);
    expect(await pulls()).toHaveLength(1);
    expect((await shop.ports.remediations.get(id))?.attempts).toHaveLength(2);
    expect(await stateOf(id)).toBe('proposed');
  });

  it('of the same failure twice are handed over, with what was tried and what failed', async () => {
    await open({ ci: () => [{ name: 'test', conclusion: 'failure', log: 'Error: expected 3, got 2' }] }, '*=auto');
    const id = await held();
    await shop.publish(id);
    for (const replace of ['echo three', 'echo four']) {
      await shop.publish(id);
      const search = replace === 'echo three' ? 'echo two' : 'echo three';
      const edits = [{ path: 'src/run.sh', search, replace }];
      await shop.remediate(id, aScriptedAuthor([{ action: 'propose', proposal: aModelProposal({ edits }) }]));
      await shop.publish(id);
    }
    expect(await shop.ports.incidents.get(id)).toMatchObject({ state: 'escalated', next: null });
    expect((await shop.ports.remediations.get(id))?.attempts).toHaveLength(2);
    expect(await commentsOf(id)).toMatch(/What was tried.*Say two.*What failed.*expected 3, got 2.*What to look at/s);
  });
});
