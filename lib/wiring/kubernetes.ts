import { SSMClient } from '@aws-sdk/client-ssm';
import { kubernetesCluster } from '#lib/adapters/kubernetes/cluster.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemSleep } from '#lib/adapters/system/sleep.ts';
import type { Cluster } from '#lib/app/ports.ts';
import { optional, parsed } from '#lib/config.ts';
import { InputError } from '#lib/domain/errors.ts';

/** Settings of the cluster; without an address there is none. */
export const kubernetesSettings = {
  kubeUrl: optional('KUBE_URL', 'the address of the Kubernetes API, e.g. https://10.0.0.1:6443', undefined),
  kubeCa: parsed('KUBE_CA', "the cluster's certificate authority: PEM, or PEM in base64", parseCa),
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

/** The cluster of the deployment, with the secret `kubernetes-token`; null where none is configured. @throws ConfigError */
export function wireCluster({ kubeUrl, kubeCa, secretsPrefix }: ClusterPlace): Cluster | null {
  if (kubeUrl === undefined) return null;
  const secrets = ssmSecrets({ ssm: new SSMClient({ maxAttempts: 3 }), prefix: secretsPrefix, clock: systemClock });
  const access = { url: kubeUrl, ca: kubeCa, token: () => secrets.get('kubernetes-token') };
  return kubernetesCluster(access, { clock: systemClock, sleep: systemSleep });
}
