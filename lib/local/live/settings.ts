import { readFileSync } from 'node:fs';
import { oneOf, optional, parsed, readConfig } from '#lib/config.ts';
import { ConfigError, InputError } from '#lib/domain/errors.ts';
import { toWebUrl } from '#lib/domain/publication/links.ts';
import { parseModes } from '#lib/domain/remediation/modes.ts';
import { type AllowList, parseAllowList } from '#lib/domain/session/allow-list.ts';
import { parseCa } from '#lib/wiring/kubernetes.ts';
import { lokiSettings } from '#lib/wiring/loki.ts';
import { isLoopbackHost } from '../http/requests.ts';
import type { StackOptions } from '../stack-options.ts';
import { type ReadText, readKubeconfig } from './kubeconfig.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What `npm start -- --live` takes from the host's environment. */
export interface LiveSettings {
  readonly allowed: AllowList;
  /** Base of GitHub's REST API, without a slash at its end. */
  readonly githubApiUrl: string;
  /** The token that stands in for the App; undefined where the App signs in. */
  readonly githubToken: string | undefined;
  /** Variables and secrets of the functions; the address of GitHub's API is put in by who starts the stack. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly secrets: NonNullable<StackOptions['secrets']>;
  /** One line for each peer, for people; holds no secret. */
  readonly peers: readonly string[];
}

const LIVE_SECRETS_PREFIX = '/healer/live';

const variables = {
  lokiUrl: parsed('LOKI_URL', 'the address of Loki, without user and password', parseAddress),
  selector: lokiSettings.selector,
  allowed: parsed('ALLOWED_REPOSITORIES', 'a comma-separated list of "owner", "owner/*", "owner/name"', parseAllowed),
  platform: parsed('PLATFORM_REPOSITORY', 'owner/name, or not set', parseAllowList),
  modes: parsed('REMEDIATION_MODES', 'a list such as "acme/*=auto,acme/shop=off"', parseModes),
  evidence: oneOf('EVIDENCE_IN_PUBLIC_REPOSITORIES', ['show', 'hide'], 'hide'),
  lineFilter: oneOf('LOKI_LINE_FILTER', ['on', 'off'], 'on'),
  githubApiUrl: parsed('GITHUB_API_URL', "the base of GitHub's REST API, with https", (text) =>
    parseSafeAddress(text || 'https://api.github.com'),
  ),
  githubWebUrl: optional('GITHUB_WEB_URL', "GitHub's pages for people", undefined),
  kubeCa: parsed('KUBE_CA', "the cluster's certificate authority: PEM, or PEM in base64", parseCa),
};

/** Variables that functions take over as they are. */
const PASSED = [
  'LOKI_TENANT',
  'LOKI_USER',
  'LOKI_SELECTOR',
  'LOKI_POD_LABEL',
  'LOKI_LINE_FILTER',
  'ALLOWED_REPOSITORIES',
  'PLATFORM_REPOSITORY',
  'EVIDENCE_IN_PUBLIC_REPOSITORIES',
  'REMEDIATION_MODES',
] as const;

/** @throws ConfigError with a sentence that names each variable that is missing or wrong; never a value */
export function readLiveSettings(
  env: Environment,
  read: ReadText = (path) => readFileSync(path, 'utf8'),
): LiveSettings {
  const config = readConfig(variables, env);
  const password = readPassword(env);
  const github = readGitHub(env, read);
  const cluster = readCluster(env, read);
  const passed = PASSED.flatMap((name) => (filled(env, name) === undefined ? [] : [[name, filled(env, name) ?? '']]));
  return {
    allowed: [...config.allowed, ...config.platform],
    githubApiUrl: config.githubApiUrl,
    githubToken: github.token,
    overrides: {
      ...Object.fromEntries(passed),
      LOKI_URL: config.lokiUrl,
      GITHUB_WEB_URL: config.githubWebUrl ?? toWebUrl(config.githubApiUrl),
      SECRETS_PREFIX: LIVE_SECRETS_PREFIX,
      ...(cluster !== undefined && { KUBE_URL: cluster.url, ...(cluster.ca !== undefined && { KUBE_CA: cluster.ca }) }),
    },
    secrets: toSecrets({
      'loki-password': password,
      'github-app-id': github.appId,
      'github-app-key': github.appKey,
      'kubernetes-token': cluster?.token,
    }),
    peers: [
      `Loki        ${config.lokiUrl}`,
      `GitHub      ${config.githubApiUrl}, ${github.token === undefined ? 'as the App' : 'with GITHUB_TOKEN'}`,
      `Kubernetes  ${cluster?.url ?? 'none (KUBECONFIG or KUBE_URL is not set): logs alone are read'}`,
    ],
  };
}

const filled = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const toSecrets = (secrets: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([name, value]) =>
      value === undefined ? [] : [[`${LIVE_SECRETS_PREFIX}/${name}`, value]],
    ),
  );

function parseAddress(text: string): string {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') throw new InputError('no address');
  return text.replace(/\/+$/, '');
}

/** A token crosses no network in the clear. */
function parseSafeAddress(text: string): string {
  const address = parseAddress(text);
  const { protocol, host } = new URL(address);
  if (protocol !== 'https:' && !isLoopbackHost(host)) throw new InputError('must begin with https');
  return address;
}

function parseAllowed(text: string): AllowList {
  const allowed = parseAllowList(text);
  if (allowed.length === 0) throw new InputError('must not be empty');
  return allowed;
}

function readPassword(env: Environment): string | undefined {
  const [user, password] = [filled(env, 'LOKI_USER'), filled(env, 'LOKI_PASSWORD')];
  if (user !== undefined && password === undefined) throw new ConfigError('Set LOKI_PASSWORD too: LOKI_USER is set.');
  if (user === undefined && password !== undefined) throw new ConfigError('Set LOKI_USER too: LOKI_PASSWORD is set.');
  return password;
}

interface GitHubSettings {
  readonly token?: string;
  readonly appId?: string;
  readonly appKey?: string;
}

function readGitHub(env: Environment, read: ReadText): GitHubSettings {
  const [token, appId] = [filled(env, 'GITHUB_TOKEN'), filled(env, 'GITHUB_APP_ID')];
  if (appId === undefined) {
    if (token !== undefined) return { token };
    throw new ConfigError(
      'Set GITHUB_TOKEN, or GITHUB_APP_ID with GITHUB_APP_KEY (or GITHUB_APP_KEY_FILE): GitHub is read in a dry run too.',
    );
  }
  const appKey = filled(env, 'GITHUB_APP_KEY') ?? readNamed(env, 'GITHUB_APP_KEY_FILE', read);
  if (appKey === undefined || !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(appKey)) {
    throw new ConfigError(
      "Set GITHUB_APP_KEY, or GITHUB_APP_KEY_FILE, to the App's private key (the whole .pem file).",
    );
  }
  return { appId, appKey };
}

function readNamed(env: Environment, name: string, read: ReadText): string | undefined {
  const path = filled(env, name);
  if (path === undefined) return undefined;
  try {
    return read(path);
  } catch {
    throw new ConfigError(`${name} names a file that cannot be read.`);
  }
}

const TOKEN_ADVICE =
  'set KUBE_TOKEN to a token of a service account: KUBE_TOKEN="$(kubectl create token healer -n NAMESPACE --duration 8h)"';

/** The current context of KUBECONFIG; KUBE_URL, KUBE_TOKEN and KUBE_CA come before what it says. */
function readCluster(env: Environment, read: ReadText) {
  const path = filled(env, 'KUBECONFIG');
  const own = { url: filled(env, 'KUBE_URL'), token: filled(env, 'KUBE_TOKEN'), ca: filled(env, 'KUBE_CA') };
  if (path === undefined && own.url === undefined) return undefined;
  const known = path === undefined || own.url !== undefined ? undefined : readKubeconfig(path, read);
  const url = own.url ?? known?.url ?? '';
  const token = own.token ?? known?.token;
  if (token === undefined)
    throw new ConfigError(`${known?.whyNoToken ?? 'KUBE_URL is set without a token'}: ${TOKEN_ADVICE}.`);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new ConfigError('The token for Kubernetes must be one line of ASCII.');
  try {
    parseSafeAddress(url);
  } catch {
    throw new ConfigError(
      'The address of Kubernetes (KUBE_URL, server) must be an https URL such as https://10.0.0.1:6443.',
    );
  }
  return { url, token, ca: own.ca ?? known?.ca };
}
