import { expect, it } from 'vitest';
import { attributeWindow } from '#lib/app/attribute-window.ts';
import { DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';
import { aSession } from '#test/support/builders/session.ts';

const sessions = ['play-a', 'play-b'].map((playId) => aSession({ playId }));
const nobody = { pods: new Map(), jobs: new Map(), runs: new Map() };

it('tells entries of one stream apart by their metadata', () => {
  const labels = { namespace: 'cto' };
  const entry = (ns: bigint, metadata?: Record<string, string>) => ({
    ns,
    line: 'x',
    labels,
    ...(metadata && { metadata }),
  });
  const entries = [
    entry(1n, { pod: 'play-a-rex-1' }),
    entry(2n, { pod: 'play-b-rex-1' }),
    entry(3n, { pod: 'play-a-rex-1' }),
    entry(4n),
    entry(5n, { pod: 'healer-sweep' }),
  ];
  const owners = attributeWindow({ entries, pods: ['play-b-rex-2'] }, sessions, DEFAULT_ATTRIBUTION, nobody);
  const moments = (playId: string) => owners.entries.get(playId)?.map(({ ns }) => ns);
  expect([moments('play-a'), moments('play-b')]).toEqual([[1n, 3n], [2n]]);
  expect(new Set(owners.speakers.get('play-b')?.keys())).toEqual(new Set(['play-b-rex-1', 'play-b-rex-2']));
});

it('does not take the pod of a play for that of one whose id it begins with', () => {
  const entries = ['play-a-b-rex', 'play-a-b', 'play-abc-rex', 'play-play-a-rex'].map((pod, i) => ({
    ns: BigInt(i),
    line: 'x',
    labels: { pod },
  }));
  const plays = ['play-a', 'play-a-b'].map((playId) => aSession({ playId }));
  const { ofEntries } = attributeWindow({ entries, pods: [] }, plays, DEFAULT_ATTRIBUTION, nobody);
  expect(entries.map((entry) => ofEntries.get(entry)?.playId)).toEqual(['play-a-b', 'play-a-b', undefined, 'play-a']);
});
