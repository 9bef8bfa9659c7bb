import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlantedTree, plant, printed } from '#test/support/planted.ts';

/** One expression a fault, in files of layers that may or may not have it. */
const ENV = [
  'export const a = process.env;',
  "export const a = process['env'];",
  'export const a = globalThis.process.env;',
  'export const { env } = process;',
  "export { env as a } from 'x';\nimport { env } from 'node:process';\nexport const b = env;",
];
const CLOCK = [
  'export const a = Date.now();',
  'export const a = Date.now;',
  'export const a = new Date();',
  'export const a = Date();',
  'export const { now } = Date;',
  'export const a = Math.random();',
  'export const a = crypto.randomUUID();',
  "import { randomUUID } from 'node:crypto';\nexport const a = randomUUID();",
];
const FINE = [
  'export const a = new Date(5);',
  'export const a = Math.max(1, 2);',
  "import { createHash } from 'node:crypto';\nexport const a = createHash('sha256');",
  'export const a = { env: 1, now: 2 }.env;',
];
const WORK = 'const work = async (): Promise<number> => 1;\n';
const PROMISES: readonly (readonly [rule: string, source: string])[] = [
  ['typescript(no-floating-promises)', `${WORK}work();`],
  ['typescript(no-misused-promises)', `${WORK}if (work()) throw new Error('never');`],
  ['typescript(no-misused-promises)', `${WORK}[1].forEach(async () => {\n  await work();\n});`],
];

const inLayer = (layer: string, kind: string, sources: readonly string[]) =>
  sources.map((source, index) => [`${layer}/${kind}-${index}.ts`, `${source}\n`] as const);

const files = Object.fromEntries([
  ...[
    'functions',
    'lib/app',
    'lib/domain',
    'lib/edge',
    'lib/adapters/sqs',
    'lib/adapters/system',
    'lib/local',
    'lib/cli',
  ].flatMap((layer) => [
    ...inLayer(layer, 'env', ENV),
    ...inLayer(layer, 'clock', CLOCK),
    ...inLayer(layer, 'fine', FINE),
  ]),
  ...inLayer(
    'lib/app',
    'promise',
    PROMISES.map(([, source]) => source),
  ),
  ['lib/config.ts', 'export const a = process.env;\n'],
]);

let tree: PlantedTree;
let found: readonly (readonly [file: string, rule: string])[];

beforeAll(async () => {
  tree = await plant(files, ['.oxlintrc.json', 'tsconfig.json', 'package.json', 'scripts/lint-confinement.mjs']);
  const report = JSON.parse(await printed(tree.dir, 'oxlint', ['--type-aware', '--format', 'json', '.'])) as {
    diagnostics: { code: string; filename: string }[];
  };
  found = report.diagnostics.map(({ filename, code }) => [filename, code] as const);
});

afterAll(() => tree.remove());

const rulesOf = (file: string) => found.filter(([name]) => name === file).map(([, rule]) => rule);

describe('the linter', () => {
  it.each(['functions', 'lib/app', 'lib/domain', 'lib/edge', 'lib/adapters/sqs'])(
    'confines environment and clock in %s',
    (layer) => {
      for (const index of ENV.keys()) expect(rulesOf(`${layer}/env-${index}.ts`)).toContain('confined(env)');
      for (const index of CLOCK.keys()) expect(rulesOf(`${layer}/clock-${index}.ts`)).toContain('confined(clock)');
      for (const index of FINE.keys())
        expect(rulesOf(`${layer}/fine-${index}.ts`).filter((rule) => rule.startsWith('confined'))).toEqual([]);
    },
  );

  it('leaves the environment to the configuration, the local stack and the command', () => {
    const allowed = found.filter(([, rule]) => rule === 'confined(env)').map(([file]) => file);
    expect(allowed.filter((file) => /^lib\/(?:config\.ts|local\/|cli\/)/.test(file))).toEqual([]);
  });

  it('leaves the clock to its adapter and the local stack', () => {
    const allowed = found.filter(([, rule]) => rule === 'confined(clock)').map(([file]) => file);
    expect(allowed.filter((file) => /^lib\/(?:adapters\/system|local)\//.test(file))).toEqual([]);
    expect(allowed).toContain('lib/cli/clock-0.ts');
  });

  it.each(PROMISES.map(([rule], index) => [rule, `lib/app/promise-${index}.ts`]))('finds %s in %s', (rule, file) => {
    expect(rulesOf(file)).toContain(rule);
  });
});
