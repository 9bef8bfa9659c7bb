import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Environment, readLiveSettings } from '#lib/local/live/settings.ts';

const CA = readFileSync(join(import.meta.dirname, '../../support/tls/ca.pem'), 'utf8');
const CA_DATA = Buffer.from(CA).toString('base64');
const KEY = '-----BEGIN RSA PRIVATE KEY-----\nsecret-of-the-app\n-----END RSA PRIVATE KEY-----\n';

const ENOUGH: Environment = {
  LOKI_URL: 'https://loki.example.com/',
  GITHUB_TOKEN: 'secret-of-github',
  ALLOWED_REPOSITORIES: 'acme/*',
};

const kubeconfig = (
  user: string,
  cluster = `{server: 'https://10.0.0.1:6443', certificate-authority-data: ${CA_DATA}}`,
) => `
apiVersion: v1
kind: Config
current-context: agents
contexts:
  - {name: other, context: {cluster: nowhere, user: nobody}}
  - {name: agents, context: {cluster: agents, user: reader, namespace: cto}}
clusters:
  - {name: agents, cluster: ${cluster}}
users:
  - {name: reader, user: ${user}}
`;

const FILES: Readonly<Record<string, string>> = {
  '/k/token': kubeconfig('{token: secret-of-kubernetes}'),
  '/k/token-file': kubeconfig('{tokenFile: beside}', '{server: https://10.0.0.1, certificate-authority: ca.pem}'),
  '/k/beside': 'secret-of-a-file\n',
  '/k/ca.pem': CA,
  '/k/exec': kubeconfig('{exec: {command: aws}}'),
  '/k/certificate': kubeconfig('{client-certificate-data: abc, client-key-data: abc}'),
  '/k/empty': kubeconfig('{}'),
  '/k/insecure': kubeconfig('{token: t}', '{server: https://10.0.0.1, insecure-skip-tls-verify: true}'),
  '/k/proxied': kubeconfig('{token: t}', '{server: https://10.0.0.1, proxy-url: http://proxy}'),
  '/k/plain': kubeconfig('{token: t}', '{server: http://10.0.0.1}'),
  '/k/astray': kubeconfig('{token: t}').replace('current-context: agents', 'current-context: nothing'),
  '/k/markup': '<html>: [',
  '/k/app.pem': KEY,
};

function read(path: string): string {
  const text = FILES[path];
  if (text === undefined) throw new Error(`no ${path}`);
  return text;
}

const settings = (env: Environment = {}) => readLiveSettings({ ...ENOUGH, ...env }, read);

describe('readLiveSettings', () => {
  it('takes the peers of the environment, and nothing else of it', () => {
    const { overrides, secrets, githubApiUrl, githubToken, allowed } = settings({
      LOKI_USER: 'reader',
      LOKI_PASSWORD: 'secret-of-loki',
      LOKI_TENANT: 'team-a',
      LOKI_SELECTOR: '{cluster="prod", namespace="$namespace"}',
      AWS_PROFILE: 'somebody',
    });
    expect({ githubApiUrl, githubToken, allowed }).toEqual({
      githubApiUrl: 'https://api.github.com',
      githubToken: 'secret-of-github',
      allowed: ['acme/*'],
    });
    expect(overrides).toEqual({
      LOKI_URL: 'https://loki.example.com',
      LOKI_USER: 'reader',
      LOKI_TENANT: 'team-a',
      LOKI_SELECTOR: '{cluster="prod", namespace="$namespace"}',
      ALLOWED_REPOSITORIES: 'acme/*',
      GITHUB_WEB_URL: 'https://github.com',
      SECRETS_PREFIX: '/healer/live',
    });
    expect(secrets).toEqual({ '/healer/live/loki-password': 'secret-of-loki' });
  });

  it.each([
    ['as it stands', { GITHUB_APP_KEY: KEY.trim() }],
    ['from a file', { GITHUB_APP_KEY_FILE: '/k/app.pem' }],
  ])('takes the key of an App %s, before a token', (_name, env) => {
    const found = settings({ GITHUB_APP_ID: '12', ...env });
    expect(found.githubToken).toBeUndefined();
    expect(found.secrets['/healer/live/github-app-id']).toBe('12');
    expect(found.secrets['/healer/live/github-app-key']?.trim()).toBe(KEY.trim());
  });

  it.each([
    ['a token', { KUBECONFIG: '/k/token' }, 'https://10.0.0.1:6443', 'secret-of-kubernetes'],
    ['files beside it', { KUBECONFIG: '/k/token-file' }, 'https://10.0.0.1', 'secret-of-a-file'],
    ['a plugin, and KUBE_TOKEN', { KUBECONFIG: '/k/exec', KUBE_TOKEN: 'own' }, 'https://10.0.0.1:6443', 'own'],
    ['no kubeconfig', { KUBE_URL: 'https://10.0.0.2', KUBE_TOKEN: 'own', KUBE_CA: CA_DATA }, 'https://10.0.0.2', 'own'],
  ])('reads a cluster with %s', (_name, env, url, token) => {
    const { overrides, secrets } = settings(env);
    expect([overrides['KUBE_URL'], secrets['/healer/live/kubernetes-token']]).toEqual([url, token]);
    expect(Buffer.from(overrides['KUBE_CA'] ?? '', 'base64').toString()).toBe(CA);
  });

  it.each<readonly [Environment, RegExp]>([
    [{ LOKI_URL: '' }, /LOKI_URL must be the address of Loki/],
    [{ LOKI_URL: 'https://me:secret-of-loki@loki.example.com' }, /LOKI_URL must be .*without user and password/],
    [{ LOKI_SELECTOR: '{namespace="cto"}' }, /LOKI_SELECTOR must be/],
    [{ LOKI_USER: 'reader' }, /Set LOKI_PASSWORD too/],
    [{ LOKI_PASSWORD: 'secret-of-loki' }, /Set LOKI_USER too/],
    [{ ALLOWED_REPOSITORIES: '' }, /ALLOWED_REPOSITORIES must be/],
    [{ GITHUB_TOKEN: '' }, /Set GITHUB_TOKEN, or GITHUB_APP_ID with GITHUB_APP_KEY/],
    [{ GITHUB_APP_ID: '12' }, /Set GITHUB_APP_KEY/],
    [{ GITHUB_APP_ID: '12', GITHUB_APP_KEY: 'secret-of-the-app' }, /private key \(the whole \.pem file\)/],
    [{ GITHUB_APP_ID: '12', GITHUB_APP_KEY_FILE: '/k/none' }, /GITHUB_APP_KEY_FILE names a file that cannot be read/],
    [{ GITHUB_API_URL: 'http://github.example.com' }, /GITHUB_API_URL must be .*with https/],
    [{ KUBE_URL: 'https://10.0.0.2' }, /KUBE_URL is set without a token: set KUBE_TOKEN/],
    [{ KUBE_URL: 'http://10.0.0.2', KUBE_TOKEN: 'own' }, /must be an https URL/],
    [{ KUBECONFIG: '/k/exec' }, /signs in with an exec plugin: set KUBE_TOKEN/],
    [{ KUBECONFIG: '/k/certificate' }, /signs in with a client certificate: set KUBE_TOKEN/],
    [{ KUBECONFIG: '/k/empty' }, /has no token: set KUBE_TOKEN/],
    [{ KUBECONFIG: '/k/insecure' }, /insecure-skip-tls-verify is not supported/],
    [{ KUBECONFIG: '/k/proxied' }, /proxy-url is not supported/],
    [{ KUBECONFIG: '/k/plain' }, /must be an https URL/],
    [{ KUBECONFIG: '/k/astray' }, /its current context is not among its contexts/],
    [{ KUBECONFIG: '/k/markup' }, /cannot be read, or is not YAML/],
    [{ KUBECONFIG: '/k/none' }, /cannot be read, or is not YAML/],
    [{ KUBECONFIG: '/k/token:/k/exec' }, /name one file/],
  ])('refuses %j with a sentence that holds no value', (env, sentence) => {
    expect(() => settings(env)).toThrow(sentence);
    expect(() => settings(env)).not.toThrow(/secret-of/);
  });

  it('names everything that is missing at once', () => {
    expect(() => readLiveSettings({}, read)).toThrow(/LOKI_URL must be .*; ALLOWED_REPOSITORIES must be/);
  });
});
