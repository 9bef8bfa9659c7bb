import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventObject, podObject } from '#lib/local/kubernetes/objects.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';

const NAMESPACE = 'cto';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
let server: EmbeddedKubernetes;

beforeAll(async () => {
  server = await startKubernetes();
  const labels: Record<string, string>[] = [{ app: 'a', tier: 'x' }, { app: 'b' }, { app: 'c', tier: 'y' }];
  labels.forEach((own, index) => server.put(podObject({ name: `p${index}`, namespace: NAMESPACE, labels: own })));
  const object = { kind: 'Pod', name: 'p0' };
  server.put(eventObject({ name: 'e', namespace: NAMESPACE, reason: 'Failed', message: 'm', object, at: Date.now() }));
});
afterAll(() => server.stop());

async function ask(path: string, options: { token?: string | null; method?: string } = {}) {
  const token = options.token === undefined ? server.token : options.token;
  const response = await fetch(`${server.url}${path}`, {
    method: options.method ?? 'GET',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  const body = (isJson ? JSON.parse(text) : {}) as {
    items: { metadata: { name: string } }[];
    metadata: { continue?: string; remainingItemCount?: number };
    reason?: string;
    message?: string;
  };
  return { status: response.status, text, body, names: (body.items ?? []).map(({ metadata }) => metadata.name) };
}

describe('selectors', () => {
  it.each([
    ['labelSelector=app=a', ['p0']],
    ['labelSelector=app!=a', ['p1', 'p2']],
    ['labelSelector=app in (a,c)', ['p0', 'p2']],
    ['labelSelector=app notin (a,c)', ['p1']],
    ['labelSelector=tier', ['p0', 'p2']],
    ['labelSelector=!tier', ['p1']],
    ['labelSelector=tier,app=c', ['p2']],
    ['fieldSelector=metadata.name=p1', ['p1']],
    ['fieldSelector=status.phase!=Running', []],
  ])('%s', async (query, names) => {
    expect((await ask(`${PODS}?${encodeURI(query)}`)).names).toEqual(names);
  });

  it('refuses a field that the real server does not select by', async () => {
    const { status, body } = await ask(`${PODS}?fieldSelector=status.reason=Evicted`);
    expect([status, body.message]).toEqual([400, 'field label not supported: status.reason']);
  });
});

describe('pages', () => {
  it('go on where the last one ended', async () => {
    const first = await ask(`${PODS}?limit=2`);
    expect([first.names, first.body.metadata.remainingItemCount]).toEqual([['p0', 'p1'], 1]);
    const next = await ask(`${PODS}?limit=2&continue=${first.body.metadata.continue}`);
    expect([next.names, next.body.metadata.continue]).toEqual([['p2'], undefined]);
  });

  it('do not tell what remains where a selector is given', async () => {
    const { body } = await ask(`${PODS}?limit=1&labelSelector=app`);
    expect(body.metadata.remainingItemCount).toBeUndefined();
    expect(body.metadata.continue).toBeTypeOf('string');
  });

  it('refuse a continuation that is none', async () => {
    expect(await ask(`${PODS}?continue=%25%25`)).toMatchObject({ status: 400, body: { reason: 'BadRequest' } });
  });
});

describe('refusals', () => {
  it.each([
    ['a wrong token', PODS, { token: 'other' }, 401, 'Unauthorized'],
    ['no token', PODS, { token: null }, 403, 'Forbidden'],
    ['a write', `${PODS}/p0`, { method: 'DELETE' }, 403, 'Forbidden'],
    ['an object that is not there', `${PODS}/none`, {}, 404, 'NotFound'],
  ])('of %s', async (_, path, options, status, reason) => {
    expect(await ask(path, options)).toMatchObject({ status, body: { reason } });
  });

  it('name who may not do what', async () => {
    const { body } = await ask(PODS, { token: null });
    expect(body.message).toMatch(
      /User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "cto"/,
    );
  });

  it('are plain text for a resource that is not installed', async () => {
    const { status, text } = await ask(`/apis/other.group/v1/namespaces/${NAMESPACE}/things`);
    expect([status, text]).toEqual([404, '404 page not found\n']);
  });

  it('come and go with the right', async () => {
    server.deny('pods');
    expect((await ask(PODS)).status).toBe(403);
    server.allow('pods');
    expect((await ask(PODS)).status).toBe(200);
  });
});

describe('objects', () => {
  it('keep uid and age when they change', async () => {
    const before = JSON.parse((await ask(`${PODS}/p0`)).text) as { metadata: Record<string, string> };
    server.put(podObject({ name: 'p0', namespace: NAMESPACE, labels: { app: 'a', tier: 'x' }, phase: 'Running' }));
    const after = JSON.parse((await ask(`${PODS}/p0`)).text) as { metadata: Record<string, string> };
    expect(after.metadata['uid']).toBe(before.metadata['uid']);
    expect(Number(after.metadata['resourceVersion'])).toBeGreaterThan(Number(before.metadata['resourceVersion']));
  });

  it('show events in the shape of the group that is asked', async () => {
    const { text } = await ask(`/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`);
    expect(JSON.parse(text)).toMatchObject({ items: [{ note: 'm', regarding: { name: 'p0' }, deprecatedCount: 1 }] });
  });
});
