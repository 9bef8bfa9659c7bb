import { afterAll, beforeAll, describe } from 'vitest';
import { eventObject, jobObject, podObject } from '#lib/local/kubernetes/objects.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { describeCluster } from './cluster-contract.ts';
import { peerOf } from './peer.ts';

const NOW = Date.now();
const NAMESPACE = 'cto';

describe('the embedded cluster', () => {
  let embedded: EmbeddedKubernetes;
  beforeAll(async () => {
    embedded = await startKubernetes();
    for (let index = 0; index < 7; index += 1) {
      const name = `play-1-rex-${index}`;
      embedded.put(
        podObject({ name, namespace: NAMESPACE }),
        jobObject({ name, namespace: NAMESPACE }),
        eventObject({
          name: `${name}.1`,
          namespace: NAMESPACE,
          type: index % 2 === 0 ? 'Normal' : 'Warning',
          reason: 'Seen',
          message: 'seen',
          object: { kind: 'Pod', name },
          at: NOW,
          isSeries: index > 3,
        }),
      );
    }
  });
  afterAll(() => embedded.stop());

  describeCluster(() => peerOf(embedded));
});
