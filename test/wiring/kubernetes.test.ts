import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { kubernetesSettings, wireCluster } from '#lib/wiring/kubernetes.ts';

const PEM = readFileSync(new URL('../support/tls/ca.pem', import.meta.url), 'utf8');
const read = (env: Record<string, string>) => readConfig(kubernetesSettings, env);

describe('the settings of the cluster', () => {
  it('are none by default, and then there is no cluster', () => {
    expect(read({ KUBE_URL: '', KUBE_CA: '' })).toEqual({
      kubeUrl: undefined,
      kubeCa: undefined,
      kubeNamespaces: [],
    });
    expect(wireCluster({ ...read({}), secretsPrefix: '/healer/test' })).toBeNull();
  });

  it.each([
    ['PEM', PEM],
    ['PEM in base64, as kubeconfig files hold it', Buffer.from(PEM).toString('base64')],
    ['PEM with its line ends written out', PEM.replaceAll('\n', String.raw`\n`)],
  ])('take the authority as %s', (_, text) => {
    expect(read({ KUBE_CA: text }).kubeCa?.trim()).toBe(PEM.trim());
  });

  it.each([['nonsense'], [Buffer.from('nonsense').toString('base64')], [PEM.slice(0, 80)]])(
    'refuse %s as an authority and do not repeat it',
    (text) => {
      expect(() => read({ KUBE_CA: text })).toThrow(ConfigError);
      expect(() => read({ KUBE_CA: text })).toThrow(/^(?!.*nonsense).*KUBE_CA must be/);
    },
  );

  it.each([
    ['', undefined],
    ['cto, agents', true],
    ['agents', false],
  ])('with the namespaces %j say of cto that it is read: %s', (namespaces, isRead) => {
    const config = read({ KUBE_URL: 'https://10.0.0.1:6443', KUBE_NAMESPACES: namespaces });
    expect(wireCluster({ ...config, secretsPrefix: '/healer/test' })?.reads?.('cto')).toBe(isRead);
  });

  it('refuse an address to which a token would travel in the clear', () => {
    const config = { ...read({ KUBE_URL: 'http://10.0.0.1:8080' }), secretsPrefix: '/healer/test' };
    expect(() => wireCluster(config)).toThrow(/https URL/);
  });
});
