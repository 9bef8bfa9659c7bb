import { createAppAuth } from '@octokit/auth-app';
import * as z from 'zod';
import { githubClient, type OutgoingRequest } from '#lib/adapters/github/github-client.ts';
import { toGitHubError } from '#lib/adapters/github/github-error.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { ConfigError, GuardError, SourceError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';

const Permissions = z.record(z.string(), z.string());

const App = z.object({
  slug: z.string(),
  name: z.string(),
  html_url: z.string(),
  permissions: Permissions,
  events: z.array(z.string()),
});
const Installation = z.object({
  id: z.number(),
  account: z.object({ login: z.string() }),
  permissions: Permissions,
  suspended_at: z.string().nullish(),
});
const Hook = z.object({ url: z.string().nullish() });
const Delivery = z.object({ delivered_at: z.string(), event: z.string(), status: z.string(), status_code: z.number() });

export type App = z.infer<typeof App>;
export type Installation = z.infer<typeof Installation>;
export type Delivery = z.infer<typeof Delivery>;

/** What an operator's command asks GitHub in the App's own name. Every method throws SourceError. */
export interface AppClient {
  /** With the difference between GitHub's clock and this machine's; null when GitHub told no time. */
  describe(): Promise<App & { readonly clockAheadMs: Millis | null }>;
  installations(): Promise<readonly Installation[]>;
  /** Whether the App is installed on the repository `owner/name`. */
  isInstalledOn(repository: string): Promise<boolean>;
  /** Address to which events go; null when there is none. */
  hookUrl(): Promise<string | null>;
  /** Sends events there, signed with the secret. */
  setHook(url: string, secret: string): Promise<void>;
  /** The latest deliveries of events, newest first; GitHub keeps them for three days. */
  deliveries(): Promise<readonly Delivery[]>;
}

/** The App's own name can do much: these commands ask for this, and nothing else. */
const ALLOWED = [
  /^GET \/app$/,
  /^GET \/app\/installations$/,
  /^GET \/repos\/[^/]+\/[^/]+\/installation$/,
  /^(GET|PATCH) \/app\/hook\/config$/,
  /^GET \/app\/hook\/deliveries$/,
];

function guard({ method, path }: OutgoingRequest): void {
  if (ALLOWED.some((one) => one.test(`${method} ${path}`))) return;
  throw new GuardError('allow-list', `${method} ${path.slice(0, 200)} is no request of this command`);
}

/** @throws ConfigError when the stored key signs nothing */
export async function openAppClient(access: {
  readonly apiUrl: string;
  readonly appId: string;
  readonly privateKey: string;
}): Promise<AppClient> {
  const options = { appId: access.appId.trim(), privateKey: access.privateKey.replaceAll(String.raw`\n`, '\n').trim() };
  await signIn(options);
  const octokit = githubClient({ apiUrl: access.apiUrl, guard, auth: { strategy: createAppAuth, options } });
  const told = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toGitHubError(error, what, systemClock);
    }
  };
  return {
    describe: async () => {
      const { data, headers } = await told('asking for the App', octokit.request('GET /app'));
      const at = Date.parse(headers.date ?? '');
      return { ...parse(App, data), clockAheadMs: Number.isNaN(at) ? null : at - systemClock.now() };
    },
    installations: async () => {
      const list = octokit.paginate('GET /app/installations', { per_page: 100 });
      return parse(z.array(Installation), await told('listing the installations', list));
    },
    isInstalledOn: async (repository) => {
      const [owner = '', repo = ''] = repository.split('/');
      const asked = octokit.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
      try {
        await told(`looking for the installation on ${repository}`, asked);
        return true;
      } catch (error) {
        if (error instanceof SourceError && error.status === 404) return false;
        throw error;
      }
    },
    hookUrl: async () => {
      const { data } = await told('asking for the webhook', octokit.request('GET /app/hook/config'));
      return parse(Hook, data).url || null;
    },
    setHook: async (url, secret) => {
      // Under `data`: beside the route, Octokit would take `url` for the address to ask.
      const data = { url, secret, content_type: 'json', insecure_ssl: '0' };
      await told('setting the webhook', octokit.request('PATCH /app/hook/config', { data }));
    },
    deliveries: async () => {
      const asked = octokit.request('GET /app/hook/deliveries', { per_page: 30 });
      return parse(z.array(Delivery), (await told('listing deliveries', asked)).data);
    },
  };
}

/** @throws ConfigError; says nothing of the key itself */
async function signIn(options: { readonly appId: string; readonly privateKey: string }): Promise<void> {
  try {
    await createAppAuth(options)({ type: 'app' });
  } catch {
    throw new ConfigError('the secret github-app-key is no private key in PEM: store the .pem file of the App, whole');
  }
}

/** @throws SourceError when the answer is not of the form that GitHub documents */
function parse<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new SourceError({
    source: 'github',
    message: 'an answer is not of the form that GitHub documents',
    retryable: true,
    advice: 'Check that github.apiUrl is the base of a GitHub REST API, and that no proxy answers for it.',
  });
}
