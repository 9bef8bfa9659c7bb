import fc from 'fast-check';
import { SYMLINK } from './ground.ts';

/** Files that a patch may well change; hostile is what comes with them. */
export const PLAIN_PATHS = ['docs/shop.md', 'docs/notes.md', 'src/run.sh', 'src/sum.ts', 'settings.yaml'] as const;

const GUARDED = [
  '.github/workflows/ci.yml',
  '.github/workflows/new.yml',
  '.github/actions/x/action.yml',
  '.gitlab-ci.yml',
  '.git/config',
  '.git/hooks/pre-commit',
  '.gitmodules',
  '.gitattributes',
  '.env',
  '.npmrc',
  '.husky/pre-commit',
  '.claude/settings.json',
  '.cursor/rules/x.mdc',
  '.mcp.json',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  'src/AGENTS.md',
  'copilot-instructions.md',
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'Cargo.lock',
  'poetry.lock',
  'go.sum',
  'requirements.txt',
  'action.yml',
  'Jenkinsfile',
  'deploy/server.pem',
] as const;

const ELSEWHERE = [
  '/etc/passwd',
  'C:\\Windows\\x',
  '\\\\host\\share',
  '//host/share',
  '../../other/README.md',
  'src/../../x',
  'acme/other/contents/README.md',
  'https://api.github.com/repos/acme/other/contents/x',
  'refs/heads/main',
  'heads/main:README.md',
  'README.md\0.png',
  'src//run.sh',
  'src/run.sh/below',
  `${SYMLINK}/below`,
  'a/'.repeat(140),
  '~/.ssh/authorized_keys',
  '$HOME/x',
  'CON',
  '__proto__',
  'constructor/prototype',
] as const;

/** Letters of other scripts that look like ASCII, and forms that normalization turns into it. */
const TWINS: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  c: 'с',
  p: 'р',
  '.': '．',
  '/': '／',
  k: 'K',
};

const flipCase = (path: string): string =>
  Array.from(path, (c, at) => (at % 2 === 0 ? c.toUpperCase() : c.toLowerCase())).join('');

/** Ways to name a file without its name. */
const DISGUISES: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => path.toLowerCase(),
  flipCase,
  (path) => Array.from(path, (c) => TWINS[c] ?? c).join(''),
  (path) => path.normalize('NFD').replace('s', 'ſ'),
  (path) => `./${path}`,
  (path) => `src/../${path}`,
  (path) => `/${path}`,
  (path) => `${path}.`,
  (path) => `${path} `,
  (path) => ` ${path}`,
  (path) => `${path}/`,
  (path) => `${path}\u200b`,
  (path) => `\u202e${Array.from(path).toReversed().join('')}`,
  (path) => `${path}\n`,
  (path) => `${path}::$DATA`,
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('/', '%2f').replaceAll('.', '%2e'),
  (path) => encodeURIComponent(encodeURIComponent(path)),
  (path) => `sub/folder/${path}`,
];

const aDisguise = (path: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(path, fc.constantFrom(...DISGUISES)).map(([plain, disguise]) => disguise(plain));

export const aHostilePath: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: aDisguise(fc.constantFrom(...GUARDED)) },
  { weight: 3, arbitrary: fc.constantFrom(...ELSEWHERE, SYMLINK) },
  { weight: 1, arbitrary: aDisguise(fc.constantFrom(...PLAIN_PATHS)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'a'), maxLength: 20 }) },
);
