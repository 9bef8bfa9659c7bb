import { expect, it } from 'vitest';
import { podsToSave } from '#lib/app/pods-to-save.ts';
import type { SeenPod } from '#lib/app/ports.ts';
import { NANOS_PER_SECOND } from '#lib/domain/time.ts';
import { SIGN_OF_LIFE_NS } from '#lib/domain/window/plan.ts';

const POD: SeenPod = {
  pod: 'play-1-rex',
  playId: 'play-1',
  agent: 'rex',
  firstNs: 1n,
  lastNs: 1_000n * NANOS_PER_SECOND,
  preflight: 'passed',
  rule: 'pod-name',
  lines: 3,
};
const later = (ns: bigint): SeenPod => ({ ...POD, lastNs: POD.lastNs + ns });

it.each<[string, SeenPod, readonly SeenPod[], boolean, boolean]>([
  ['a new pod', POD, [], false, true],
  ['a pod that says nothing new', POD, [POD], false, false],
  ['a pod that spoke a minute later', later(60n * NANOS_PER_SECOND), [POD], false, false],
  ['a pod whose stored last line is too old', later(SIGN_OF_LIFE_NS), [POD], false, true],
  ['more lines alone', { ...POD, lines: 9 }, [POD], false, false],
  ['a verdict', { ...POD, preflight: 'failed' }, [POD], false, true],
  ['another agent', { ...POD, agent: 'tess' }, [POD], false, true],
  ['the last line of a session that has ended', later(1n), [POD], true, true],
  ['an ended session in which nothing came', POD, [POD], true, false],
])('%s', (_, pod, known, isEnded, isSaved) => {
  expect(podsToSave([pod], known, isEnded)).toEqual(isSaved ? [pod] : []);
});
