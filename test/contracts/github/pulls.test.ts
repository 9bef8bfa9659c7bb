import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fresh, type Peer, peers, type Reply } from './peers.ts';

describe.each(peers())('branches, pull requests and statuses on the %s', (_name, open) => {
  let peer: Peer;
  let base: string;
  const branches: string[] = [];
  const api = () => `/repos/${peer.target}`;
  const field = (reply: Reply, name: string) => (reply.data as Record<string, unknown>)[name];

  beforeAll(async () => {
    peer = await open();
    base = String(field(await peer.ask('GET', api()), 'default_branch'));
  });
  afterAll(async () => {
    for (const branch of branches) await peer.ask('DELETE', `${api()}/git/refs/heads/${branch}`);
    await peer.stop();
  });

  async function head(): Promise<string> {
    const { data } = await peer.ask('GET', `${api()}/git/ref/heads/${base}`);
    return (data as { object: { sha: string } }).object.sha;
  }

  async function aBranch(isAhead: boolean): Promise<string> {
    const branch = `healer/${fresh('contract')}`;
    await peer.ask('POST', `${api()}/git/refs`, { ref: `refs/heads/${branch}`, sha: await head() });
    branches.push(branch);
    if (!isAhead) return branch;
    const content = Buffer.from(branch).toString('base64');
    await peer.ask('PUT', `${api()}/contents/${branch}.txt`, { message: 'Add a file', content, branch });
    return branch;
  }

  const propose = (branch: string) =>
    peer.ask('POST', `${api()}/pulls`, { title: 't', head: branch, base, draft: true });

  it('opens one pull request for a head and refuses the second with 422', async () => {
    const branch = await aBranch(true);
    const first = await propose(branch);
    expect(first.status).toBe(201);
    expect(first.data).toMatchObject({ draft: true, state: 'open', head: { ref: branch } });
    const second = await propose(branch);
    const message = `A pull request already exists for ${peer.target.split('/')[0]}:${branch}.`;
    expect(second.status).toBe(422);
    expect(second.data).toMatchObject({
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message }],
    });
    const files = await peer.ask('GET', `${api()}/pulls/${String(field(first, 'number'))}/files`);
    expect(files.data).toMatchObject([{ filename: `${branch}.txt` }]);
  });

  it('refuses a pull request without commits or without a head', async () => {
    const branch = await aBranch(false);
    const empty = await propose(branch);
    expect(empty.status).toBe(422);
    expect(empty.data).toMatchObject({ errors: [{ message: `No commits between ${base} and ${branch}` }] });
    const none = await propose('healer/not-there');
    expect(none.status).toBe(422);
    expect(none.data).toMatchObject({ errors: [{ field: 'head', code: 'invalid' }] });
  });

  it('refuses a branch that exists with 422', async () => {
    const branch = await aBranch(false);
    const again = await peer.ask('POST', `${api()}/git/refs`, { ref: `refs/heads/${branch}`, sha: await head() });
    expect(again.status).toBe(422);
    expect(String(field(again, 'message'))).toMatch(/Reference already exists/i);
  });

  it('keeps commit statuses and combines the newest of each context', async () => {
    const branch = await aBranch(true);
    const { data } = await peer.ask('GET', `${api()}/git/ref/heads/${branch}`);
    const { sha } = (data as { object: { sha: string } }).object;
    const combined = async () => field(await peer.ask('GET', `${api()}/commits/${sha}/status`), 'state');
    const set = (state: string, context: string) => peer.ask('POST', `${api()}/statuses/${sha}`, { state, context });
    expect(await combined()).toBe('pending');
    expect((await set('failure', 'ci')).status).toBe(201);
    expect(await combined()).toBe('failure');
    await set('success', 'ci');
    expect(await combined()).toBe('success');
    await set('pending', 'lint');
    expect(await combined()).toBe('pending');
    const wrong = await set('green', 'ci');
    expect(wrong.status).toBe(422);
  });
});
