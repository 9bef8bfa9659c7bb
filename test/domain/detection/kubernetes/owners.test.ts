import { describe, expect, it } from 'vitest';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';
import { aState, PLAY } from './support.ts';

const SESSIONS = [
  aSession({ agents: { rex: anAgent(), cleo: anAgent() } }),
  aSession({ playId: 'play-other', service: 'other-api' }),
];
const job = { kind: 'Job', name: 'j1' };

const ownerOf = (of: Parameters<typeof aState>[0]) => {
  const [pod] = of.pods ?? [];
  return toClusterOwners(aState(of), SESSIONS).pods.get(pod?.name ?? '');
};

describe('toClusterOwners', () => {
  it.each([
    ['its own name', { pods: [{ name: `${PLAY}-cleo-x` }] }, 'pod-name', 'cleo'],
    ['a label with the play', { pods: [{ name: 'p', labels: { play: PLAY, agent: 'Cleo' } }] }, 'play-label', 'cleo'],
    [
      'service and task',
      { pods: [{ name: 'p', labels: { service: 'widgets-api', 'task-id': '7', 'github-user': '5DLabs-Rex' } }] },
      'service-task',
      'rex',
    ],
    ["its Job's name", { pods: [{ name: 'p', owner: { kind: 'Job', name: `${PLAY}-rex` } }] }, 'owner', 'rex'],
    [
      'the label of its Job alone',
      {
        pods: [{ name: 'p', labels: { 'batch.kubernetes.io/job-name': 'j1' } }],
        jobs: [{ name: 'j1', labels: { play: PLAY } }],
      },
      'owner',
      null,
    ],
    [
      'the CodeRun that names its Job',
      {
        pods: [{ name: 'p', owner: job }],
        jobs: [{ name: 'j1' }],
        runs: [{ name: 'r', jobName: 'j1', spec: { service: 'widgets-api', taskId: 7, githubApp: '5DLabs-Cleo' } }],
      },
      'owner',
      'cleo',
    ],
    [
      'the CodeRun that owns its Job',
      {
        pods: [{ name: 'p', owner: job }],
        jobs: [{ name: 'j1', owner: { kind: 'CodeRun', name: 'r' } }],
        runs: [{ name: 'r', labels: { play: PLAY } }],
      },
      'owner',
      null,
    ],
    [
      'an owner of a kind that is not read',
      { pods: [{ name: 'p', owner: { kind: 'Workflow', name: `play-${PLAY}-w` } }] },
      'owner',
      null,
    ],
  ] as const)('attributes a pod by %s', (_, of, rule, agent) => {
    expect(ownerOf(of)).toMatchObject({ playId: PLAY, rule, agent, pod: of.pods[0].name });
  });

  it.each([
    ['that nothing ties to a play', { pods: [{ name: 'p', owner: job }], jobs: [{ name: 'j1' }] }],
    ['that is excluded', { pods: [{ name: 'p', labels: { play: PLAY, [DEFAULT_ATTRIBUTION.excludeLabel]: 'true' } }] }],
    [
      'of Healer itself, although its Job is of a play',
      { pods: [{ name: 'healer-1', owner: { kind: 'Job', name: `${PLAY}-x` } }] },
    ],
  ] as const)('leaves out a pod %s', (_, of) => {
    expect(ownerOf(of)).toBeUndefined();
  });
});
