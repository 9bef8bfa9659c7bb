import type { RepositorySeed, UserSeed } from '#lib/local/github/options.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';

const FILES: Readonly<Record<string, string>> = {
  'docs/shop.md': '# Shop\n\nSells things.\n',
  'docs/notes.md': 'One line.\n',
  'src/run.sh': 'echo one\n',
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a - b;\n',
  'test/sum.test.ts':
    "import { expect, it } from 'vitest';\nimport { sum } from '../src/sum.ts';\n\nit('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n",
  'cto-config.json': '{\n  "version": "1.0",\n  "agents": { "rex": { "tools": { "remote": ["docs_lookup"] } } }\n}\n',
  'settings.yaml': 'retries: 1\n',
  'settings.toml': 'retries = 1\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "vitest run" } }\n',
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3 }\n',
  '.github/workflows/ci.yml': 'on: push\n',
  CODEOWNERS: '* @acme/owners\n',
  'AGENTS.md': 'Be careful.\n',
};

/** Path of a symbolic link to a file that nobody may change. */
export const SYMLINK = 'docs/link.md';

/** A private repository and a public one whose proposals go out at once, and one where code waits for a person. */
export const TARGETS = ['acme/shop', 'acme/open', 'acme/guard'] as const;
export type Target = (typeof TARGETS)[number];
/** The App is installed on it as well, and no answer may reach it. */
export const BYSTANDER = 'acme/other';

export const MODES = 'acme/shop=auto,acme/open=auto,acme/guard=guarded';

/** Whoever may let proposals out, and whoever may only sort issues. */
export const PEOPLE = {
  maintainer: { login: 'mia', token: 'token-of-mia' },
  guest: { login: 'gus', token: 'token-of-gus' },
} as const;

export const USERS: readonly UserSeed[] = [
  { ...PEOPLE.maintainer, permissions: Object.fromEntries(TARGETS.map((name) => [name, 'maintain'])) },
  { ...PEOPLE.guest, permissions: Object.fromEntries(TARGETS.map((name) => [name, 'triage'])) },
];

export const REPOSITORIES: readonly RepositorySeed[] = [...TARGETS, BYSTANDER].map((name) => ({
  name,
  isPrivate: name !== 'acme/open',
  files: FILES,
}));

/** Puts the symbolic link into each repository; the seed cannot hold one. */
export async function addSymlinks(github: EmbeddedGitHub): Promise<void> {
  for (const target of TARGETS) {
    const git = `/repos/${target}/git`;
    const ask = async (method: string, path: string, body?: unknown) => {
      const { status, data } = await github.asAdmin(method, `${git}${path}`, body);
      if (status >= 300) throw new Error(`seeding the symbolic link failed: ${path} answered ${status}`);
      return data as { readonly sha: string; readonly object: { sha: string }; readonly tree: { sha: string } };
    };
    const head = (await ask('GET', '/ref/heads/main')).object.sha;
    const base = (await ask('GET', `/commits/${head}`)).tree.sha;
    const { sha: blob } = await ask('POST', '/blobs', { content: '../.github/workflows/ci.yml', encoding: 'utf-8' });
    const entry = { path: SYMLINK, mode: '120000', type: 'blob', sha: blob };
    const { sha: tree } = await ask('POST', '/trees', { base_tree: base, tree: [entry] });
    const { sha } = await ask('POST', '/commits', { message: 'Add a link', tree, parents: [head] });
    await ask('PATCH', '/refs/heads/main', { sha });
  }
}
