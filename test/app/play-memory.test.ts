import { expect, it } from 'vitest';
import { createPlayMemory } from '#lib/app/play-memory.ts';
import type { SeenPod } from '#lib/app/ports.ts';
import { aSession } from '#test/support/builders/session.ts';

const session = aSession({ playId: 'play-1' });
const pods: readonly SeenPod[] = [
  { pod: 'p', playId: 'play-1', agent: null, firstNs: 1n, lastNs: 2n, preflight: 'passed' },
];

it('keeps a session and its pods', () => {
  const memory = createPlayMemory();
  memory.keepSession(session);
  memory.keepPods(session, pods);
  expect(memory.session('play-1')).toBe(session);
  expect(memory.pods(session)).toBe(pods);
  memory.keepSession({ ...session });
  expect(memory.pods(session)).toBe(pods);
});

it('keeps a session that has ended as it is then, with its pods', () => {
  const memory = createPlayMemory();
  memory.keepSession(session);
  memory.keepPods(session, pods);
  const ended = { ...session, status: 'completed' } as const;
  memory.keepSession(ended);
  expect([memory.session('play-1'), memory.pods(ended)]).toEqual([ended, pods]);
});

it('knows nothing of the pods of a session that started anew under the same id', () => {
  const memory = createPlayMemory();
  memory.keepSession(session);
  memory.keepPods(session, pods);
  const anew = { ...session, startedAt: '2026-11-30T13:00:00.000Z' };
  expect(memory.pods(anew)).toBeUndefined();
  memory.keepPods(anew, pods);
  expect(memory.pods(anew)).toBeUndefined();
  memory.keepSession(anew);
  expect(memory.pods(anew)).toBeUndefined();
});

it('keeps pods of no session that it does not know', () => {
  const memory = createPlayMemory();
  memory.keepPods(session, pods);
  expect(memory.pods(session)).toBeUndefined();
});

it('lets go of the one that was used longest ago', () => {
  const memory = createPlayMemory(2);
  for (const playId of ['play-1', 'play-2']) memory.keepSession({ ...session, playId });
  memory.keepPods({ ...session, playId: 'play-1' }, pods);
  memory.keepSession({ ...session, playId: 'play-3' });
  expect(['play-1', 'play-2', 'play-3'].map((id) => memory.session(id) !== undefined)).toEqual([true, false, true]);
});
