import { createAppAuth } from '@octokit/auth-app';
import * as z from 'zod';
import type { AppTokens, Clock, RepositoryToken, Secrets } from '#lib/app/ports.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import { githubClient, type OutgoingRequest } from './github-client.ts';
import { toGitHubError } from './github-error.ts';

const Installation = z.object({ id: z.number(), app_slug: z.string(), suspended_at: z.string().nullish() });

/** The broker asks these two things and no other. */
function guard({ method, path }: OutgoingRequest): void {
  const isKnown =
    (method === 'GET' && /^\/repos\/[^/]+\/[^/]+\/installation$/.test(path)) ||
    (method === 'POST' && /^\/app\/installations\/\d+\/access_tokens$/.test(path));
  if (!isKnown) throw new GuardError('allow-list', `${method} ${path.slice(0, 200)} is no request of the token broker`);
}

const refusal = (message: string, advice: string, status?: number): SourceError =>
  new SourceError({ source: 'github', message, retryable: false, advice, status });

/** A key that was stored in one line has `\n` for its line breaks. */
const toPem = (secret: string): string => secret.replaceAll(String.raw`\n`, '\n').trim();

/** @throws SourceError when no signature can be made with the stored key; says nothing of the key itself */
async function signIn(appId: string, privateKey: string) {
  const auth = createAppAuth({ appId, privateKey });
  try {
    await auth({ type: 'app' });
  } catch {
    throw refusal(
      "the stored private key of Healer's GitHub App is not a PEM key",
      "Store the App's .pem file, whole, as the secret github-app-key.",
    );
  }
}

function toInstallation(data: unknown, target: string): z.infer<typeof Installation> {
  const parsed = Installation.safeParse(data);
  if (!parsed.success) {
    throw new SourceError({
      source: 'github',
      message: 'the answer about the installation is not of the form that GitHub documents',
      retryable: true,
      advice: 'Check that GITHUB_API_URL is the base of a GitHub REST API and no proxy answers for it.',
    });
  }
  if (parsed.data.suspended_at) {
    throw refusal(
      `Healer's GitHub App is suspended on ${target}`,
      'Unsuspend the installation in the settings of the owner.',
      403,
    );
  }
  return parsed.data;
}

/**
 * Tokens of the GitHub App whose id and private key are the secrets `github-app-id` and `github-app-key`. Each token
 * names one repository and the permissions asked for, lives for an hour, and is minted anew on each call.
 */
export function appTokens(deps: { secrets: Secrets; apiUrl: string; clock: Clock; timeoutMs?: number }): AppTokens {
  const { apiUrl, timeoutMs } = deps;

  async function mint(target: string, permissions: Readonly<Record<string, string>>): Promise<RepositoryToken> {
    const appId = (await deps.secrets.get('github-app-id')).trim();
    const privateKey = toPem(await deps.secrets.get('github-app-key'));
    await signIn(appId, privateKey);
    const octokit = githubClient({
      apiUrl,
      timeoutMs,
      guard,
      auth: { strategy: createAppAuth, options: { appId, privateKey } },
    });
    const [owner = '', repo = ''] = target.split('/');
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
    const installation = toInstallation(data, target);
    const granted = (await octokit.auth({
      type: 'installation',
      installationId: installation.id,
      repositoryNames: [repo],
      permissions,
      refresh: true,
    })) as { token: string; expiresAt: string };
    return {
      token: granted.token,
      expiresAt: Date.parse(granted.expiresAt),
      installationId: String(installation.id),
      author: `${installation.app_slug}[bot]`,
    };
  }

  return {
    async mint(target, permissions) {
      try {
        return await mint(target, permissions);
      } catch (error) {
        throw toGitHubError(error, `minting a token for ${target}`, deps.clock);
      }
    },
  };
}
