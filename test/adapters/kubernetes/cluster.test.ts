import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterState } from '#lib/domain/cluster/objects.ts';
import { ConfigError, type SourceError } from '#lib/domain/errors.ts';
import { codeRunObject, eventObject, jobObject, podObject } from '#lib/local/kubernetes/objects.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { clusterOn, peerOf } from '#test/contracts/cluster/peer.ts';

const NAMESPACE = 'cto';
const NOW = Date.parse('2026-01-08T16:00:00Z');
const tls = (name: string) => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url), 'utf8');

let embedded: EmbeddedKubernetes;
beforeEach(async () => {
  embedded = await startKubernetes();
  embedded.put(podObject({ name: 'play-1-rex-a', namespace: NAMESPACE, startedAt: NOW }));
});
afterEach(() => embedded.stop());

const read = (options: Parameters<typeof clusterOn>[1] = {}): Promise<ClusterState> =>
  clusterOn(peerOf(embedded), options).read(NAMESPACE, { events: 'all' });

const refusal = async (options: Parameters<typeof clusterOn>[1] = {}): Promise<SourceError> =>
  read(options).then(
    () => expect.fail('the cluster was read'),
    (error: unknown) => error as SourceError,
  );

describe('what is read of an object', () => {
  it('is the ends of all containers, init ones and earlier ones too, and nothing of managedFields', async () => {
    embedded.put(
      podObject({
        name: 'play-1-rex-b',
        namespace: NAMESPACE,
        labels: { 'github-user': '5DLabs-Rex' },
        owner: { kind: 'Job', name: 'play-coderun-1' },
        phase: 'Failed',
        startedAt: NOW,
        initContainers: [{ name: 'clone', end: { reason: 'Completed', exitCode: 0, finishedAt: NOW + 2000 } }],
        containers: [
          {
            memoryLimit: '1Gi',
            restarts: 1,
            end: { reason: 'OOMKilled', exitCode: 137, startedAt: NOW + 3000, finishedAt: NOW + 9000 },
            lastEnd: { reason: 'Error', exitCode: 1, message: 'boom' },
          },
        ],
      }),
    );
    const pod = (await read()).pods.find(({ meta }) => meta.name === 'play-1-rex-b');
    expect(pod).toMatchObject({
      meta: { labels: { 'github-user': '5DLabs-Rex' }, owners: [{ kind: 'Job', name: 'play-coderun-1' }] },
      phase: 'Failed',
      startedNs: BigInt(NOW) * 1_000_000n,
      containers: [
        { name: 'clone', isInit: true, end: { exitCode: 0 } },
        {
          name: 'agent',
          isInit: false,
          memoryLimit: '1Gi',
          restarts: 1,
          end: { reason: 'OOMKilled', exitCode: 137, finishedNs: BigInt(NOW + 9000) * 1_000_000n },
          lastEnd: { reason: 'Error', exitCode: 1, message: 'boom' },
        },
      ],
    });
    expect(Object.keys(pod?.meta ?? {})).not.toContain('managedFields');
  });

  it('is what a CodeRun and its Job say', async () => {
    embedded.put(
      codeRunObject({
        name: 'run-1',
        namespace: NAMESPACE,
        spec: { service: 'widgets', taskId: 7, githubApp: '5DLabs-Rex' },
        phase: 'Failed',
        message: 'Job failed',
        jobName: 'play-coderun-1',
        finishedAt: NOW,
      }),
      jobObject({
        name: 'play-coderun-1',
        namespace: NAMESPACE,
        failed: 1,
        condition: { type: 'Failed', reason: 'DeadlineExceeded', message: 'too long', at: NOW },
      }),
    );
    const { runs, jobs } = await read();
    expect(runs[0]).toMatchObject({ phase: 'Failed', taskId: '7', jobName: 'play-coderun-1', githubApp: '5DLabs-Rex' });
    expect(jobs[0]).toMatchObject({ failed: 1, conditions: [{ type: 'Failed', reason: 'DeadlineExceeded' }] });
  });

  it.each([
    ['core v1', {}],
    ['events.k8s.io/v1, read through core', { isSeries: true }],
  ])('is the moments and the count of an event of %s', async (_, shape) => {
    const object = { kind: 'Pod', name: 'play-1-rex-a' };
    const event = { name: 'e', namespace: NAMESPACE, reason: 'BackOff', message: 'again', object };
    embedded.put(eventObject({ ...event, firstAt: NOW, at: NOW + 60_000, count: 4, ...shape }));
    expect((await read()).events).toMatchObject([
      {
        reason: 'BackOff',
        message: 'again',
        object,
        count: 4,
        firstNs: BigInt(NOW) * 1_000_000n,
        lastNs: BigInt(NOW + 60_000) * 1_000_000n,
      },
    ]);
  });

  it('is empty where an object lacks what it should have', async () => {
    embedded.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'odd', namespace: NAMESPACE, labels: 7 },
      status: [],
    });
    const odd = (await read()).pods.find(({ meta }) => meta.name === 'odd');
    expect(odd).toMatchObject({ phase: '', startedNs: null, containers: [], meta: { labels: {} } });
  });
});

describe('a part that cannot be read', () => {
  it('is told with the right that is missing, and the rest is read', async () => {
    embedded.deny('batch/jobs');
    const { pods, unread } = await read();
    expect(pods).toHaveLength(1);
    expect(unread).toEqual([
      {
        resource: 'jobs',
        reason: expect.stringContaining('jobs.batch is forbidden'),
        advice: expect.stringContaining('apiGroups ["batch"], resources ["jobs"], verbs ["get", "list"]'),
      },
    ]);
  });

  it('is told as not installed where the custom resource is unknown', async () => {
    embedded.uninstall('coderuns');
    const { unread } = await read();
    expect(unread).toMatchObject([
      { resource: 'coderuns', advice: expect.stringContaining('custom resource definition') },
    ]);
  });

  it('is taken from the other group of events where only that one is allowed', async () => {
    const object = { kind: 'Pod', name: 'play-1-rex-a' };
    const event = { name: 'e', namespace: NAMESPACE, reason: 'BackOff', message: 'again', object, at: NOW };
    embedded.put(eventObject(event));
    embedded.deny('/events');
    const { events, unread } = await read();
    expect(unread).toEqual([]);
    expect(events).toMatchObject([{ reason: 'BackOff', message: 'again', object, lastNs: BigInt(NOW) * 1_000_000n }]);
  });

  it('is an error where it is all there is', async () => {
    for (const resource of ['pods', 'events', 'jobs', 'coderuns']) embedded.deny(resource);
    expect(await refusal()).toMatchObject({ status: 403, retryable: false });
  });
});

describe('a server that does not do its part', () => {
  it.each([
    ['down', /broke off/, true],
    ['busy', /answered 429/, true],
    ['failing', /answered 500/, true],
    ['html', /page of markup/, true],
    ['garbage', /not a complete JSON object/, true],
    ['cut', /broke off/, true],
    ['unauthorized', /answered 401/, true],
    ['redirect', /answered 302/, false],
  ] as const)('%s is an error with advice', async (fault, message, retryable) => {
    embedded.faults.use(fault);
    const error = await refusal();
    expect(error).toMatchObject({ source: 'kubernetes', retryable });
    expect(error.message).toMatch(message);
    expect(error.advice).toMatch(/\w{3}.*\.$/);
    expect(`${error.message} ${error.advice}`).not.toContain(embedded.token);
  });

  it.each(['down', 'busy', 'failing', 'cut'] as const)('once %s is overcome', async (fault) => {
    embedded.faults.use(fault, { times: 1 });
    expect((await read()).pods).toHaveLength(1);
  });

  it('answers too late', async () => {
    embedded.faults.use('slow', { ms: 5_000 });
    expect((await refusal({ timeoutMs: 60, budgetMs: 150 })).message).toMatch(/did not answer in time/);
  });

  it('is given no more time than the reading has', async () => {
    embedded.faults.use('busy', { retryAfter: 600 });
    expect(await refusal()).toMatchObject({ status: 429, retryAfterMs: 600_000 });
    expect(embedded.requests.length).toBeLessThanOrEqual(4);
  });

  it('sends more than is taken', async () => {
    const labels = { long: 'x'.repeat(10_000) };
    embedded.put(podObject({ name: 'large', namespace: NAMESPACE, labels }));
    const { pods, unread } = await read({ maxAnswerBytes: 5_000 });
    expect(pods).toEqual([]);
    expect(unread).toMatchObject([{ resource: 'pods', reason: expect.stringContaining('larger than 5000 bytes') }]);
  });

  it('is not there', async () => {
    const { url } = embedded;
    await embedded.stop();
    expect(await refusal({ url })).toMatchObject({ message: expect.stringContaining('Nothing listens') });
    embedded = await startKubernetes();
  });

  it('never ends its answer', async () => {
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"items":[');
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const error = await refusal({ url, timeoutMs: 80, budgetMs: 200 });
    expect(error.message).toMatch(/did not answer in time/);
    silent.close();
  });
});

describe('lists', () => {
  it('begin again when their continuation has expired, without an object twice', async () => {
    for (let i = 0; i < 5; i += 1) embedded.put(podObject({ name: `p${i}`, namespace: NAMESPACE }));
    embedded.faults.use('expired', { resource: 'pods', times: 1 });
    const { pods } = await read({ pageSize: 2 });
    expect(pods.map(({ meta }) => meta.name)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'play-1-rex-a']);
  });

  it('are given up when that happens again and again', async () => {
    for (let i = 0; i < 5; i += 1) embedded.put(podObject({ name: `p${i}`, namespace: NAMESPACE }));
    embedded.faults.use('expired', { resource: 'pods' });
    expect(await refusal({ pageSize: 2 })).toMatchObject({ status: 410 });
  });

  it('take a compressed answer', async () => {
    for (let i = 0; i < 300; i += 1) {
      embedded.put(podObject({ name: `p${i}`, namespace: NAMESPACE, labels: { note: 'y'.repeat(500) } }));
    }
    expect((await read()).pods).toHaveLength(301);
  });
});

describe('the connection', () => {
  it('only ever reads', async () => {
    await read();
    expect(new Set(embedded.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('trusts the given authority, and says of another one what to set', async () => {
    const secure = await startKubernetes({ tls: { key: tls('server.key'), cert: tls('server.pem') } });
    try {
      secure.put(podObject({ name: 'p', namespace: NAMESPACE }));
      const trusting = clusterOn(peerOf(secure, NAMESPACE, tls('ca.pem')));
      expect((await trusting.read(NAMESPACE, { events: 'all' })).pods).toHaveLength(1);
      for (const ca of [undefined, tls('other-ca.pem')]) {
        const error = await clusterOn(peerOf(secure, NAMESPACE, ca))
          .read(NAMESPACE, { events: 'all' })
          .catch((fault: unknown) => fault as SourceError);
        expect(error).toMatchObject({ advice: expect.stringContaining('KUBE_CA') });
      }
      expect(secure.requests).toHaveLength(4);
    } finally {
      await secure.stop();
    }
  });

  it.each([
    ['http to another machine', { url: 'http://10.0.0.1:6443' }, /https URL/],
    ['no address', { url: 'cluster' }, /https URL/],
    ['credentials in the address', { url: 'https://user:word@10.0.0.1' }, /must not hold credentials/],
    ['a certificate that is none', { url: 'https://10.0.0.1', ca: 'nonsense' }, /KUBE_CA/],
  ])('is refused with %s', (_, options, message) => {
    expect(() => clusterOn(peerOf(embedded), options)).toThrow(ConfigError);
    expect(() => clusterOn(peerOf(embedded), options)).toThrow(message);
  });
});
