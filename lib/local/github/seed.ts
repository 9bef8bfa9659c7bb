import { APP_EVENTS, APP_PERMISSIONS } from '#lib/app/app-permissions.ts';
import type { Backend } from './backend.ts';
import { DEFAULT_BRANCH, type GitHubOptions, type RepositorySeed } from './options.ts';
import { DELIVERIES } from './webhooks.ts';

/** Login of the user who may do everything; it belongs to every seeded owner. */
const ADMIN = 'admin';
const FIRST_INSTALLATION = 1001;

const split = (repository: string): { owner: string; name: string } => {
  const [owner = '', name = ''] = repository.split('/');
  return { owner, name };
};

export interface AppSeed {
  readonly id: number;
  readonly slug: string;
  readonly privateKey: string;
}

/** Installation ids by owner, in the order in which the owners appear. */
export function installationsOf(repositories: readonly RepositorySeed[]): ReadonlyMap<string, number> {
  const owners = [...new Set(repositories.map((one) => split(one.name).owner))];
  return new Map(owners.map((owner, index) => [owner, FIRST_INSTALLATION + index]));
}

function toApp(options: GitHubOptions, app: AppSeed, baseUrl: string) {
  const permissions = options.appPermissions ?? APP_PERMISSIONS;
  const installed = options.repositories.filter((one) => one.isInstalled !== false);
  return {
    app_id: app.id,
    slug: app.slug,
    name: app.slug,
    private_key: app.privateKey,
    permissions,
    events: [...APP_EVENTS],
    webhook_url: options.webhook && `${baseUrl}${DELIVERIES}`,
    webhook_secret: options.webhook?.secret,
    installations: [...installationsOf(options.repositories)].map(([owner, installation]) => ({
      installation_id: installation,
      account: owner,
      repository_selection: 'selected',
      repositories: installed.filter((one) => split(one.name).owner === owner).map((one) => one.name),
      permissions,
    })),
  };
}

/** The emulator's own form of the seed: owners are organizations, each with the administrator among its members. */
export function toEmulatorSeed(options: GitHubOptions, app: AppSeed, adminToken: string, baseUrl: string) {
  const users = options.users ?? [];
  return {
    tokens: {
      [adminToken]: { login: ADMIN, scopes: ['repo'] },
      ...Object.fromEntries(users.map(({ login, token }) => [token, { login, scopes: ['repo'] }])),
    },
    github: {
      users: users.map(({ login }) => ({ login })),
      orgs: [...installationsOf(options.repositories).keys()].map((login) => ({
        login,
        members: [{ login: ADMIN, role: 'admin' }],
      })),
      repos: options.repositories.map((one) => ({
        ...split(one.name),
        owner: split(one.name).owner,
        private: one.isPrivate ?? false,
        default_branch: DEFAULT_BRANCH,
        auto_init: true,
      })),
      apps: [toApp(options, app, baseUrl)],
    },
  };
}

async function must(backend: Backend, method: string, path: string, body: unknown): Promise<void> {
  const { status } = await backend.asAdmin(method, path, body);
  if (status >= 300) throw new Error(`seeding the embedded GitHub failed: ${method} ${path} answered ${status}`);
}

async function seedFiles(backend: Backend, seed: RepositorySeed): Promise<void> {
  for (const [path, content] of Object.entries(seed.files ?? {})) {
    await must(backend, 'PUT', `/repos/${seed.name}/contents/${path}`, {
      message: `Add ${path}`,
      content: Buffer.from(content).toString('base64'),
      branch: DEFAULT_BRANCH,
    });
  }
}

/** What the emulator's seed cannot hold: files, collaborators, archived, issues off. */
export async function seedThrough(backend: Backend, options: GitHubOptions): Promise<void> {
  for (const { login, permissions = {} } of options.users ?? []) {
    for (const [repository, permission] of Object.entries(permissions)) {
      const path = `/repos/${repository}/collaborators/${login}`;
      await must(backend, 'PUT', path, { permission: permission === 'read' ? 'pull' : permission });
    }
  }
  for (const seed of options.repositories) {
    await seedFiles(backend, seed);
    const settings = { archived: seed.isArchived ?? false, has_issues: seed.hasIssues ?? true };
    await must(backend, 'PATCH', `/repos/${seed.name}`, settings);
  }
}
