import { describe, expect, it } from 'vitest';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { toClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { toClusterPieces, toSightPieces } from '#lib/domain/evidence/cluster-pieces.ts';
import { after, aState, findIn, ns, PLAY, POD, START } from '#test/domain/detection/kubernetes/support.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';

const end = { reason: 'OOMKilled', exitCode: 137, startedAt: START, finishedAt: after(30) };
const killed = { phase: 'Failed', containers: [{ end }] } as const;
const other = `${PLAY}-cleo-fghij`;
const event = (name: string, reason: string, at: number, type: 'Normal' | 'Warning' = 'Warning', pod = POD) => ({
  name,
  reason,
  type,
  message: `${reason} it is`,
  object: { kind: 'Pod', name: pod },
  at: after(at),
});

const piecesOf = (of: Parameters<typeof aState>[0], finding: Finding, consequences: readonly Finding[] = []) => {
  const state = aState(of);
  return toClusterPieces({
    state,
    owners: toClusterOwners(state, [aSession({ agents: { rex: anAgent(), cleo: anAgent() } })]),
    playId: PLAY,
    finding,
    consequences,
  });
};

const findingIn = (of: Parameters<typeof aState>[0]): Finding =>
  findIn(aState(of))[0] ?? expect.fail('nothing is found');
const logged = aFinding({ playId: PLAY, pod: POD, firstNs: ns(40), lastNs: ns(40) });

describe('toClusterPieces', () => {
  it('tells the end that is the finding as a hit, the rest as context, in order of time', () => {
    const of = {
      pods: [killed],
      runs: [{ name: `${PLAY}-run`, phase: 'Failed', message: 'Job failed', finishedAt: after(35) }] as const,
      events: [event('e1', 'BackOff', 20), event('e2', 'Pulled', 10, 'Normal')],
    };
    expect(piecesOf(of, findingIn({ pods: [killed] })).map(({ role, text }) => [role, text])).toEqual([
      ['context', `Pod ${POD} Failed on node worker-1`],
      ['context', `Event Pulled (Normal) of Pod ${POD}: Pulled it is`],
      ['context', `Event BackOff (Warning) of Pod ${POD}: BackOff it is`],
      ['hit', `Pod ${POD} container agent terminated: reason=OOMKilled exitCode=137 memoryLimit=512Mi`],
      ['context', `CodeRun ${PLAY}-run Failed: Job failed`],
    ]);
  });

  it("tells ends beside a finding of the log as context, those of the finding's own pod nearest", () => {
    const pieces = piecesOf({ pods: [{ ...killed, name: other }, killed] }, logged);
    const byPod = new Map(pieces.filter(({ text }) => text.includes('terminated')).map((piece) => [piece.pod, piece]));
    expect([...byPod.values()].map(({ role }) => role)).toEqual(['context', 'context']);
    expect(byPod.get(POD)?.distance).toBeLessThan(byPod.get(other)?.distance ?? 0);
    expect(byPod.get(other)?.agent).toBe('cleo');
  });

  it('leaves out other plays, Normal events of other pods, and events far away in time', () => {
    const pieces = piecesOf(
      {
        pods: [
          { ...killed, name: 'play-other-rex-abcde' },
          { name: other, containers: [{ startedAt: START }] },
        ],
        events: [
          event('e1', 'Pulled', 20, 'Normal', other),
          event('e2', 'BackOff', 20, 'Warning', 'play-other-rex-abcde'),
          event('e3', 'Failed', -3600),
          event('e4', 'Unhealthy', 30, 'Warning', other),
        ],
      },
      logged,
    );
    expect(pieces.map(({ text }) => text)).toEqual([`Event Unhealthy (Warning) of Pod ${other}: Unhealthy it is`]);
  });

  it('names the failure of another pod that an object shows', () => {
    const consequence = findingIn({ pods: [{ ...killed, name: other }] });
    const pieces = piecesOf({ pods: [{ ...killed, name: other }] }, logged, [consequence]);
    expect(pieces.find(({ pod }) => pod === other)).toMatchObject({ role: 'context', of: consequence.id });
  });

  it('tells what was seen of objects that are gone', () => {
    const finding = findingIn({ pods: [killed] });
    const told = { role: 'hit', pod: POD, agent: 'rex', at: '2026-11-30T12:00:30.000000000Z' };
    expect(piecesOf({}, finding)).toMatchObject([told]);
    expect(toSightPieces(finding)).toMatchObject([told]);
    expect(toSightPieces(logged)).toEqual([]);
  });

  it('stays bounded, and keeps what is nearest', () => {
    const events = Array.from({ length: 300 }, (_, i) => ({
      ...event(`e${i}`, 'Unhealthy', i % 60, 'Warning', other),
      message: `probe ${i}`,
    }));
    const pieces = piecesOf(
      { pods: [killed, { name: other, containers: [{ startedAt: START }] }], events },
      findingIn({ pods: [killed] }),
    );
    expect(pieces).toHaveLength(60);
    expect(pieces.filter(({ role }) => role === 'hit')).toHaveLength(1);
  });
});
