import { describe, expect, it } from 'vitest';
import { readEventLine } from '#lib/domain/detection/readers/kubernetes-events.ts';
import { readEvents } from '#lib/domain/detection/readers/read-events.ts';
import { newState } from '#lib/domain/detection/readers/reader.ts';

const alloy = (reason: string, type: string, message: string): string =>
  `name=play-1-rex kind=Pod objectAPIversion=v1 objectRV=81 eventRV=90 sourcecomponent=kubelet reason=${reason} type=${type} count=1 msg=${JSON.stringify(message)}`;
const read = (line: string) => readEvents(line, newState());

describe('Kubernetes events in logs', () => {
  it.each<[string, string]>([
    ['Alloy, logfmt', alloy('FailedMount', 'Warning', 'secret "keys" not found')],
    [
      'Alloy, JSON',
      JSON.stringify({
        name: 'play-1-rex',
        kind: 'Pod',
        reason: 'FailedMount',
        type: 'Warning',
        msg: 'secret "keys" not found',
      }),
    ],
    [
      'an exporter',
      JSON.stringify({
        type: 'Warning',
        reason: 'FailedMount',
        message: 'secret "keys" not found',
        involvedObject: { kind: 'Pod', name: 'play-1-rex' },
      }),
    ],
    [
      'events.k8s.io/v1',
      JSON.stringify({
        type: 'Warning',
        reason: 'FailedMount',
        note: 'secret "keys" not found',
        regarding: { kind: 'Pod', name: 'play-1-rex' },
      }),
    ],
    ['kubectl get events', '12s   Warning   FailedMount   pod/play-1-rex   secret "keys" not found'],
  ])('%s', (_, line) => {
    expect(read(line)).toMatchObject([
      {
        channel: 'infrastructure',
        level: 'warn',
        object: 'Pod/play-1-rex',
        text: 'FailedMount: secret "keys" not found',
        facts: [],
      },
    ]);
  });

  it.each(['Started', 'Scheduled', 'SuccessfulAttachVolume', 'NodeHasSufficientMemory'])(
    '%s heals, whatever its words',
    (reason) => {
      expect(read(alloy(reason, 'Normal', 'no error'))).toMatchObject([
        { text: '', facts: [{ kind: 'healthy', object: 'Pod/play-1-rex' }] },
      ]);
    },
  );

  it('an image that is there heals only what was said of the image', () => {
    expect(read(alloy('Pulled', 'Normal', 'present'))).toMatchObject([{ facts: [{ kind: 'healthy', isImage: true }] }]);
  });

  it.each([
    'Warning: resource configmaps/play-1 is missing an annotation',
    'time=x level=info msg="Normal start" type=Normal',
    'Normal   FailedMount',
    'name=a kind=Pod type=Error reason=X msg="y"',
  ])('none: %s', (line) => {
    expect(readEventLine(line)).toBeNull();
  });
});
