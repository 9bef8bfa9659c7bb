import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isClusterRef } from '#lib/domain/detection/kubernetes/ends.ts';
import { withoutTold } from '#lib/domain/detection/kubernetes/told.ts';
import type { ContainerOf, PodOf } from '#lib/local/kubernetes/objects.ts';
import { aFinding, anEntryRef } from '#test/support/builders/a-finding.ts';
import { aSession } from '#test/support/builders/session.ts';
import { after, aState, findIn, ns, PLAY, POD, START } from './support.ts';

const ended = (exitCode: number, at: number, reason = exitCode === 0 ? 'Completed' : 'Error'): ContainerOf => ({
  end: { reason, exitCode, startedAt: START, finishedAt: after(at) },
});
const oom: Partial<PodOf> = { phase: 'Failed', containers: [ended(137, 30, 'OOMKilled')] };

const waits = (reason: string, message = ''): Partial<PodOf> => ({
  phase: 'Pending',
  containers: [{ waiting: { reason, message } }],
});

describe('a pod that died or never started', () => {
  it.each<[string, Partial<PodOf>, string, string, Record<string, string>]>([
    ['OOMKilled', oom, 'kubernetes.oom', 'critical', {}],
    [
      'OOMKilled, and runs again',
      {
        containers: [
          { startedAt: after(40), restarts: 1, lastEnd: { reason: 'OOMKilled', exitCode: 137, finishedAt: after(30) } },
        ],
      },
      'kubernetes.oom',
      'critical',
      {},
    ],
    [
      'Evicted',
      { phase: 'Failed', reason: 'Evicted', message: 'low on resource: memory' },
      'kubernetes.evicted',
      'critical',
      {},
    ],
    ['NodeLost', { phase: 'Failed', reason: 'NodeLost' }, 'kubernetes.node-lost', 'critical', {}],
    ['DeadlineExceeded of the pod', { phase: 'Failed', reason: 'DeadlineExceeded' }, 'kubernetes.deadline', 'high', {}],
    ['ImagePullBackOff', waits('ImagePullBackOff', 'Back-off pulling image "x"'), 'kubernetes.image', 'critical', {}],
    ['ErrImagePull', waits('ErrImagePull'), 'kubernetes.image', 'critical', {}],
    [
      'CreateContainerConfigError',
      waits('CreateContainerConfigError', 'secret "rex-keys" not found'),
      'kubernetes.container-config',
      'critical',
      {},
    ],
    ['RunContainerError', waits('RunContainerError'), 'kubernetes.cannot-run', 'critical', {}],
    [
      'StartError',
      { phase: 'Failed', containers: [ended(128, 5, 'StartError')] },
      'kubernetes.cannot-run',
      'critical',
      {},
    ],
    [
      'Unschedulable',
      { phase: 'Pending', unschedulable: { message: '0/3 nodes are available', at: after(1) } },
      'kubernetes.scheduling',
      'high',
      {},
    ],
    [
      'a failed init container',
      {
        phase: 'Failed',
        initContainers: [{ name: 'clone', ...ended(128, 8) }],
        containers: [{ waiting: { reason: 'PodInitializing' } }],
      },
      'kubernetes.init-container',
      'critical',
      { container: 'clone', end: 'error' },
    ],
    ['an exit code', { phase: 'Failed', containers: [ended(2, 50)] }, 'kubernetes.exit', 'critical', { end: 'error' }],
    [
      'a signal',
      { phase: 'Failed', containers: [ended(139, 50)] },
      'kubernetes.exit',
      'critical',
      { end: 'segmentation fault' },
    ],
    [
      'CrashLoopBackOff',
      {
        containers: [
          {
            restarts: 3,
            waiting: { reason: 'CrashLoopBackOff' },
            lastEnd: { reason: 'Error', exitCode: 1, finishedAt: after(90) },
          },
        ],
      },
      'kubernetes.exit',
      'critical',
      { end: 'error' },
    ],
  ])('%s', (_, pod, pattern, severity, identity) => {
    const findings = findIn(aState({ pods: [pod] }));
    expect(findings).toMatchObject([
      { pattern, severity, identity, category: 'runtime', code: null, playId: PLAY, agent: 'rex', pod: POD, count: 1 },
    ]);
    const [finding] = findings;
    expect(finding?.summary).toMatch(/^rex: \w/);
    expect(finding?.summary).not.toContain('{');
    expect(finding?.sights?.[0]?.text).toContain(`Pod ${POD}`);
    expect(isClusterRef(finding?.anchor ?? anEntryRef())).toBe(true);
  });

  it.each<[string, Partial<PodOf>]>([
    ['that succeeded', { phase: 'Succeeded', containers: [ended(0, 50)] }],
    ['that runs', { containers: [{ startedAt: START }] }],
    ['that is being created', waits('ContainerCreating')],
    [
      'that restarted once and then ended well',
      {
        phase: 'Succeeded',
        containers: [{ ...ended(0, 90), restarts: 1, lastEnd: { reason: 'OOMKilled', exitCode: 137 } }],
      },
    ],
    [
      'that restarted once and runs',
      { containers: [{ startedAt: after(60), restarts: 1, lastEnd: { reason: 'Error', exitCode: 1 } }] },
    ],
    [
      'whose helper was ended after its work was done',
      { phase: 'Failed', containers: [ended(0, 50), { name: 'docker', ...ended(137, 60) }] },
    ],
    [
      'whose sidecar was ended at the end',
      { phase: 'Succeeded', initContainers: [{ name: 'proxy', ...ended(143, 60) }], containers: [ended(0, 50)] },
    ],
    ['of another play', { name: 'play-other-rex-abcde', ...oom }],
    ['of a collector', { name: 'vector-abcde', labels: { play: PLAY }, ...oom }],
    ['of an earlier play of that name', { phase: 'Failed', containers: [ended(137, -3600, 'OOMKilled')] }],
  ])('is no finding for a pod %s', (_, pod) => {
    expect(findIn(aState({ pods: [pod] }))).toEqual([]);
  });

  it.each([
    ['OOMKilled', oom, 30 + 15],
    ['an exit code', { phase: 'Failed', containers: [ended(2, 50)] } as const, 50 + 30],
    ['ImagePullBackOff', waits('ImagePullBackOff'), 150],
    ['Unschedulable', { phase: 'Pending', unschedulable: { message: 'no', at: after(5) } } as const, 5 + 170],
  ])('%s is held until late lines or a recovery would have come', (_, pod, seconds) => {
    expect(findIn(aState({ pods: [pod] }), { at: seconds - 1 })).toEqual([]);
    expect(findIn(aState({ pods: [pod] }), { at: seconds })).toHaveLength(1);
  });

  it('says nothing of a run that a person cancelled', () => {
    const session = aSession({ status: 'cancelled', endedAt: new Date(after(20)).toISOString() });
    expect(findIn(aState({ pods: [{ phase: 'Failed', containers: [ended(143, 30)] }] }), { session })).toEqual([]);
  });
});

describe('identity', () => {
  it('stays equal when the same objects are read again, and differs between pods', () => {
    const one = findIn(aState({ pods: [oom] }));
    const again = findIn(aState({ pods: [{ ...oom, message: 'later' }] }), { at: 900 });
    expect(again[0]?.id).toBe(one[0]?.id);
    const other = findIn(aState({ pods: [{ ...oom, name: `${PLAY}-rex-fghij` }] }));
    expect(other[0]?.id).not.toBe(one[0]?.id);
    expect(other[0]?.fingerprint).toBe(one[0]?.fingerprint);
  });

  it('never depends on the order in which objects are listed', () => {
    const pods = [
      oom,
      { name: `${PLAY}-cleo-1`, ...oom },
      { name: `${PLAY}-tess-1`, phase: 'Failed', containers: [ended(3, 40)] } as const,
    ];
    const ids = (order: readonly Partial<PodOf>[]) =>
      findIn(aState({ pods: order }))
        .map(({ id }) => id)
        .toSorted();
    fc.assert(
      fc.property(fc.shuffledSubarray(pods, { minLength: 3 }), (order) => {
        expect(ids(order)).toEqual(ids(pods));
      }),
    );
  });
});

describe('Jobs and CodeRuns', () => {
  const run = {
    name: 'run-1',
    spec: { service: 'widgets-api', taskId: 7, githubApp: '5DLabs-Rex' },
    jobName: 'play-coderun-9',
  };
  const failedRun = {
    ...run,
    phase: 'Failed',
    message: 'Job has reached the backoff limit',
    finishedAt: after(60),
  } as const;

  it('attribute a pod that neither name nor label attributes, by its owner chain', () => {
    const pod = { ...oom, name: 'play-coderun-9-zzzzz', owner: { kind: 'Job', name: 'play-coderun-9' } };
    const findings = findIn(
      aState({ pods: [pod], jobs: [{ name: 'play-coderun-9' }], runs: [{ ...run, phase: 'Running' }] }),
    );
    expect(findings).toMatchObject([{ pattern: 'kubernetes.oom', agent: 'rex', pod: pod.name }]);
  });

  it('tell of a deadline although the pod is gone', () => {
    const condition = {
      type: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Job was active longer',
      at: after(60),
    } as const;
    const findings = findIn(aState({ jobs: [{ name: `${PLAY}-rex`, failed: 1, condition }] }));
    expect(findings).toMatchObject([{ pattern: 'kubernetes.deadline', pod: `${PLAY}-rex`, severity: 'high' }]);
  });

  it('tell of a run that failed when nothing else does', () => {
    expect(findIn(aState({ runs: [failedRun] }))).toMatchObject([
      { pattern: 'kubernetes.run-failed', agent: 'rex', pod: 'play-coderun-9', severity: 'critical' },
    ]);
  });

  it('are quiet about a failed run whose pod or log has told why', () => {
    const pod = { ...oom, name: 'play-coderun-9-zzzzz', owner: { kind: 'Job', name: 'play-coderun-9' } };
    const state = aState({ pods: [pod], jobs: [{ name: 'play-coderun-9' }], runs: [failedRun] });
    expect(findIn(state)).toMatchObject([{ pattern: 'kubernetes.oom' }]);
    const told = [aFinding({ pod: 'play-coderun-9-zzzzz', pattern: 'crash.panic', firstNs: ns(50), lastNs: ns(50) })];
    expect(findIn(aState({ runs: [failedRun] }), { told })).toEqual([]);
  });

  it('take a run that does not say when it failed to have failed with its pod', () => {
    const pod = { ...oom, name: 'play-coderun-9-zzzzz', owner: { kind: 'Job', name: 'play-coderun-9' } };
    const state = aState({
      pods: [pod],
      jobs: [{ name: 'play-coderun-9' }],
      runs: [{ ...failedRun, finishedAt: undefined }],
    });
    expect(findIn(state, { at: 40 })).toEqual([]);
    expect(findIn(state)).toMatchObject([{ pattern: 'kubernetes.oom' }]);
  });

  const job = `${PLAY}-rex`;
  const owner = { kind: 'Job', name: job };
  const failed = { name: `${job}-1`, owner, phase: 'Failed', containers: [ended(1, 30)] } as const;

  it('lift what a later pod of the same Job has overcome', () => {
    const done = {
      name: `${job}-2`,
      owner,
      startedAt: after(40),
      phase: 'Succeeded',
      containers: [ended(0, 90)],
    } as const;
    const complete = { type: 'Complete', at: after(91) } as const;
    expect(findIn(aState({ pods: [failed, done], jobs: [{ name: job, condition: complete }] }))).toEqual([]);
  });

  it('wait while another pod of the Job is at work', () => {
    const retry = { name: `${job}-2`, owner, startedAt: after(40), containers: [{ startedAt: after(41) }] };
    expect(findIn(aState({ pods: [failed, retry], jobs: [{ name: job, active: 1 }] }))).toEqual([]);
    expect(findIn(aState({ pods: [failed], jobs: [{ name: job, failed: 1 }] }))).toHaveLength(1);
  });

  it('tell that no pod could be made', () => {
    const event = {
      reason: 'FailedCreate',
      message: 'exceeded quota: agents',
      object: { kind: 'Job', name: job },
      firstAt: after(5),
      at: after(300),
    };
    expect(findIn(aState({ jobs: [{ name: job }], events: [event] }))).toMatchObject([
      { pattern: 'kubernetes.create', severity: 'high' },
    ]);
    expect(findIn(aState({ jobs: [{ name: job, active: 1 }], events: [event] }))).toEqual([]);
  });
});

describe('events', () => {
  const starting = waits('ContainerCreating');
  const mount = {
    reason: 'FailedMount',
    message: 'MountVolume.SetUp failed for volume "files"',
    firstAt: after(2),
    at: after(240),
  };

  it('tell of a volume that keeps a pod from starting', () => {
    expect(findIn(aState({ pods: [starting], events: [mount] }))).toMatchObject([
      { pattern: 'kubernetes.mount', code: null },
    ]);
    expect(findIn(aState({ pods: [{ containers: [{ startedAt: after(100) }] }], events: [mount] }))).toEqual([]);
  });

  it("tell of the play's configuration as a pre-flight failure within the pod's first minute", () => {
    const message = 'MountVolume.SetUp failed: configmap "cto-config-play-demo" not found';
    const early = findIn(aState({ pods: [starting], events: [{ ...mount, message }] }));
    expect(early).toMatchObject([{ pattern: 'kubernetes.config-mount', category: 'preflight', code: 'A11' }]);
    const late = findIn(aState({ pods: [starting], events: [{ ...mount, message, firstAt: after(90) }] }));
    expect(late).toMatchObject([{ pattern: 'kubernetes.config-mount', category: 'runtime', code: null }]);
    expect(late[0]?.fingerprint).toBe(early[0]?.fingerprint);
  });

  it('tell of an eviction of a pod that is gone', () => {
    const event = { reason: 'Evicted', message: 'The node was low on resource: memory.', at: after(30) };
    expect(findIn(aState({ events: [event] }))).toMatchObject([
      { pattern: 'kubernetes.evicted', pod: POD, agent: 'rex' },
    ]);
  });
});

describe('what the log has told', () => {
  const logged = (pattern: string, at: number) =>
    aFinding({
      pattern,
      pod: POD,
      firstNs: ns(at),
      lastNs: ns(at),
      anchor: anEntryRef({ ns: ns(at), pod: POD, hash: pattern }),
    });

  it.each([
    ['the same pattern', 'kubernetes.oom', 31],
    ["the shell's word for it", 'crash.memory', 29],
  ])('of a kill for memory is not told again: %s', (_, pattern, at) => {
    expect(findIn(aState({ pods: [oom] }), { told: [logged(pattern, at)] })).toEqual([]);
  });

  it('explains an exit code, so the code is not told', () => {
    const pod = { phase: 'Failed', containers: [ended(101, 50)] } as const;
    expect(findIn(aState({ pods: [pod] }), { told: [logged('crash.panic', 49)] })).toEqual([]);
    expect(findIn(aState({ pods: [pod] }), { told: [logged('crash.panic', -400)] })).toHaveLength(1);
  });

  it('does not hide a kill for memory behind another failure', () => {
    expect(findIn(aState({ pods: [oom] }), { told: [logged('mcp.transport', 20)] })).toHaveLength(1);
  });

  it('is taken over where it is only the echo of a kill', () => {
    const echo = logged('run.exit-code', 31);
    const [finding] = findIn(aState({ pods: [oom] }), { fresh: [echo] });
    expect(finding).toMatchObject({ pattern: 'kubernetes.oom', also: [echo.anchor], count: 2, lastNs: ns(31) });
    expect(withoutTold([echo, logged('mcp.transport', 20)], finding === undefined ? [] : [finding])).toMatchObject([
      { pattern: 'mcp.transport' },
    ]);
  });

  it('is taken over where the log only broke off, however long before the kill its last work was', () => {
    const brokenOff = logged('check.killed-run', -60);
    const [finding] = findIn(aState({ pods: [oom] }), { fresh: [brokenOff] });
    expect(finding).toMatchObject({ pattern: 'kubernetes.oom', also: [brokenOff.anchor] });
    expect(withoutTold([brokenOff], finding === undefined ? [] : [finding])).toEqual([]);
  });

  it('gives way where this very look found it in other words', () => {
    const guess = logged('crash.memory', 31);
    const [finding] = findIn(aState({ pods: [oom] }), { fresh: [guess] });
    expect(finding).toMatchObject({ pattern: 'kubernetes.oom', also: [guess.anchor] });
    expect(findIn(aState({ pods: [oom] }), { fresh: [logged('kubernetes.oom', 31)] })).toEqual([]);
  });

  it('is left out when the cluster told the same before', () => {
    const cluster = findIn(aState({ pods: [oom] }));
    expect(withoutTold([logged('kubernetes.oom', 32), logged('crash.memory', 29)], cluster)).toEqual([]);
    expect(withoutTold([logged('crash.panic', 29)], cluster)).toHaveLength(1);
  });
});

describe('a run without its closing event', () => {
  const pod = { phase: 'Succeeded', containers: [ended(0, 50)] } as const;
  const facts = (change: object) => [
    {
      agent: 'rex',
      pod: POD,
      cli: 'claude-code',
      startNs: ns(0),
      lastNs: ns(45),
      tools: null,
      servers: null,
      result: null,
      ...change,
    },
  ];

  it('is told with the end of its pod', () => {
    expect(findIn(aState({ pods: [pod] }), { agents: facts({}) })).toMatchObject([
      { pattern: 'kubernetes.no-result', severity: 'high' },
    ]);
  });

  it.each([
    ['whose stream was closed', facts({ result: 'ok' }), {}],
    ['of a CLI that has no closing event', facts({ cli: 'aider' }), {}],
    ['that ended before the range that was read', facts({}), { since: 60 }],
    ['of which nothing was read', [], {}],
  ])('is none %s', (_, agents, options) => {
    expect(findIn(aState({ pods: [pod] }), { agents, ...options })).toEqual([]);
  });
});
