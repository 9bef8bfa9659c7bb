import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProbeRequest, SourcesAnswer } from '#lib/domain/probe.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { wireDetect } from '#lib/wiring/detect.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';

const LINE = 'a line that must stay where it is';

let loki: EmbeddedLoki;
let kubernetes: EmbeddedKubernetes;
let store: ParameterStore;
let aws: AwsPeer;
beforeEach(async () => {
  loki = await startLoki({ tenants: true });
  kubernetes = await startKubernetes();
  store = aParameterStore();
  store.put('/healer/test/kubernetes-token', kubernetes.token);
  aws = await startAwsPeer(store.actions);
});
afterEach(async () => {
  await Promise.all([loki.stop(), kubernetes.stop(), aws.stop()]);
});

const push = (labels: Record<string, string>, metadata?: Record<string, string>, tenant = 'team-a') =>
  loki.push([{ stream: labels, values: [[`${Date.now()}000000`, LINE, metadata]] }], tenant);

/** What `detect` answers, as it is wired by its environment. */
async function probe(env: Record<string, string> = {}, namespaces: readonly string[] = []) {
  const settings = {
    SESSIONS_TABLE: 'sessions',
    WINDOWS_TABLE: 'windows',
    INCIDENTS_TABLE: 'incidents',
    WINDOW_QUEUE_URL: 'window',
    EVIDENCE_QUEUE_URL: 'evidence',
    SECRETS_PREFIX: '/healer/test',
    LOKI_URL: loki.url,
    LOKI_TENANT: 'team-a',
    AWS_REGION: 'eu-central-1',
    ...env,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const answer = await wireDetect().probeSources(ProbeRequest.parse({ healer: 'probe', namespaces }));
  expect(JSON.stringify(answer)).not.toContain(LINE);
  return SourcesAnswer.parse(answer);
}

describe('the logs as detect sees them', () => {
  it('are told by tenant, labels, namespaces, and whether the selector matches', async () => {
    push({ namespace: 'cto', pod: 'play-1-rex' });
    push({ namespace: 'agents', pod: 'x' });
    push({ namespace: 'other', pod: 'x' }, undefined, 'team-b');
    const { logs, cluster, at } = await probe();
    expect(logs).toMatchObject({
      trouble: null,
      tenant: 'team-a',
      labels: expect.arrayContaining(['namespace', 'pod']),
      unknownLabels: [],
      knownNamespaces: ['agents', 'cto'],
      namespaces: [
        { name: 'agents', isMatched: true },
        { name: 'cto', isMatched: true },
      ],
      hasPodLabel: true,
    });
    expect(cluster).toBeNull();
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });

  it('of a namespace that was asked for alone', async () => {
    push({ namespace: 'cto', pod: 'x' });
    const { logs } = await probe({}, ['cto', 'empty']);
    expect(logs.namespaces).toEqual([
      { name: 'cto', isMatched: true },
      { name: 'empty', isMatched: false },
    ]);
  });

  it('have a selector that names a label which Loki lacks', async () => {
    push({ namespace: 'cto', pod: 'x' });
    const { logs } = await probe({ LOKI_SELECTOR: '{cluster="prod", ns="$namespace"}' }, ['cto']);
    expect(logs).toMatchObject({ unknownLabels: ['cluster', 'ns'], namespaces: [{ isMatched: false }] });
  });

  it.each([
    ['agent_pod', true],
    ['k8s_pod', false],
  ])('tell pods by structured metadata %s: %s', async (LOKI_POD_LABEL, expected) => {
    push({ namespace: 'cto' }, { agent_pod: 'play-1-rex' });
    expect((await probe({ LOKI_POD_LABEL })).logs.hasPodLabel).toBe(expected);
  });

  it('may hold nothing', async () => {
    const { logs } = await probe();
    expect(logs).toMatchObject({ trouble: null, labels: [], knownNamespaces: [], namespaces: [], hasPodLabel: null });
  });

  it.each(['down', 'busy', 'unavailable', 'html'] as const)('%s is told with what to do, at once', async (fault) => {
    push({ namespace: 'cto', pod: 'x' });
    loki.faults.use(fault, { retryAfter: 120 });
    const { trouble } = (await probe()).logs;
    expect(trouble?.reason).not.toBe('');
    expect(trouble?.advice).not.toBe('');
  });

  it('keep what was seen before a fault', async () => {
    push({ namespace: 'cto', pod: 'x' });
    loki.faults.use('unavailable', { after: 2 });
    const { logs } = await probe();
    expect(logs).toMatchObject({ knownNamespaces: ['cto'], namespaces: [] });
    expect(logs.trouble).not.toBeNull();
  });

  it('want a tenant, or a password that is not stored', async () => {
    expect((await probe({ LOKI_TENANT: '' })).logs.trouble?.advice).toContain('set the tenant');
    const { trouble } = (await probe({ LOKI_USER: 'healer' })).logs;
    expect(trouble?.reason).toBe('the secret /healer/test/loki-password is not stored');
  });
});

describe('the cluster as detect sees it', () => {
  const seen = async (namespaces: readonly string[] = ['cto']) => {
    push({ namespace: 'cto', pod: 'x' });
    return (await probe({ KUBE_URL: kubernetes.url }, namespaces)).cluster;
  };

  it('may be read, at the cost of one object a kind', async () => {
    expect(await seen()).toEqual({ trouble: null, namespaces: [{ name: 'cto', unread: [] }] });
    expect(kubernetes.requests).toHaveLength(4);
    expect(kubernetes.requests.every(({ method, path }) => method === 'GET' && /[?&]limit=1(&|$)/.test(path))).toBe(
      true,
    );
  });

  it('tells each right that is missing, and the rule that grants it', async () => {
    kubernetes.deny('coderuns');
    kubernetes.deny('pods');
    const sight = await seen();
    expect(sight?.namespaces[0]?.unread.map(({ resource }) => resource)).toEqual(['pods', 'coderuns']);
    expect(sight?.namespaces[0]?.unread[1]?.advice).toContain(
      'resources ["coderuns"], verbs ["get", "list"] in namespace cto',
    );
  });

  it.each(['down', 'unauthorized', 'html', 'failing'] as const)('%s is told with what to do', async (fault) => {
    kubernetes.faults.use(fault);
    const sight = await seen();
    expect(sight).toMatchObject({ trouble: { advice: expect.stringMatching(/\w/) }, namespaces: [] });
  });

  it('is asked in the namespaces that the logs know when none is named', async () => {
    expect(await seen([])).toMatchObject({ namespaces: [{ name: 'cto', unread: [] }] });
  });
});
