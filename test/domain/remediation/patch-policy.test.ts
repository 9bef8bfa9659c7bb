import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { checkPatch, type RepositoryText, type TreeFile } from '#lib/domain/remediation/patch-policy.ts';
import { assertPath, isExecutable } from '#lib/domain/remediation/paths.ts';
import type { Edit, Proposal } from '#lib/domain/remediation/proposal.ts';

const redactor = createRedactor();
const TEXTS: Readonly<Record<string, string>> = {
  'src/sum.ts': 'export const sum = (a: number, b: number) => a - b;\n',
  'test/sum.test.ts': "it('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n",
  'config.json': '{ "a": 1 }\n',
  'config.yaml': 'a: 1\nb: 2\n',
  'config.toml': 'a = 1\n',
  'many.txt': 'one\none\n',
  'keys.txt': 'password=pW7aaBB9ccDD1\nretries=1\n',
  'src/lib.rs': '#[test]\nfn adds() {\n    assert_eq!(sum(1, 2), 3);\n}\n',
  'run.py': 'def test_sum():\n    assert sum(1, 2) == 3\n',
};

const file = (path: string, mode = '100644'): TreeFile => ({ path, mode, sha: 'a'.repeat(40), size: 10 });
const repository = (more: readonly TreeFile[] = []): RepositoryText => ({
  files: [...Object.keys(TEXTS).map((path) => file(path)), ...more],
  texts: new Map(Object.entries(TEXTS)),
});

const aProposal = (edits: readonly Edit[], change: Partial<Proposal> = {}): Proposal => ({
  title: 'Fix it',
  why: 'It is broken.',
  edits,
  verify: [],
  source: 'model',
  declaredIn: [],
  expects: null,
  ...change,
});

const edit = (path: string, search: string | null, replace: string): Edit => ({ path, search, replace });
const GOOD = edit('src/sum.ts', 'a - b', 'a + b');
const check = (edits: readonly Edit[], change: Partial<Proposal> = {}, more: readonly TreeFile[] = []) =>
  checkPatch(aProposal(edits, change), repository(more), redactor);

describe('the patch policy', () => {
  it('passes a plain fix, with the whole file and its mode', async () => {
    const { files } = await check([GOOD], {}, []);
    expect(files).toEqual([
      { path: 'src/sum.ts', before: TEXTS['src/sum.ts'], after: expect.stringContaining('a + b'), mode: '100644' },
    ]);
  });

  it('passes a fix beside a secret that is there already', async () => {
    const { files } = await check([edit('keys.txt', 'retries=1', 'retries=2')]);
    expect(files[0]?.after).toContain('retries=2');
  });

  it('keeps the mode of a script', async () => {
    const script: RepositoryText = { files: [file('run.sh', '100755')], texts: new Map([['run.sh', 'echo one\n']]) };
    const patch = await checkPatch(aProposal([edit('run.sh', 'one', 'two')]), script, redactor);
    expect(patch.files[0]?.mode).toBe('100755');
  });

  const secret = ['ghp', 'x7Kq2mW9'.repeat(4).concat('Zt41')].join('_');
  it.each<[string, string, readonly Edit[], Partial<Proposal>?, (readonly TreeFile[])?]>([
    ['edit', 'a search text that is not there', [edit('src/sum.ts', 'a * b', 'a + b')]],
    ['edit', 'a search text that is there twice', [edit('many.txt', 'one', 'two')]],
    ['edit', 'a file that is not there', [edit('src/other.ts', 'a', 'b')]],
    ['edit', 'a new file that is there', [edit('src/sum.ts', null, 'x')]],
    ['edit', 'an edit that changes nothing', [edit('src/sum.ts', 'a - b', 'a - b')]],
    ['patch size', 'eleven files', Array.from({ length: 11 }, (_, at) => edit(`docs/${at}.md`, null, 'x'))],
    ['patch size', '401 lines', [edit('docs/a.md', null, 'x\n'.repeat(400).concat('x'))]],
    ['file mode', 'a symlink', [edit('link', 'a', 'b')], {}, [file('link', '120000')]],
    ['file mode', 'a submodule', [edit('sub', 'a', 'b')], {}, [file('sub', '160000')]],
    ['file mode', 'a file below a symlink', [edit('link/a.ts', null, 'b')], {}, [file('link', '120000')]],
    ['file mode', 'a twin by case', [edit('SRC/sum.ts', null, 'b')]],
    ['binary', 'a NUL', [edit('docs/a.md', null, 'a\u0000b')]],
    ['binary', 'a bidirectional mark', [edit('src/sum.ts', 'a - b', 'a \u202E+ b')]],
    ['binary', 'a zero-width character', [edit('docs/a.md', null, 'a\u200Bb')]],
    ['binary', 'half a surrogate pair', [edit('docs/a.md', null, 'a\uD800')]],
    ['file size', 'a huge file', [edit('docs/a.md', null, 'x'.repeat(400_001))]],
    ['syntax', 'broken JSON', [edit('config.json', '1', '1,')]],
    ['syntax', 'broken YAML', [edit('config.yaml', 'b: 2', '  - b: [')]],
    ['syntax', 'broken TOML', [edit('config.toml', 'a = 1', 'a = ')]],
    ['tests', 'a deleted assertion', [edit('test/sum.test.ts', '  expect(sum(1, 2)).toBe(3);\n', '')]],
    ['tests', 'a changed assertion', [edit('test/sum.test.ts', 'toBe(3)', 'toBeTruthy()')]],
    ['tests', 'a commented assertion', [edit('test/sum.test.ts', '  expect(', '  // expect(')]],
    ['tests', 'a Rust assertion', [edit('src/lib.rs', 'sum(1, 2), 3', 'sum(1, 2), sum(1, 2)')]],
    ['tests', 'a Python assertion', [edit('run.py', '== 3', '!= 99')]],
    ['tests', 'a skip', [edit('test/sum.test.ts', "it('adds'", "it.skip('adds'")]],
    ['tests', 'an only', [edit('test/sum.test.ts', "it('adds'", "it.only('adds'")]],
    ['tests', 'an ignore', [edit('src/lib.rs', '#[test]', '#[test]\n#[ignore]')]],
    ['tests', 'a type error that is ignored', [edit('src/sum.ts', 'export', '// @ts-ignore\nexport')]],
    ['tests', 'a failure that passes', [edit('docs/a.md', null, 'npm test || true')]],
    ['secrets', 'a token', [edit('docs/a.md', null, `token: ${secret}`)]],
    ['secrets', 'a token in place of another', [edit('keys.txt', 'pW7aaBB9ccDD1', 'kX2eeFF3ggHH4')]],
    [
      'secrets',
      'a token in parts',
      [edit('docs/a.md', null, `token: ${secret.slice(0, 20)}" +\n  "${secret.slice(20)}`)],
    ],
    ['names', 'a name that only a log knows', [edit('config.json', '"a"', '"evil_tool"')], { source: 'rules' }],
    ['patch path', 'a workflow', [edit('.github/workflows/ci.yml', null, 'on: push')]],
  ])('refuses by the rule "%s" %s', async (rule, _what, edits, change = {}, more = []) => {
    const failure = await check([...edits], change, more).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GuardError);
    expect(failure).toMatchObject({ guard: rule });
  });

  it('refuses when a gate itself breaks', async () => {
    const fail = () => Promise.reject(new GuardError('redaction', 'broken'));
    const broken = { redact: fail, redactLines: fail };
    await expect(checkPatch(aProposal([GOOD]), repository(), broken)).rejects.toThrow(GuardError);
  });

  it('refuses whatever is no search text of a file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.string(), async (search, replace) => {
        fc.pre(TEXTS['src/sum.ts']?.split(search).length !== 2);
        await expect(check([edit('src/sum.ts', search, replace)])).rejects.toThrow(GuardError);
      }),
      { numRuns: 50 },
    );
  });
});

describe('paths', () => {
  it.each([
    '.github/workflows/ci.yml',
    '.GitHub/x',
    'a/.github/x',
    '.git/config',
    '.env',
    '.claude/settings.json',
    '.cursor/rules/a.mdc',
    '.codex/config.toml',
    '.gitlab-ci.yml',
    '.npmrc',
    '.husky/pre-commit',
    '.gitmodules',
    'CODEOWNERS',
    'docs/CODEOWNERS',
    'codeowners',
    'AGENTS.md',
    'agents.MD',
    'src/CLAUDE.md',
    'GEMINI.md',
    'package.json',
    'a/package.json',
    'package-lock.json',
    'yarn.lock',
    'bun.lockb',
    'Cargo.toml',
    'go.sum',
    'requirements.txt',
    'requirements-dev.txt',
    'pyproject.toml',
    'setup.py',
    'conftest.py',
    'Jenkinsfile',
    '../x',
    'a/../b',
    './a',
    'a/./b',
    '/etc/passwd',
    'a//b',
    'a/',
    '',
    '.',
    '..',
    'C:/x',
    'C:\\x',
    'a\\b',
    'a%2e%2e/b',
    '%2e%2e',
    'CODEOWNERS.',
    'CODEOWNERS ',
    'a. /b',
    'git~1/config',
    'a:b',
    'a\nb',
    'a\u0000b',
    'СODEOWNERS',
    'AGENTS\u200B.md',
    'ＡGENTS.md',
    'a\u202Eb',
    'fïx.md',
    'server.pem',
    '~/x',
    '-rf',
    'x'.repeat(301),
  ])('refuses %j', (path) => {
    expect(() => assertPath(path)).toThrow(GuardError);
  });

  it.each(['cto-config.json', 'src/a.ts', 'docs/read me.md', 'app/[id]/page.tsx', 'a+b/c@2.txt', 'infra/main.tf'])(
    'lets %j pass',
    (path) => {
      expect(() => assertPath(path)).not.toThrow();
    },
  );

  it('never lets a path pass that leaves the repository or begins a part with a dot', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        try {
          assertPath(path);
        } catch {
          return;
        }
        expect(path.split('/').some((part) => part === '' || part.startsWith('.'))).toBe(false);
        expect(path).toMatch(/^[\x20-\x7E]+$/);
      }),
    );
  });

  it.each([
    ['README.md', false],
    ['cto-config.json', false],
    ['src/a.ts', true],
    ['tsconfig.json', true],
    ['Makefile', true],
    ['docker-compose.yml', true],
  ])('%s may be run by CI: %s', (path, expected) => {
    expect(isExecutable(path)).toBe(expected);
  });
});
