import { describe } from 'vitest';
import { parseCa } from '#lib/wiring/kubernetes.ts';
import { describeCluster } from './cluster-contract.ts';
import type { KubernetesPeer } from './peer.ts';

const { KUBE_URL = '', KUBE_TOKEN = '', KUBE_CA = '', KUBE_NAMESPACE = 'default' } = process.env;

describe.skipIf(!KUBE_URL)(
  'a real cluster (needs KUBE_URL, KUBE_TOKEN, KUBE_CA; reads namespace KUBE_NAMESPACE)',
  () => {
    const peer = (): KubernetesPeer => ({
      url: KUBE_URL,
      token: KUBE_TOKEN,
      ca: parseCa(KUBE_CA),
      namespace: KUBE_NAMESPACE,
    });
    describeCluster(peer);
  },
);
