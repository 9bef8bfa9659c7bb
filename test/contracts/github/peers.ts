import { randomUUID } from 'node:crypto';
import { appTokens } from '#lib/adapters/github/app-tokens.ts';
import { githubIssueTracker } from '#lib/adapters/github/issue-tracker.ts';
import type { TokenSource } from '#lib/adapters/github/token-source.ts';
import { PERMISSIONS } from '#lib/app/mint-token.ts';
import type { IssueTracker, RepositoryToken } from '#lib/app/ports.ts';
import type { GitHubOptions } from '#lib/local/github/options.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';

export const clock = { now: () => Date.now() };

/** A GitHub on which the contract is tried. */
export interface Peer {
  readonly url: string;
  /** A repository in which anything may be written. */
  readonly target: string;
  readonly author: string;
  readonly tracker: IssueTracker;
  /** A raw request with the rights of a person who may push. */
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

export async function askRaw(url: string, token: string | undefined, method: string, body?: unknown): Promise<Reply> {
  const headers: Record<string, string> = { accept: 'application/vnd.github+json', 'user-agent': 'healer-contract' };
  if (token !== undefined) headers.authorization = `token ${token}`;
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  const text = await answer.text();
  let data: unknown = text;
  try {
    data = JSON.parse(text);
  } catch {
    // Pages and logs are no JSON.
  }
  return { status: answer.status, headers: answer.headers, data };
}

const fixed = (token: RepositoryToken): TokenSource => ({ get: async () => token, forget: () => {} });

/** Tokens of the embedded GitHub's App, through the broker's own adapter. */
export async function anAppToken(
  github: EmbeddedGitHub,
  target: string,
  permissions: Readonly<Record<string, 'read' | 'write'>> = PERMISSIONS.write,
): Promise<RepositoryToken> {
  const secrets = { get: async (name: string) => (name === 'github-app-id' ? github.appId : github.privateKey) };
  return appTokens({ secrets, apiUrl: github.url, clock }).mint(target, permissions);
}

export const PERSON = { login: 'ann', token: 'token-of-ann' };

/** The embedded GitHub with one repository, `acme/shop`, an App on it, and a person who may push. */
export async function anEmbeddedGitHub(options: Partial<GitHubOptions> = {}): Promise<EmbeddedGitHub> {
  return startGitHub({
    repositories: [{ name: 'acme/shop', files: { 'config.json': '{"tools":[]}\n' } }],
    users: [{ ...PERSON, permissions: { 'acme/shop': 'push' } }],
    ...options,
  });
}

async function anEmbeddedPeer(): Promise<Peer> {
  const github = await anEmbeddedGitHub();
  const token = await anAppToken(github, 'acme/shop');
  return {
    url: github.url,
    target: 'acme/shop',
    author: token.author,
    tracker: githubIssueTracker({ tokens: fixed(token), apiUrl: github.url, clock }),
    ask: (method, path, body) => askRaw(`${github.url}${path}`, PERSON.token, method, body),
    stop: () => github.stop(),
  };
}

async function aRealPeer(token: string, target: string): Promise<Peer> {
  const url = process.env.GITHUB_API_URL ?? 'https://api.github.com';
  const { data } = await askRaw(`${url}/user`, token, 'GET');
  const author = (data as { login: string }).login;
  const own = { token, expiresAt: Date.now() + 3_600_000, installationId: 'personal', author };
  return {
    url,
    target,
    author,
    tracker: githubIssueTracker({ tokens: fixed(own), apiUrl: url, clock }),
    ask: (method, path, body) => askRaw(`${url}${path}`, token, method, body),
    stop: async () => {},
  };
}

/** The embedded GitHub always; the real one when HEALER_GITHUB_TOKEN and HEALER_GITHUB_SCRATCH (`owner/name`) are set. */
export function peers(): readonly (readonly [string, () => Promise<Peer>])[] {
  const { HEALER_GITHUB_TOKEN: token, HEALER_GITHUB_SCRATCH: target } = process.env;
  const embedded = ['embedded GitHub', anEmbeddedPeer] as const;
  return token && target ? [embedded, ['real GitHub', () => aRealPeer(token, target)]] : [embedded];
}

/** A name that no other run uses. */
export const fresh = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8)}`;
