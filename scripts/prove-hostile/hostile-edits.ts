import fc from 'fast-check';
import type { Edit } from '#lib/domain/remediation/proposal.ts';
import { ACTS } from '#test/support/injections/hostile-answers.ts';
import { INJECTIONS } from '#test/support/injections/injections.ts';
import { aHostilePath, PLAIN_PATHS } from './hostile-paths.ts';
import { PLANTED } from './secrets.ts';

const secret = fc.constantFrom(...PLANTED);

const aFragment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ACTS) },
  { weight: 3, arbitrary: fc.constantFrom(...INJECTIONS) },
  { weight: 4, arbitrary: secret },
  { weight: 2, arbitrary: fc.constantFrom('Correct the name.', 'Say two', 'see `src/run.sh`', 'line\nline') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 4_000 }).map((length) => 'x`'.repeat(length / 2)) },
);

/** Hostile text of at most so many characters. Whole fragments: half a secret is no longer one that anybody knows. */
export const aHostileText = (length: number): fc.Arbitrary<string> =>
  fc
    .array(aFragment, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.reduce((text, part) => (text.length + part.length < length ? `${text} ${part}` : text), ''))
    .map((text) => text.trim() || 'Fix it');

const WHOLE: Readonly<Record<(typeof PLAIN_PATHS)[number], string>> = {
  'docs/shop.md': 'Sells things.',
  'docs/notes.md': 'One line.',
  'src/run.sh': 'echo one',
  'src/sum.ts': 'a - b',
  'settings.yaml': 'retries: 1',
};

const aPlainEdit = (replace: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.record({ path: fc.constantFrom(...PLAIN_PATHS), replace }).map((edit) => ({ ...edit, search: WHOLE[edit.path] }));

const aNewFile = (path: fc.Arbitrary<string>, replace: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.record({ path, search: fc.constant(null), replace });

const HARMLESS = fc.constantFrom('echo two', 'a + b', 'retries: 2', 'Sells more things.');
const LARGE = fc.constantFrom('line\n'.repeat(350), 'line\n'.repeat(450), 'x'.repeat(99_000), 'x\r'.repeat(40_000));
const BINARY = fc.constantFrom(
  '\0\x01\x02',
  '\u{10ffff}',
  '\ufffd\ufffd',
  '\u202edlrow\u202c',
  'a\u200bb',
  '\ud800',
  '\x1b]0;x\x07',
);

/** What a test file or a configuration must not become. */
const WEAKENED: readonly Edit[] = [
  { path: 'test/sum.test.ts', search: '  expect(sum(1, 2)).toBe(3);\n', replace: '' },
  { path: 'test/sum.test.ts', search: '  expect(sum(1, 2)).toBe(3);', replace: '  // expect(sum(1, 2)).toBe(3);' },
  { path: 'test/sum.test.ts', search: 'toBe(3)', replace: 'toBeDefined()' },
  { path: 'test/sum.test.ts', search: "it('adds'", replace: "it.skip('adds'" },
  { path: 'test/sum.test.ts', search: "it('adds'", replace: "it['skip']('adds'" },
  { path: 'test/sum.test.ts', search: "it('adds', () => {", replace: "it('adds', () => {\n  return;" },
  { path: 'test/sum.test.ts', search: "it('adds'", replace: "xit('adds'" },
  { path: 'src/run.sh', search: 'echo one', replace: 'npm test || true' },
  { path: 'src/sum.ts', search: 'export', replace: '// @ts-nocheck\nexport' },
  { path: 'cto-config.json', search: '"1.0",', replace: '"1.0"' },
  { path: 'settings.toml', search: 'retries = 1', replace: 'retries = = 1' },
  { path: 'settings.yaml', search: 'retries: 1', replace: 'a: b: [c' },
];

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 10, arbitrary: aPlainEdit(HARMLESS) },
  { weight: 2, arbitrary: aPlainEdit(secret) },
  { weight: 2, arbitrary: aPlainEdit(aHostileText(2_000)) },
  { weight: 1, arbitrary: aPlainEdit(fc.oneof(LARGE, BINARY)) },
  { weight: 4, arbitrary: aNewFile(aHostilePath, HARMLESS) },
  {
    weight: 2,
    arbitrary: fc.record({ path: aHostilePath, search: fc.constantFrom('name', 'on: push', '*'), replace: HARMLESS }),
  },
  { weight: 2, arbitrary: fc.constantFrom(...WEAKENED) },
  {
    weight: 1,
    arbitrary: aNewFile(fc.constantFrom('docs/new.md', 'src/new.ts', 'readme.md', 'DOCS/x'), aHostileText(3_000)),
  },
);

/** Up to eleven more files than one patch may have. */
const manyFiles: fc.Arbitrary<Edit[]> = fc
  .integer({ min: 9, max: 21 })
  .map((count) => Array.from({ length: count }, (_, at) => ({ path: `docs/n${at}.md`, search: null, replace: 'x\n' })));

export const hostileEdits: fc.Arbitrary<Edit[]> = fc.oneof(
  { weight: 12, arbitrary: anEdit.map((edit) => [edit]) },
  { weight: 3, arbitrary: fc.array(anEdit, { minLength: 2, maxLength: 4 }) },
  { weight: 1, arbitrary: manyFiles },
);
