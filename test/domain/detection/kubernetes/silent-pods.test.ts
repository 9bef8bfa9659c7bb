import { describe, expect, it } from 'vitest';
import { SILENT_AFTER_S } from '#lib/domain/detection/kubernetes/rules.ts';
import type { PodOf } from '#lib/local/kubernetes/objects.ts';
import { aFinding, anEntryRef } from '#test/support/builders/a-finding.ts';
import { aSession } from '#test/support/builders/session.ts';
import { after, aState, findIn, ns, PLAY, POD, START } from './support.ts';

const running: Partial<PodOf> = { phase: 'Running', containers: [{ startedAt: START }] };
const heard = (agent: string | null = 'rex') => [{ pod: POD, agent, lastNs: ns(100) }];
const LATE = 100 + SILENT_AFTER_S;

describe('a declared agent that spoke and fell silent while its pod runs', () => {
  it('is told once the silence has lasted', () => {
    const state = aState({ pods: [running] });
    expect(findIn(state, { at: LATE - 1, heard: heard() })).toEqual([]);
    expect(findIn(state, { at: LATE, heard: heard() })).toMatchObject([
      { pattern: 'kubernetes.silent', category: 'runtime', severity: 'medium', pod: POD, firstNs: ns(100) },
    ]);
  });

  it('keeps its id from look to look, and has another after it spoke again', () => {
    const state = aState({ pods: [running] });
    const idAt = (at: number, lastNs: bigint) =>
      findIn(state, { at, heard: [{ pod: POD, agent: 'rex', lastNs }] })[0]?.id;
    expect(idAt(LATE, ns(100))).toBe(idAt(LATE + 600, ns(100)));
    expect(idAt(LATE + 600, ns(100))).not.toBe(idAt(LATE + 600, ns(400)));
  });

  it('is not told again, nor beside the failure that explains it', () => {
    const state = aState({ pods: [running] });
    const told = findIn(state, { at: LATE, heard: heard() });
    expect(findIn(state, { at: LATE + 60, heard: heard(), told })).toEqual([]);
    const cause = aFinding({
      playId: PLAY,
      pod: POD,
      anchor: anEntryRef({ ns: ns(95) }),
      firstNs: ns(95),
      lastNs: ns(95),
    });
    expect(findIn(state, { at: LATE, heard: heard(), told: [cause] })).toEqual([]);
  });

  it.each<[string, Partial<PodOf>, readonly { pod: string; agent: string | null; lastNs: bigint }[]]>([
    [
      'of a pod that has ended',
      { phase: 'Succeeded', containers: [{ end: { reason: 'Completed', exitCode: 0, finishedAt: after(110) } }] },
      heard(),
    ],
    [
      'of an agent whose container has ended beside a sidecar',
      {
        phase: 'Running',
        containers: [
          { name: 'agent', end: { reason: 'Completed', exitCode: 0, finishedAt: after(110) } },
          { name: 'tools', startedAt: START },
        ],
      },
      heard(),
    ],
    ['of a pod that never spoke', running, []],
    ['of a pod of no declared agent', running, heard('nobody')],
    ['of a pod whose agent is not known', running, heard(null)],
  ])('is none %s', (_, pod, said) => {
    expect(findIn(aState({ pods: [pod] }), { at: LATE, heard: said })).toEqual([]);
  });

  it('is none after the session has ended', () => {
    const session = aSession({ status: 'completed', endedAt: new Date(after(200)).toISOString(), endedBy: 'call' });
    expect(findIn(aState({ pods: [running] }), { at: LATE, heard: heard(), session })).toEqual([]);
  });
});
