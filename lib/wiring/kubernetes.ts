import { SSMClient } from '@aws-sdk/client-ssm';
import { kubernetesCluster, kubernetesProbe } from '#lib/adapters/kubernetes/cluster.ts';
import type { KubernetesAccess } from '#lib/adapters/kubernetes/http-client.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemSleep } from '#lib/adapters/system/sleep.ts';
import type { Cluster, ClusterProbe } from '#lib/app/ports.ts';
import { list, optional, parsed } from '#lib/config.ts';
import { InputError } from '#lib/domain/errors.ts';

/** Settings of the cluster; without an address there is none. */
export const kubernetesSettings = {
  kubeUrl: optional('KUBE_URL', 'the address of the Kubernetes API, e.g. https://10.0.0.1:6443', undefined),
  kubeCa: parsed('KUBE_CA', "the cluster's certificate authority: PEM, or PEM in base64", parseCa),
  kubeNamespaces: list('KUBE_NAMESPACES', 'namespaces that are read; empty for all'),
};

/** Undefined for an empty text: the well-known authorities are trusted. @throws InputError */
export function parseCa(text: string): string | undefined {
  if (text === '') return undefined;
  const pem = text.startsWith('-----') ? text.replaceAll(String.raw`\n`, '\n') : Buffer.from(text, 'base64').toString();
  if (!/^-----BEGIN CERTIFICATE-----\n[\w+/=\n]+\n-----END CERTIFICATE-----/m.test(pem)) {
    throw new InputError('must be a certificate');
  }
  return pem;
}

interface ClusterPlace {
  readonly kubeUrl: string | undefined;
  readonly kubeCa: string | undefined;
  readonly secretsPrefix: string;
}

interface ReadPlace extends ClusterPlace {
  readonly kubeNamespaces: readonly string[];
}

/** The cluster of the deployment, with the secret `kubernetes-token`; null where none is configured. @throws ConfigError */
export function wireCluster({ kubeNamespaces, ...place }: ReadPlace): Cluster | null {
  const access = toAccess(place);
  const cluster = access && kubernetesCluster(access, { clock: systemClock, sleep: systemSleep });
  if (cluster === null || kubeNamespaces.length === 0) return cluster;
  return { ...cluster, reads: (namespace) => kubeNamespaces.includes(namespace) };
}

/** The same cluster, asked what may be read. @throws ConfigError */
export function wireClusterProbe(place: ClusterPlace): ClusterProbe | null {
  const access = toAccess(place);
  return access && kubernetesProbe(access, { clock: systemClock });
}

function toAccess({ kubeUrl, kubeCa, secretsPrefix }: ClusterPlace): KubernetesAccess | null {
  if (kubeUrl === undefined) return null;
  const secrets = ssmSecrets({ ssm: new SSMClient({ maxAttempts: 3 }), prefix: secretsPrefix, clock: systemClock });
  return { url: kubeUrl, ca: kubeCa, token: () => secrets.get('kubernetes-token') };
}
