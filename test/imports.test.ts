import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlantedTree, plant, printed } from '#test/support/planted.ts';

/** The rule that is broken, by which file, with which import. */
const FAULTS: readonly (readonly [rule: string, file: string, target: string])[] = [
  ['no-cycles', 'lib/app/first.ts', './second.ts'],
  ['resolvable', 'lib/app/lost.ts', '#lib/domain/nowhere.ts'],
  ['declared-packages', 'lib/app/fast.ts', 'fast-check'],
  ['functions-use-wiring', 'functions/wide.ts', '#lib/adapters/sqs/queues.ts'],
  ['functions-use-wiring', 'functions/deep.ts', '#lib/app/use.ts'],
  ['nobody-uses-functions', 'lib/wiring/back.ts', '../../functions/good.ts'],
  ['functions-alone-use-wiring', 'lib/app/back.ts', '#lib/wiring/good.ts'],
  ['functions-alone-use-wiring', 'lib/adapters/sqs/back.ts', '#lib/wiring/good.ts'],
  ['adapters-meet-app-in-wiring', 'lib/app/adapter.ts', '#lib/adapters/sqs/queues.ts'],
  ['adapters-meet-app-in-wiring', 'lib/edge/adapter.ts', '#lib/adapters/sqs/queues.ts'],
  ['adapters-know-ports-alone', 'lib/adapters/sqs/use.ts', '#lib/app/use.ts'],
  ['app-is-inside', 'lib/app/edge.ts', '#lib/edge/good.ts'],
  ['app-is-inside', 'lib/app/config.ts', '#lib/config.ts'],
  ['domain-is-pure', 'lib/domain/app.ts', '#lib/app/ports.ts'],
  ['domain-is-pure', 'lib/domain/adapter.ts', '#lib/adapters/sqs/queues.ts'],
  ['domain-is-pure', 'lib/domain/files.ts', 'node:fs'],
  ['domain-is-pure', 'lib/domain/aws.ts', '@aws-sdk/client-sqs'],
  ['local-is-a-leaf', 'lib/edge/local.ts', '#lib/local/good.ts'],
  ['local-is-a-leaf', 'functions/cli.ts', '#lib/cli/good.ts'],
  ['client-stands-alone', 'lib/client/domain.ts', '#lib/domain/good.ts'],
  ['nobody-imports-tests', 'lib/local/test.ts', '#test/help.ts'],
];

/** What the directions allow; no rule may name one of these files as the source. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  'functions/good.ts': ['#lib/wiring/good.ts', '#lib/edge/good.ts'],
  'lib/wiring/good.ts': ['#lib/app/use.ts', '#lib/adapters/sqs/queues.ts', '#lib/config.ts', '#lib/domain/good.ts'],
  'lib/edge/good.ts': ['#lib/app/use.ts', '#lib/domain/good.ts', 'zod'],
  'lib/app/use.ts': ['./ports.ts', '#lib/domain/good.ts', '#lib/flow.ts'],
  'lib/app/ports.ts': ['#lib/domain/good.ts'],
  'lib/adapters/sqs/queues.ts': ['#lib/app/ports.ts', '#lib/domain/good.ts', '@aws-sdk/client-sqs'],
  'lib/domain/good.ts': ['zod', 're2js', 'node:crypto', '#lib/flow.ts'],
  'lib/local/good.ts': ['#lib/wiring/good.ts', '#lib/adapters/sqs/queues.ts', '#lib/app/use.ts', 'dynalite'],
  'lib/cli/good.ts': ['#lib/local/good.ts', '../../functions/good.ts'],
  'lib/client/good.ts': ['zod'],
  'lib/app/second.ts': ['./first.ts'],
  'lib/flow.ts': [],
  'lib/config.ts': ['zod'],
  'test/help.ts': [],
};

const toSource = (targets: readonly string[]) =>
  `${targets.map((target) => `import '${target}';\n`).join('')}export {};\n`;

let tree: PlantedTree;
let found: readonly { rule: { name: string }; from: string; to: string }[];

beforeAll(async () => {
  const faults = FAULTS.map(([, file, target]) => [file, toSource([target])] as const);
  const good = Object.entries(GOOD).map(([file, targets]) => [file, toSource(targets)] as const);
  tree = await plant(Object.fromEntries([...faults, ...good]), [
    '.dependency-cruiser.cjs',
    'tsconfig.json',
    'package.json',
  ]);
  const args = ['functions', 'lib', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  found = (JSON.parse(await printed(tree.dir, 'depcruise', args)) as { summary: { violations: typeof found } }).summary
    .violations;
});

afterAll(() => tree.remove());

describe('import directions', () => {
  it.each(FAULTS)('%s: %s must not import %s', (rule, file) => {
    expect(found.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  it('allow the flow inwards', () => {
    const good = Object.keys(GOOD).filter((file) => file !== 'lib/app/second.ts');
    expect(found.filter(({ from }) => good.includes(from))).toEqual([]);
  });

  it('each have a planted violation', () => {
    const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
    expect([...new Set(FAULTS.map(([rule]) => rule))]).toEqual(config.forbidden.map(({ name }) => name));
  });
});
