import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { githubForge } from '#lib/adapters/github/forge.ts';
import { PERMISSIONS } from '#lib/app/mint-token.ts';
import type { Forge } from '#lib/app/ports.ts';
import type { ForgePull } from '#lib/domain/evidence/forge.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anAppToken, anEmbeddedGitHub, askRaw, clock, fresh, PERSON } from './peers.ts';

const TARGET = 'acme/shop';
const BRANCH = 'agent/task-7';

describe('pull requests as evidence, on the embedded GitHub', () => {
  let github: EmbeddedGitHub;
  let forge: Forge;
  let number: number;
  const api = `/repos/${TARGET}`;
  const ask = (method: string, path: string, body?: unknown) =>
    askRaw(`${github.url}${api}${path}`, PERSON.token, method, body);

  beforeAll(async () => {
    github = await anEmbeddedGitHub({
      ci: () => [{ name: 'test', conclusion: 'failure', log: 'one test failed' }],
    });
    const token = await anAppToken(github, TARGET, PERMISSIONS.read);
    forge = githubForge({ tokens: { get: async () => token, forget: () => {} }, apiUrl: github.url, clock });
    number = await aPull(BRANCH);
    await ask('POST', `/issues/${number}/comments`, { body: 'The build is red.' });
    await ask('POST', `/pulls/${number}/reviews`, { body: 'Please add a test.', event: 'COMMENT' });
    const [pull] = (await forge.pulls(TARGET, 0)).items;
    await ask('POST', `/statuses/${pull?.head}`, { context: 'lint', state: 'error', description: 'No config' });
  });
  afterAll(() => github.stop());

  async function aPull(branch: string): Promise<number> {
    const main = (await ask('GET', '/git/ref/heads/main')).data as { object: { sha: string } };
    await ask('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha });
    const content = Buffer.from(branch).toString('base64');
    await ask('PUT', `/contents/${fresh('file')}.txt`, { message: 'Add a file', content, branch });
    const made = await ask('POST', '/pulls', { title: `Work of ${branch}`, head: branch, base: 'main' });
    return (made.data as { number: number }).number;
  }

  const thePull = async (): Promise<ForgePull> => (await forge.pull(TARGET, number)) ?? expect.unreachable();

  it('lists them with author, state and branch, back to a moment', async () => {
    const { items, gaps } = await forge.pulls(TARGET, 0);
    expect(gaps).toEqual([]);
    expect(items).toMatchObject([{ number, author: PERSON.login, state: 'open', branch: BRANCH }]);
    expect(items[0]?.head).toMatch(/^[0-9a-f]{40}$/);
    expect((await forge.pulls(TARGET, Date.now() + 60_000)).items).toEqual([]);
  });

  it('tells of closed and merged ones, and knows which number is none', async () => {
    const closed = await aPull('agent/closed');
    await ask('PATCH', `/pulls/${closed}`, { state: 'closed' });
    const merged = await aPull('agent/merged');
    await ask('PUT', `/pulls/${merged}/merge`, {});
    const { items } = await forge.pulls(TARGET, 0);
    const states = Object.fromEntries(items.map((pull) => [pull.number, pull.state]));
    expect(states).toMatchObject({ [number]: 'open', [closed]: 'closed', [merged]: 'merged' });
    expect(await forge.pull(TARGET, 999)).toBeUndefined();
  });

  it('reads comments, reviews, check runs and commit statuses', async () => {
    const { items, gaps } = await forge.activity(TARGET, await thePull(), 0);
    expect(gaps).toEqual([]);
    const told = items.map(({ kind, name, state, text }) => [kind, name, state, text]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['comment', '', '', 'The build is red.'],
        ['review', '', 'commented', 'Please add a test.'],
        ['check run', 'test', 'failure', expect.any(String)],
        ['commit status', 'lint', 'error', 'No config'],
      ]),
    );
  });

  it('costs nothing when nothing changed: GitHub does not count a 304', async () => {
    const read = async () => [await forge.pulls(TARGET, 0), await forge.activity(TARGET, await thePull(), 0)];
    const first = await read();
    const before = github.requests().length;
    expect(await read()).toEqual(first);
    const asked = github.requests().slice(before);
    expect(asked).toHaveLength(6);
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([304]));
    await ask('POST', `/issues/${number}/comments`, { body: 'And now?' });
    const { items } = await forge.activity(TARGET, await thePull(), 0);
    expect(items.map(({ text }) => text)).toContain('And now?');
  });
});
