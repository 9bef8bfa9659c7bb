import { describe, expect, it } from 'vitest';
import { toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { sessionEnd } from '#lib/domain/detection/kubernetes/session-end.ts';
import { aSession } from '#test/support/builders/session.ts';
import { after, aState, ns, PLAY, POD, START } from './support.ts';

const run = (name: string, phase: 'Running' | 'Succeeded' | 'Failed', change: object = {}) => ({
  name: `${PLAY}-${name}`,
  spec: { taskId: 7, runType: 'implementation' },
  phase,
  finishedAt: after(100),
  ...change,
});
const done = {
  phase: 'Succeeded',
  containers: [{ end: { reason: 'Completed', exitCode: 0, finishedAt: after(110) } }],
} as const;

const endAt = (of: Parameters<typeof aState>[0], seconds = 600) => {
  const state = aState(of);
  return sessionEnd(state, toClusterOwners(state, [aSession()]), aSession(), ns(seconds));
};

describe('sessionEnd', () => {
  it.each([
    ['all succeeded', [run('a', 'Succeeded'), run('b', 'Succeeded', { spec: { taskId: 8 } })], 'completed'],
    ['one failed', [run('a', 'Succeeded'), run('b', 'Failed', { spec: { taskId: 8 } })], 'failed'],
    [
      'a failed one was repeated with success',
      [run('a', 'Failed'), run('b', 'Succeeded', { createdAt: after(30) })],
      'completed',
    ],
    ['the repetition failed', [run('a', 'Succeeded'), run('b', 'Failed', { createdAt: after(30) })], 'failed'],
  ] as const)('%s: %#', (_, runs, status) => {
    expect(endAt({ runs, pods: [done] })).toEqual({ status, atNs: ns(110) });
  });

  it.each([
    ['a run is under way', { runs: [run('a', 'Succeeded'), run('b', 'Running')] }],
    ['a pod still lives', { runs: [run('a', 'Succeeded')], pods: [{ name: POD, containers: [{ startedAt: START }] }] }],
    ['no run is known', { pods: [done] }],
    ['the runs are of another play', { runs: [run('a', 'Succeeded', { name: 'play-other-a', spec: {} })] }],
    ['the run is older than the session', { runs: [run('a', 'Succeeded', { createdAt: after(-7200) })] }],
    [
      'CodeRuns cannot be read',
      { runs: [run('a', 'Succeeded')], unread: [{ resource: 'coderuns', reason: 'no', advice: '' }] as const },
    ],
  ])('is null while %s', (_, of) => {
    expect(endAt(of)).toBeNull();
  });

  it('is null for two minutes, in which the next run of the play may begin', () => {
    expect(endAt({ runs: [run('a', 'Succeeded')] }, 219)).toBeNull();
    expect(endAt({ runs: [run('a', 'Succeeded')] }, 220)).not.toBeNull();
  });
});
