import { describe, expect, it } from 'vitest';
import type { AttributableSession } from '#lib/domain/detection/attribution.ts';
import { attributeEntry, DEFAULT_ATTRIBUTION } from '#lib/domain/detection/attribution.ts';

const agents = { rex: null, 'rex-two': null } as unknown as AttributableSession['agents'];
const task = { id: '7', title: '', agentHint: null, dependencies: [], priority: 0 };
const session = (playId: string, service = 'shop'): AttributableSession => ({ playId, service, agents, tasks: [task] });
const entry = (labels: Record<string, string>, metadata?: Record<string, string>) => ({ labels, metadata });

describe('attributeEntry', () => {
  it.each([
    ['a label equal to the play id', { pod: 'x-1', run: 'p1' }, 'p1', 'play-label'],
    ['a pod name that begins with the play id', { pod: 'p1-rex-abcde' }, 'p1', 'pod-name'],
    ['a pod name behind play-', { pod: 'play-p1-rex-abcde' }, 'p1', 'pod-name'],
    ['the longest play id', { pod: 'p1-b-rex-abcde' }, 'p1-b', 'pod-name'],
    ['labels before the pod name', { pod: 'p1-rex', play: 'p1-b' }, 'p1-b', 'play-label'],
  ])('decides by %s', (_, labels, playId, rule) => {
    const found = attributeEntry(entry(labels), [session('p1', 'other'), session('p1-b', 'third')]);
    expect(found).toMatchObject({ playId, rule });
  });

  it('decides by service and task of one active session, also as Loki stores the names', () => {
    const labels = { pod: 'worker-1', service: 'shop', task_id: '7' };
    expect(attributeEntry(entry(labels), [session('p1')])).toMatchObject({ playId: 'p1', rule: 'service-task' });
    expect(attributeEntry(entry(labels), [session('p1'), session('p2')])).toBeUndefined();
  });

  it('reads structured metadata like labels', () => {
    const found = attributeEntry(entry({ container: 'agent' }, { pod: 'p1-rex-1' }), [session('p1')]);
    expect(found).toMatchObject({ pod: 'p1-rex-1', container: 'agent', agent: 'rex' });
  });

  it.each([
    [{ pod: 'p1-rex-abc' }, 'rex'],
    [{ pod: 'p1-rex-two-abc' }, 'rex-two'],
    [{ pod: 'p1-trex-abc' }, null],
    [{ pod: 'p1-x', agent: 'Rex' }, 'rex'],
    [{ pod: 'p1-x', github_user: '5DLabs-Rex' }, 'rex'],
    [{ pod: 'p1-x', 'github-user': 'Acme-Blaze' }, 'blaze'],
  ])('names the agent of %j', (labels, agent) => {
    expect(attributeEntry(entry(labels), [session('p1')])?.agent).toBe(agent);
  });

  it.each([{ pod: 'p10-rex' }, { pod: 'other' }, { container: 'agent' }] as Record<string, string>[])(
    'leaves %j out',
    (labels) => {
      expect(attributeEntry(entry(labels), [session('p1')])).toBeUndefined();
    },
  );

  it('leaves out pods of Healer and of collectors, even with the play in a label', () => {
    for (const pod of ['healer-5d4c', 'promtail', 'alloy-x1']) {
      expect(attributeEntry(entry({ pod, play: 'p1' }), [session('p1')])).toBeUndefined();
    }
    expect(attributeEntry(entry({ pod: 'p1-rex', healer_platform_exclude: 'true' }), [session('p1')])).toBeUndefined();
  });

  it('takes the label names from its configuration', () => {
    const config = { ...DEFAULT_ATTRIBUTION, podLabels: ['instance'], agentLabels: ['who'] };
    expect(attributeEntry(entry({ instance: 'p1-a', who: 'tess' }), [session('p1')], config)?.agent).toBe('tess');
  });
});
