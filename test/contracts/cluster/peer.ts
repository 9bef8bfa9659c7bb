import { type ClusterOptions, kubernetesCluster } from '#lib/adapters/kubernetes/cluster.ts';
import type { Cluster } from '#lib/app/ports.ts';
import type { EmbeddedKubernetes } from '#lib/local/kubernetes/server.ts';

/** The API server that a suite runs on: the embedded one, or a real one. */
export interface KubernetesPeer {
  readonly url: string;
  readonly token: string;
  readonly ca?: string | undefined;
  /** A namespace that the token may read. */
  readonly namespace: string;
}

export const peerOf = (embedded: EmbeddedKubernetes, namespace = 'cto', ca?: string): KubernetesPeer => ({
  url: embedded.url,
  token: embedded.token,
  namespace,
  ca,
});

/** The adapter on this peer; waits are not waited. */
export const clusterOn = (peer: KubernetesPeer, options: Partial<ClusterOptions> = {}): Cluster =>
  kubernetesCluster(
    { url: peer.url, ca: peer.ca, token: () => Promise.resolve(peer.token), ...options },
    { clock: { now: () => Date.now() }, sleep: () => Promise.resolve() },
  );
