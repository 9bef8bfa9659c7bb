import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceError } from '#lib/domain/errors.ts';
import { fresh, type Peer, peers } from './peers.ts';

describe.each(peers())('issues on the %s', (_name, open) => {
  let peer: Peer;
  const written: number[] = [];
  const api = () => `/repos/${peer.target}`;

  beforeAll(async () => {
    peer = await open();
  });
  afterAll(async () => {
    for (const number of written) await peer.ask('PATCH', `${api()}/issues/${number}`, { state: 'closed' });
    await peer.stop();
  });

  const file = async (draft: { title?: string; body?: string; labels?: string[] } = {}) => {
    const made = await peer.tracker.create(peer.target, {
      title: fresh('contract'),
      body: '',
      labels: ['healer'],
      ...draft,
    });
    written.push(made.number);
    return made;
  };

  it('tells facts of a repository', async () => {
    const facts = await peer.tracker.repository(peer.target);
    expect(facts).toMatchObject({ isArchived: false, hasIssues: true });
    expect(facts.isPublic).toBeTypeOf('boolean');
  });

  it('files an issue, creates its labels along with it, and lists it as its own', async () => {
    const since = Date.now() - 60_000;
    const label = fresh('label');
    const body = 'One line\n\n```text\n<b>&amp;</b>\n```\n';
    const made = await file({ body, labels: ['healer', label] });
    expect(made.url).toMatch(new RegExp(`/${peer.target}/issues/${made.number}$`));
    const { data } = await peer.ask('GET', `${api()}/issues/${made.number}`);
    expect(data).toMatchObject({ user: { login: peer.author }, labels: [{ name: 'healer' }, { name: label }] });
    const own = await peer.tracker.ownIssues(peer.target, since);
    expect(own.find((one) => one.number === made.number)).toMatchObject({ body, isOpen: true, url: made.url });
  });

  it('lists newest first, closed ones too, and nothing from before', async () => {
    const first = await file();
    const second = await file();
    await peer.tracker.update(peer.target, first.number, {
      title: 'closed',
      body: '',
      labels: ['healer'],
      isOpen: false,
    });
    const own = await peer.tracker.ownIssues(peer.target, Date.now() - 60_000);
    const seen = own.filter((one) => [first.number, second.number].includes(one.number));
    expect(seen.map((one) => [one.number, one.isOpen])).toEqual([
      [second.number, true],
      [first.number, false],
    ]);
    expect(await peer.tracker.ownIssues(peer.target, Date.now() + 3_600_000)).toEqual([]);
  });

  it('updates text and state, and keeps the labels that people added', async () => {
    const made = await file({ labels: ['healer', 'critical'] });
    const path = `${api()}/issues/${made.number}`;
    await peer.ask('POST', `${path}/labels`, { labels: ['by-hand'] });
    await peer.tracker.update(peer.target, made.number, { title: 'b', body: 'B', labels: ['healer'], isOpen: false });
    const { data } = await peer.ask('GET', path);
    expect(data).toMatchObject({ title: 'b', body: 'B', state: 'closed', state_reason: 'completed' });
    const names = (data as { labels: { name: string }[] }).labels.map((label) => label.name);
    expect(names.toSorted()).toEqual(['by-hand', 'critical', 'healer']);
    await peer.tracker.update(peer.target, made.number, { title: 'b', body: 'B', labels: ['healer'], isOpen: true });
    expect((await peer.ask('GET', path)).data).toMatchObject({ state: 'open' });
  });

  it.each([
    ['title', { title: 'x'.repeat(257) }, 'title is too long (maximum is 256 characters)'],
    ['body', { body: 'x'.repeat(65_537) }, 'body is too long (maximum is 65536 characters)'],
  ])('refuses a %s that is too long with 422', async (field, draft, message) => {
    const failure = await file(draft).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceError);
    expect(failure).toMatchObject({ status: 422, retryable: false });
    const { status, data } = await peer.ask('POST', `${api()}/issues`, { title: 't', ...draft });
    expect({ status, data }).toMatchObject({
      status: 422,
      data: { message: 'Validation Failed', errors: [{ resource: 'Issue', code: 'custom', field, message }] },
    });
  });

  it('takes a title and a body of just the limit', async () => {
    const made = await file({ title: 't'.repeat(256), body: '€'.repeat(65_536) });
    expect(made.number).toBeGreaterThan(0);
  });

  it('refuses a comment that is too long in words of its own', async () => {
    const made = await file();
    const path = `${api()}/issues/${made.number}/comments`;
    const { status, data } = await peer.ask('POST', path, { body: 'x'.repeat(65_537) });
    const message = 'Body is too long (maximum is 65536 characters)';
    expect(status).toBe(422);
    expect(data).toMatchObject({
      errors: [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }],
    });
  });

  it('answers 404 for an issue that is not there', async () => {
    const draft = { title: 't', body: '', labels: [] };
    await expect(peer.tracker.update(peer.target, 999_999_999, draft)).rejects.toMatchObject({
      status: 404,
      retryable: false,
    });
  });

  it('shows a page for people at html_url', async () => {
    const made = await file({ title: 'Title & more' });
    const answer = await fetch(made.url);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    if (answer.status === 200) expect(await answer.text()).toContain('Title &amp; more');
  });
});
